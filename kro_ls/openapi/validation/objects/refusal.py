"""Whether the API server refuses an object that kro applies, and its answer.

An object that it cannot read as one of its kind is refused before any field is validated: for undeclared fields, wrong
types, and duplicate keys of lists that are maps or sets; and, without the path of the field, for quantities and base64.
These errors print values as Go does.
Source: sigs.k8s.io/structured-merge-diff, typed/validate.go, and k8s.io/apimachinery, pkg/runtime/converter.go.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from msgspec import Struct

from kro_ls.golang.quoting import go_quoted
from kro_ls.openapi.json_values import JsonObject, JsonValue, as_list, as_object, as_text, as_texts, is_unknown_at
from kro_ls.openapi.validation.admission import admit
from kro_ls.openapi.validation.object_meta import metadata_errors, path_segment_problems
from kro_ls.openapi.validation.objects.built_in_kinds import (
    CHECKS,
    NAMES,
    OBJECTS,
    ROLE_KINDS,
    check_of,
    updated,
)
from kro_ls.openapi.validation.objects.quantities import quantity_problem
from kro_ls.openapi.validation.plain import plain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from kro_ls.openapi.kind_schema import KindSchema
    from kro_ls.openapi.validation.admission import RuleEvaluation
    from kro_ls.openapi.validation.field_errors import FieldError, Path
    from kro_ls.openapi.validation.objects.built_in_kinds import Kind


Source: TypeAlias = Literal["schema", "metadata", "kind"]
"""What refuses an object: its schema, the rules for the metadata of every kind, or the rules of its kind."""

_NAMES = (("metadata", "name"), ("metadata", "generateName"))
"""The fields of the metadata for which each kind has rules of its own."""

NAME_REQUIRED = "name is required"
"""What the client reports for an object without a name, without asking the API server."""


class Refusal(Struct, frozen=True):
    """The API server's answer, the field at fault, and what is wrong for a reader who sees the field."""

    text: str
    path: Path
    message: str


class Problem(Struct, frozen=True):
    """One reason why an object is refused: the field at fault, or its key.

    `text` is what the API server says of the field, and `message` the same for a reader who sees it. `allowed` are the
    only values that it can have, where there are such.
    """

    path: Path
    text: str
    message: str
    in_key: bool = False
    allowed: tuple[str, ...] = ()
    source: Source = "kind"


def refusal(
    value: JsonObject,
    kind: KindSchema | None,
    rules: RuleEvaluation | None,
    stored: JsonObject | None = None,
    is_known: Callable[[Path], bool] = lambda _: True,
) -> Refusal | None:
    """Return why an object is refused, None where it is accepted.

    `stored` is the object that it replaces. Of an unknown kind, only the metadata is checked. `rules` evaluates those
    of a custom kind. `is_known` returns whether the value at a path is final.
    """
    for early in _before_reading(value):
        if is_known(early.path):
            return Refusal(early.text, early.path, early.message)
    if kind is not None:
        for unread in _unread(value, kind):
            if is_known(unread.path):
                return Refusal(_failure(value, kind, unread), unread.path, unread.plain)
    if stored is not None:
        value = _without_emptied(value, stored)
    found: dict[str, FieldError] = {}
    for each in (*_metadata_errors(value, kind), *_kind_errors(value, kind, rules, stored)):
        if is_known(each.path):
            found.setdefault(each.text, each)
    if not found:
        return None
    first = next(iter(found.values()))
    listed = f"[{', '.join(found)}]" if len(found) > 1 else first.text
    fields = {each.path for each in found.values()}
    more = f" (and {len(fields) - 1} more)" if len(fields) > 1 else ""
    name = as_text(as_object(value.get("metadata")).get("name"))
    qualified = ".".join(filter(None, reversed(_kind_of(value))))  # such as `Deployment.apps`
    return Refusal(f"{qualified} {go_quoted(name)} is invalid: {listed}", first.path, f"{plain(first)}{more}")


def problems(
    value: JsonObject, kind: KindSchema | None, rules: RuleEvaluation | None, stored: JsonObject | None = None
) -> Iterator[Problem]:
    """Yield what is wrong with each field of an object, in which values may be unknown (`json_values.Unknown`).

    The API server reports some only once others are fixed. Of several about one field, the first is returned.
    """
    found = [*_before_reading(value)]
    unread = _unread(value, kind) if kind is not None else []
    found += [Problem(each.path, each.text, each.plain, source="schema") for each in unread]
    if stored is not None:
        value = _without_emptied(value, stored)
    sources: tuple[tuple[Source, Iterable[FieldError]], ...] = (
        ("metadata", _metadata_errors(value, kind)),
        ("kind", _kind_errors(value, kind, rules, stored)),
    )
    for rules_of, errors in sources:
        for each in errors:
            if not each.is_about_others and not any(each.path[: len(wrong.path)] == wrong.path for wrong in unread):
                source = "kind" if each.path in _NAMES else rules_of
                found.append(Problem(each.path, each.text, plain(each), each.in_key, each.allowed, source))
    seen: set[tuple[Path, bool]] = set()
    for problem in found:
        if (problem.path, problem.in_key) not in seen and not is_unknown_at(value, problem.path):
            seen.add((problem.path, problem.in_key))
            yield problem


def _before_reading(value: JsonObject) -> Iterator[Problem]:
    """Yield what the client reports, or the API server before it reads the object."""
    name = as_object(value.get("metadata")).get("name")
    if name in (None, ""):
        yield Problem(("metadata", "name"), NAME_REQUIRED, "the name is empty")
    faults = list(path_segment_problems(as_text(name)))
    if faults:  # the client cannot use it in the path of its request
        text = f"invalid resource name {go_quoted(as_text(name))}: [{' '.join(faults)}]"
        yield Problem(("metadata", "name"), text, f"the name {' and '.join(faults)}")
    role = as_text(as_object(value.get("roleRef")).get("kind"))
    if role and role not in ROLE_KINDS.get(_kind_of(value), (role,)):
        text = f"unsupported role reference kind: {go_quoted(role)}"
        yield Problem(("roleRef", "kind"), text, f"a role of the kind '{role}' cannot be bound")


def _kind_of(value: JsonObject) -> Kind:
    return as_text(value.get("apiVersion")).rpartition("/")[0], as_text(value.get("kind"))


def _unread(value: JsonObject, kind: KindSchema) -> list[_Unread]:
    """Return why an object cannot be read as one of a kind; the API server reports the first."""
    reading = _Reading(value, kind.declared_schema or kind.schema)
    return sorted(reading.found, key=lambda each: not each.is_patch)


def _failure(value: JsonObject, kind: KindSchema, unread: _Unread) -> str:
    metadata = as_object(value.get("metadata"))
    place = f"{as_text(metadata.get('namespace'))}/{as_text(metadata.get('name'))}"
    typed = f"{kind.name.group}/{kind.name.version}, Kind={kind.name.kind}"
    if unread.is_patch:
        return f"failed to create typed patch object ({place}; {typed}): {unread.text}"
    shown = typed.removeprefix("/") if kind.name.group else typed
    read = f"unable to convert unstructured object to {shown}: {unread.text}"
    return f"failed to convert new object ({place}; {typed}) to proper version: {read}"


def _metadata_errors(value: JsonObject, kind: KindSchema | None) -> Iterator[FieldError]:
    namespaced = kind is None or kind.namespaced
    return metadata_errors(value, namespaced=namespaced, name_problems=NAMES.get(_kind_of(value)))


def _kind_errors(
    value: JsonObject, kind: KindSchema | None, rules: RuleEvaluation | None, stored: JsonObject | None
) -> Iterator[FieldError]:
    if kind is not None and kind.declared_schema is not None:
        yield from admit(value, kind.declared_schema, rules, stored).errors
        return
    named = _kind_of(value)
    if stored is not None:
        value = updated(named, value, stored)
    value = _filled(value, OBJECTS.get(named, ""))
    if named in CHECKS:
        yield from check_of(named)(value, ())
    if stored is not None:
        from kro_ls.openapi.validation.objects.edits import change_errors

        yield from change_errors(value, stored, named)


def _filled(value: JsonObject, path: str) -> JsonObject:
    """Return an object with an empty one for each missing field along a dotted path."""
    step, _, rest = path.partition(".")
    inner = value.get(step)
    if not step or not isinstance(inner, dict | None):
        return value
    return {**value, step: _filled(inner or {}, rest)}


def _without_emptied(value: JsonObject, stored: JsonObject) -> JsonObject:
    """Return an edited object without the fields that it empties: server-side apply removes them."""
    result: JsonObject = {}
    for name, child in value.items():
        before = stored.get(name)
        if child in ({}, []) and before:
            continue
        both = isinstance(child, dict) and isinstance(before, dict)
        result[name] = _without_emptied(child, before) if both else child  # type: ignore[arg-type] # both are objects
    return result


class _Unread(Struct, frozen=True):
    """The path of a value that cannot be read, the API server's text, and the same in plain words.

    `is_patch` is true for what server-side apply finds before the object is converted.
    """

    path: Path
    text: str
    is_patch: bool
    plain: str


class _Reading:
    """Reads an object by a schema. `found` is why it cannot be read: a generator for each value takes twice as long."""

    def __init__(self, value: JsonObject, schema: JsonObject) -> None:
        self._object = value
        self._schema = schema
        self.found: list[_Unread] = []
        self._read(value, schema, ())

    def _read(self, value: JsonValue, schema: JsonObject, path: Path) -> None:
        wrong = _wrong_type(value, schema)
        if wrong:
            self._add(path, path, *wrong)
        elif isinstance(value, dict):
            self._read_object(value, schema, path)
        elif isinstance(value, list):
            self._read_list(value, schema, path)
        elif isinstance(value, str):
            problem = _text_problem(value, schema)
            if problem:
                self.found.append(_Unread(path, problem, False, _plain(problem)))

    def _add(self, path: Path, place: Path, text: str, plain_text: str) -> None:
        printed = _printed(self._object, self._schema, place)
        self.found.append(_Unread(path, f"{printed}: {text}", True, plain_text))

    def _read_object(self, value: JsonObject, schema: JsonObject, path: Path) -> None:
        properties, additional = as_object(schema.get("properties")), as_object(schema.get("additionalProperties"))
        for name, child in value.items():
            inner = properties.get(name, additional)
            if isinstance(inner, dict) and inner:
                if child.__class__ is str and inner.get("type") == "string" and "format" not in inner:
                    continue  # as most values are
                self._read(child, inner, (*path, name))
            elif properties and name not in properties and _is_closed(schema) and not (not path and name in _ALWAYS):
                place = (*path, name)
                self._add(place, place, "field not declared in schema", f"unknown field '{name}'")

    def _read_list(self, items: list[JsonValue], schema: JsonObject, path: Path) -> None:
        names, inner = as_texts(schema.get("x-kubernetes-list-map-keys")), as_object(schema.get("items"))
        is_set = not names and schema.get("x-kubernetes-list-type") == "set"
        seen: set[tuple[object, ...]] = set()
        for number, item in enumerate(items):
            key = _key(as_object(item), names) if names else (item,) if is_set and _is_key(item) else ()
            if key:
                compared = tuple((each.__class__, each) for each in key)  # 1 and true are different keys
                if compared in seen:
                    shown = _printed_key(key, names)
                    same = f"two items have the key {shown}" if names else f"{shown[1:]} is in the list twice"
                    self._add((*path, number), path, f"duplicate entries for key [{shown}]", same)
                seen.add(compared)
            if inner:
                self._read(item, inner, (*path, number))


def _printed(value: JsonValue, schema: JsonObject, path: Path) -> str:
    """Return a path in an object as errors show it, with the keys of items where they have any."""
    shown = ""
    for step in path:
        if isinstance(step, int) and isinstance(value, list):
            names = as_texts(schema.get("x-kubernetes-list-map-keys"))
            value, schema = value[step], as_object(schema.get("items"))
            key = _key(as_object(value), names)
            shown += f"[{_printed_key(key, names) if key else step}]"
        else:
            properties, additional = as_object(schema.get("properties")), schema.get("additionalProperties")
            value, schema = as_object(value).get(str(step)), as_object(properties.get(str(step), additional))
            shown += f".{step}"
    return shown


def _is_key(value: JsonValue) -> bool:
    return isinstance(value, str | int | float)


def _key(item: JsonObject, names: tuple[str, ...]) -> tuple[JsonValue, ...]:
    """Return the key of an item of a list that is a map; empty where a part is missing."""
    key = tuple([item.get(name, _KEY_DEFAULTS.get(name)) for name in sorted(names)])
    return key if all(map(_is_key, key)) else ()


def _printed_key(key: tuple[JsonValue, ...], names: tuple[str, ...]) -> str:
    """Return the key of an item as errors show it; that of an item of a set has no name."""
    shown = (go_quoted(each) if isinstance(each, str) else str(each).lower() for each in key)
    return ",".join(f"{name}={each}" for name, each in zip(sorted(names) or [""], shown, strict=True))


_TYPES: Final[Mapping[str, tuple[type, ...]]] = {
    "string": (str,),
    "boolean": (bool,),
    "integer": (int, float),
    "number": (int, float),
    "object": (dict,),
    "array": (list,),
}
_WORDS: Final = {"string": "a text", "boolean": "true or false", "object": "an object", "array": "a list"}
_KINDS: Final[tuple[tuple[type, str], ...]] = ((bool, "boolean"), (str, "string"), (dict, "map"), (list, "list"))


def _wrong_type(value: JsonValue, schema: JsonObject) -> tuple[str, str] | None:
    """Return what the API server says of a value of a wrong type, and the same in plain words.

    Null and unknown values fit every type.
    """
    declared = as_text(schema.get("type"))
    expected = _TYPES.get(declared)
    if expected is None or value.__class__ in expected or not isinstance(value, bool | int | float | str | dict | list):
        return None
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if isinstance(value, expected) and (declared not in ("integer", "number") or is_number):
        return None
    plain_text = f"must be {_WORDS.get(declared, 'a number')}"
    if declared in ("integer", "number"):
        found = next(name for kind, name in _KINDS if isinstance(value, kind))
        return f"expected numeric (int or float), got {found}", plain_text
    shown = _go_text(value)
    if declared == "string":
        return f"expected string, got &value.valueUnstructured{{Value:{shown}}}", plain_text
    name = {"object": "map", "array": "list"}.get(declared, declared)
    return f"expected {name}, got &{{{shown}}}", plain_text


def _go_text(value: JsonValue) -> str:
    """Return a value as Go's `%v` prints it."""
    if isinstance(value, dict):
        return f"map[{' '.join(f'{name}:{_go_text(value[name])}' for name in sorted(value))}]"
    if isinstance(value, list):
        return f"[{' '.join(map(_go_text, value))}]"
    if isinstance(value, bool):
        return str(value).lower()
    return "<nil>" if value is None else str(value)


def _is_closed(schema: JsonObject) -> bool:
    """Whether objects of a schema may only have the fields that it declares."""
    return (
        "additionalProperties" not in schema
        and not schema.get("x-kubernetes-preserve-unknown-fields")
        and not schema.get("x-kubernetes-embedded-resource")
    )


_KEY_DEFAULTS: JsonObject = {"protocol": "TCP"}
"""Keys of items that the API server fills in before it compares them."""

_ALWAYS = ("apiVersion", "kind", "metadata")
"""The fields that every object has, whatever its schema says."""

_NOT_BASE64: Final = r"[^A-Za-z0-9+/=\r\n]"


def _plain(problem: str) -> str:
    if "base64" in problem:
        return f"must be base64; byte {problem.rpartition(' ')[2]} is not"
    return "must be a quantity such as '500m' or '2Gi'"


def _text_problem(text: str, schema: JsonObject) -> str:
    if schema.get("format") == "byte":
        place = _base64_fault(text)
        return "" if place is None else f"error decoding from json: illegal base64 data at input byte {place}"
    if "type" in schema:
        return ""
    branches = as_list(schema.get("oneOf"))
    is_quantity = [as_object(each).get("type") for each in branches] == ["string", "number"]
    return quantity_problem(text) if is_quantity else ""


def _base64_fault(text: str) -> int | None:
    """Return the byte at which decoding a text as base64 fails in Go; None where it succeeds."""
    wrong = re.search(_NOT_BASE64, text)
    if wrong is not None:
        return wrong.start()
    stripped = text.replace("\r", "").replace("\n", "")
    data = stripped.rstrip("=")
    padding = len(stripped) - len(data)
    if "=" in data:
        return text.index("=")
    if len(stripped) % 4 or padding > 2:
        return len(stripped) - len(stripped) % 4 if padding <= 2 else len(data) + 2
    return None
