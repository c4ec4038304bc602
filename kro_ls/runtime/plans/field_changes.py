"""The differences of two objects, field by field; items of lists are matched by their names where they have any."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kro_ls.openapi.json_values import JsonObject, JsonValue

_WORD: Final = re.compile(r"[A-Za-z_][\w-]*")
_KEYS: Final = ("name", "key", "containerPort", "port", "mountPath", "ip", "type")
"""The fields that identify items of lists in Kubernetes' own kinds, the most specific first."""
_SECRET_PARTS: Final = ("data", "stringData")
_HIDDEN: Final = "(hidden)"


class FieldChange(Struct, frozen=True):
    """A field with its values; one that is not `was` is new, one that is not `stays` is gone.

    What a Secret holds is hidden.
    """

    path: str
    old: JsonValue = None
    new: JsonValue = None
    was: bool = True
    stays: bool = True


def field_changes(old: JsonObject, new: JsonObject) -> tuple[FieldChange, ...]:
    """Return the fields in which two objects differ, in the order of the new one."""
    found = _mappings(old, new, "", _below)
    if (new.get("apiVersion"), new.get("kind")) == ("v1", "Secret"):
        found = map(_hidden, found)
    return tuple(found)


def _hidden(change: FieldChange) -> FieldChange:
    if re.split(r"[.[]", change.path, maxsplit=1)[0] not in _SECRET_PARTS:
        return change
    old, new = (_HIDDEN if is_there else None for is_there in (change.was, change.stays))
    return replace(change, old=old, new=new)


def _changes(old: JsonValue, new: JsonValue, path: str) -> Iterator[FieldChange]:
    if isinstance(old, dict) and isinstance(new, dict):
        yield from _mappings(old, new, path, _below)
    elif isinstance(old, list) and isinstance(new, list):
        yield from _lists(old, new, path)
    elif not is_same(old, new):
        yield FieldChange(path, old, new)


def _mappings(old: JsonObject, new: JsonObject, path: str, form: Callable[[str, str], str]) -> Iterator[FieldChange]:
    """Yield the changes of entries by their names; `form` joins the path and a name."""
    for name, value in new.items():
        if name in old:
            yield from _changes(old[name], value, form(path, name))
        else:
            yield FieldChange(form(path, name), None, value, was=False)
    for name, value in old.items():
        if name not in new:
            yield FieldChange(form(path, name), value, None, stays=False)


def _lists(old: list[JsonValue], new: list[JsonValue], path: str) -> Iterator[FieldChange]:
    key = next((each for each in _KEYS if _tells_apart(each, old) and _tells_apart(each, new)), None)
    before, after = _named(old, key), _named(new, key)
    yield from _mappings(before, after, path, "{}[{}]".format)
    if key and before.keys() <= after.keys() and [*before] != [each for each in after if each in before]:
        yield FieldChange(path, [*before], [*after])


def _tells_apart(key: str, items: list[JsonValue]) -> bool:
    names = [each.get(key) if isinstance(each, dict) else None for each in items]
    return bool(names) and None not in names and len(set(map(str, names))) == len(names)


def _named(items: list[JsonValue], key: str | None) -> dict[str, JsonValue]:
    if key is None:
        return {str(index): each for index, each in enumerate(items)}
    return {str(each[key]): each for each in items if isinstance(each, dict)}


def _below(path: str, name: str) -> str:
    if not _WORD.fullmatch(name):
        return f'{path}["{name}"]'
    return f"{path}.{name}" if path else name


def is_same(one: JsonValue, other: JsonValue) -> bool:
    """Return whether two values are written alike: 1 is neither true nor 1.0."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(is_same(value, other[name]) for name, value in one.items())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(is_same, one, other))
    return type(one) is type(other) and one == other
