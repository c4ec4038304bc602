"""Whether the API server refuses an object that kro applies, and its answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.golang.quoting import go_quoted
from kro_ls.openapi.json_values import JsonObject, as_object, as_text, is_unknown_at
from kro_ls.openapi.validation.admission import admit
from kro_ls.openapi.validation.object_meta import metadata_errors, path_segment_problems
from kro_ls.openapi.validation.objects.built_in_kinds import CHECKS, NAMES, OBJECTS, ROLE_KINDS, UPDATED
from kro_ls.openapi.validation.objects.edits import change_errors
from kro_ls.openapi.validation.objects.typed import typed_errors
from kro_ls.openapi.validation.plain import plain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kro_ls.openapi.kind_schema import KindSchema
    from kro_ls.openapi.validation.admission import RuleEvaluation
    from kro_ls.openapi.validation.field_errors import FieldError, Path
    from kro_ls.openapi.validation.objects.built_in_kinds import Kind
    from kro_ls.openapi.validation.objects.typed import TypedError

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
    for each in _errors(value, kind, rules, stored):
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
    found += [Problem(each.path, each.text, each.plain) for each in unread]
    errors = [
        each
        for each in _errors(value if stored is None else _without_emptied(value, stored), kind, rules, stored)
        if not each.is_about_others and not any(each.path[: len(wrong.path)] == wrong.path for wrong in unread)
    ]
    found += [Problem(each.path, each.text, plain(each), each.in_key, each.allowed) for each in errors]
    seen: set[tuple[Path, bool]] = set()
    for each in found:
        if (each.path, each.in_key) not in seen and not is_unknown_at(value, each.path):
            seen.add((each.path, each.in_key))
            yield each


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


def _unread(value: JsonObject, kind: KindSchema) -> list[TypedError]:
    return typed_errors(value, kind.declared_schema or kind.schema)


def _failure(value: JsonObject, kind: KindSchema, unread: TypedError) -> str:
    metadata = as_object(value.get("metadata"))
    place = f"{as_text(metadata.get('namespace'))}/{as_text(metadata.get('name'))}"
    typed = f"{kind.name.group}/{kind.name.version}, Kind={kind.name.kind}"
    if unread.is_patch:
        return f"failed to create typed patch object ({place}; {typed}): {unread.text}"
    shown = typed.removeprefix("/") if kind.name.group else typed
    read = f"unable to convert unstructured object to {shown}: {unread.text}"
    return f"failed to convert new object ({place}; {typed}) to proper version: {read}"


def _errors(
    value: JsonObject, kind: KindSchema | None, rules: RuleEvaluation | None, stored: JsonObject | None
) -> Iterator[FieldError]:
    named = _kind_of(value)
    namespaced = kind is None or kind.namespaced
    yield from metadata_errors(value, namespaced=namespaced, name_problems=NAMES.get(named))
    if kind is not None and kind.declared_schema is not None:
        yield from admit(value, kind.declared_schema, rules, stored).errors
        return
    if stored is not None:
        value = UPDATED[named](value, stored) if named in UPDATED else value
    value = _filled(value, OBJECTS.get(named, ""))
    if named in CHECKS:
        yield from CHECKS[named](value, ())
    if stored is not None:
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
