"""Checks our own files by their JSON Schemas, with messages that say what to do.

Not for what Kubernetes validates, whose schemas have other rules and whose API server has other words. Messages call a
value by the `title` of its schema. `jsonschema` is imported when there is something to check.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from kro_ls.openapi.validation.plain import a_type
from kro_ls.shortening import shortened
from kro_ls.spelling import closest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from jsonschema.exceptions import ValidationError

    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.openapi.validation.field_errors import Path

_MOST_LISTED = 8
_LONGEST_WORD = 40


class SchemaProblem(Struct, frozen=True):
    """What is wrong with a value: the path in it, and the message.

    With `in_key` the key at the end of the path is at fault, not its value.
    """

    path: Path
    message: str
    in_key: bool = False
    meant: str = ""
    """What was probably meant there, empty where that is unclear."""


def schema_problems(value: JsonValue, schema: JsonObject) -> Iterator[SchemaProblem]:
    """Yield what is wrong with a value, in its order; a key without a value counts as absent."""
    from jsonschema import Draft202012Validator

    errors = Draft202012Validator(schema).iter_errors(_without_nulls(value))
    for error in sorted(errors, key=lambda each: [(isinstance(step, str), step) for step in each.absolute_path]):
        yield from _problems(error)


def _problems(error: ValidationError) -> Iterator[SchemaProblem]:
    path: Path = tuple(error.absolute_path)
    schema: Any = error.schema
    found: Any = error.instance
    match error.validator:
        case "additionalProperties":
            known = tuple(schema.get("properties", ()))
            for name in found:
                if name not in known:
                    yield unknown_problem((*path, name), known, schema.get("x-kro-ls-key", "key"))
        case "required":
            known = tuple(schema.get("properties", ()))
            meant = {closest(each, known) for each in found if each not in known}
            for name in schema["required"]:
                if name not in found and name not in meant:  # else the misspelt key is reported
                    yield SchemaProblem(path, f"'{name}' is missing")
        case "type":
            wanted = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
            yield type_problem(path, wanted, schema.get("title"))
        case "maxItems":
            yield SchemaProblem(path, f"{len(found)} items are too many; at most {schema['maxItems']} are allowed")
        case "enum":
            known = tuple(map(str, schema["enum"]))
            yield unknown_problem(path, known, schema.get("title", "value"), found=str(found))
        case _:
            yield SchemaProblem(path, error.message)


def type_problem(path: Path, wanted: Iterable[str], title: str | None = None) -> SchemaProblem:
    """Return the problem of a value that has none of some JSON types; messages call it `title`."""
    name = next((step for step in reversed(path) if isinstance(step, str)), "")
    subject = title or (f"'{name}'" if name else "this file")
    return SchemaProblem(path, f"{subject} must be {a_type(','.join(wanted))}")


def unknown_problem(path: Path, known: tuple[str, ...], what: str, *, found: str | None = None) -> SchemaProblem:
    """Return the problem of an unknown key at the end of a path, or of an unknown value `found` there."""
    word = str(path[-1]) if found is None else found
    meant = closest(word, known)
    advice = f"did you mean '{meant}'?" if meant else _expected(known)
    message = f"unknown {what} '{shortened(word, _LONGEST_WORD)}'; {advice}"
    return SchemaProblem(path, message, in_key=found is None, meant=meant or "")


def _expected(known: tuple[str, ...]) -> str:
    if not known:
        return "none is expected here"
    some = [f"'{each}'" for each in known[:_MOST_LISTED]] + ["..."] * (len(known) > _MOST_LISTED)
    return f"expected {'one of ' if len(known) > 1 else ''}{', '.join(some)}"


def _without_nulls(value: JsonValue) -> JsonValue:
    if isinstance(value, dict):
        return {name: _without_nulls(inner) for name, inner in value.items() if inner is not None}
    return [_without_nulls(item) for item in value] if isinstance(value, list) else value
