"""Validates a value by the keywords of a schema, with the errors of the API server.

Source: k8s.io/kube-openapi, pkg/validation/validate; errors are translated as in k8s.io/apiextensions-apiserver,
pkg/apiserver/validation/validation.go. Checks run in its order and count their passes, because the errors shown for
`anyOf` and `oneOf` are those of the branch with the most passes.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from msgspec import Struct, field

from kro_ls.golang.quoting import go_quoted
from kro_ls.openapi.json_values import (
    JsonObject,
    JsonValue,
    as_list,
    as_object,
    as_text,
    as_texts,
    has_unknown,
    is_unknown,
    unknown_text,
)
from kro_ls.openapi.validation.field_errors import ErrorType, FieldError, field_error, go_json, place_of
from kro_ls.openapi.validation.number_errors import is_whole, number_errors

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kro_ls.openapi.validation.field_errors import Path


_BRANCHING = frozenset({"anyOf", "oneOf", "allOf", "not"})


class Result(Struct):
    """Errors by message, of which each is reported once, and the number of checks that passed."""

    errors: dict[str, FieldError] = field(default_factory=dict)
    passes: int = 0

    def add(self, message: str, error: FieldError) -> None:
        """Add an error unless there is one with its message."""
        self.errors.setdefault(message, error)

    def add_invalid(self, path: Path, value: JsonValue, said: str, error_type: ErrorType = ErrorType.INVALID) -> None:
        """Add an error that names the field, in its detail as well."""
        place = place_of(path)
        detail = f"{place} in body {said}"
        self.add(detail, field_error(path, place, error_type, value, detail, said))

    def add_general(self, path: Path, said: str) -> None:
        """Add an error for which the API server names no field."""
        self.add(said, field_error(path, "", ErrorType.INVALID, "", said))

    def merge(self, other: Result) -> None:
        """Take over the errors and passes of another result."""
        for message, error in other.errors.items():
            self.errors.setdefault(message, error)
        self.passes += other.passes


def keyword_errors(value: JsonValue, schema: JsonObject) -> tuple[FieldError, ...]:
    """Return what is wrong with a value by the keywords of a structural schema."""
    result = Result()
    _validate(value, schema, (), result)
    return tuple(result.errors.values())


def json_type(value: JsonValue) -> str:
    """Return the JSON type of a value."""
    return _JSON_TYPES[type(value)]


_JSON_TYPES: dict[type, str] = {
    type(None): "null",
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "string",
    list: "array",
    dict: "object",
}


def _types(schema: JsonObject) -> tuple[str, ...]:
    if schema.get("x-kubernetes-int-or-string") is True:
        return "integer", "string"
    own = schema.get("type")
    return (own,) if isinstance(own, str) and own else as_texts(own)


def _validate(value: JsonValue, schema: JsonObject, path: Path, result: Result) -> None:
    if is_unknown(value):
        return
    types = _types(schema)
    format_name = _supported_format(as_text(schema.get("format")), types)
    if value is None:
        _type(value, schema, types, format_name, path, result)
        _enum(value, schema, path, result)
        return
    if json_type(value) in types:
        result.passes += 2
    elif types or format_name:
        _type(value, schema, types, format_name, path, result)
        result.passes += 1
    if not _BRANCHING.isdisjoint(schema):
        _branches(value, schema, path, result)
    if isinstance(value, str):
        _string(value, schema, path, result)
        if format_name and format_name not in ("int32", "int64", "float", "double"):
            _format(value, format_name, path, result)
    elif isinstance(value, list):
        _list(value, schema, path, result)
    elif not isinstance(value, bool | dict):
        _number(value, schema, types, format_name, path, result)
    if "enum" in schema:
        _enum(value, schema, path, result)
    if isinstance(value, dict):
        _object(value, schema, path, result)
    result.passes += 4


def _supported_format(name: str, types: tuple[str, ...]) -> str:
    if not name:
        return ""
    # Imported here because it is slow to import, and many runs meet no format.
    from kro_ls.openapi.validation.formats import supported_format

    return supported_format(types[0] if len(types) == 1 else "", name)


def _type(
    value: JsonValue, schema: JsonObject, types: tuple[str, ...], format_name: str, path: Path, result: Result
) -> None:
    """Check the type of a value that is none of `types` by name."""
    found, expected = json_type(value), ",".join(types)
    value_format = {"integer": "int64", "number": "float64"}.get(found, "")
    if value is None:
        fits = not types or "null" in types or schema.get("nullable") is True
    elif isinstance(value, str | list):
        fits = format_name != "" and {"number", "integer"}.isdisjoint(types)
    else:
        whole = isinstance(value, float) and "integer" in types and is_whole(value)
        fits = whole or (found == "integer" and "number" in types)
        if format_name and format_name != value_format:
            expected, found = format_name, value_format
    if fits:
        result.passes += 1
    else:
        result.add_invalid(path, found, f"must be of type {expected}: {go_quoted(found)}", ErrorType.TYPE_INVALID)


def _string(value: str, schema: JsonObject, path: Path, result: Result) -> None:
    """Report the first of length and pattern that fails."""
    result.passes += 1
    longest, shortest, pattern = schema.get("maxLength"), schema.get("minLength"), as_text(schema.get("pattern"))
    if isinstance(longest, int) and len(value) > longest:
        detail = f"may not be more than {longest} {'byte' if longest == 1 else 'bytes'}"
        message = f"{place_of(path)} in body should be at most {longest} chars long"
        result.add(message, field_error(path, place_of(path), ErrorType.TOO_LONG, None, detail))
    elif isinstance(shortest, int) and len(value) < shortest:
        result.add_invalid(path, value, f"should be at least {shortest} chars long")
    elif pattern:
        said = _pattern_error(value, pattern)
        if said:
            result.add_invalid(path, value, said)


def _pattern_error(value: str, pattern: str) -> str | None:
    from kro_ls.golang.re2.pattern_cache import search
    from kro_ls.golang.re2.pattern_errors import PatternError, UndecidedError

    try:
        return None if search(pattern, value) else f"should match '{pattern}'"
    except UndecidedError:
        return None
    except PatternError as error:
        return f"should match '{pattern}, but pattern is invalid: {error}'"


def _format(value: str, format_name: str, path: Path, result: Result) -> None:
    from kro_ls.openapi.validation.formats import has_format

    result.passes += 1
    if not has_format(value, format_name):
        result.add_invalid(path, value, f"must be of type {format_name}: {go_quoted(value)}", ErrorType.TYPE_INVALID)


def _number(
    value: float, schema: JsonObject, types: tuple[str, ...], format_name: str, path: Path, result: Result
) -> None:
    result.passes += 2
    only_type = types[0] if len(types) == 1 and types[0] in ("integer", "number") else ""
    place = place_of(path)
    for error in number_errors(value, schema, only_type, format_name if only_type else "", place):
        named = place if error.names_field else ""
        result.add(error.message, field_error(path, named, ErrorType.INVALID, error.value, error.message))


def _enum(value: JsonValue, schema: JsonObject, path: Path, result: Result) -> None:
    allowed = as_list(schema.get("enum"))
    if not allowed or any(_same_scalar(value, entry) for entry in allowed):
        return
    message = f"{place_of(path)} in body should be one of {go_json(allowed)}"
    shown = tuple(entry if isinstance(entry, str) else go_json(entry) for entry in allowed)
    detail = f"supported values: {', '.join(map(go_quoted, shown))}"
    result.add(message, field_error(path, place_of(path), ErrorType.UNSUPPORTED, value, detail, allowed=shown))


def _same_scalar(value: JsonValue, allowed: JsonValue) -> bool:
    """Whether `value` equals `allowed` once converted to its type, as Go converts numbers."""
    if value is None or isinstance(value, bool) or isinstance(allowed, bool):
        return value is not None and value is allowed
    if isinstance(value, int | float) and isinstance(allowed, int | float):
        return type(allowed)(value) == allowed
    return type(value) is type(allowed) and value == allowed


def _list(value: list[JsonValue], schema: JsonObject, path: Path, result: Result) -> None:
    result.passes += 2
    items = schema.get("items")
    if isinstance(items, dict):
        for position, item in enumerate(value):
            _validate(item, items, (*path, position), result)
    fewest, most = schema.get("minItems"), schema.get("maxItems")
    if isinstance(fewest, int) and len(value) < fewest:
        result.add_invalid(path, len(value), f"should have at least {fewest} items")
    if isinstance(most, int) and len(value) > most:
        _too_many(path, len(value), most, f"should have at most {most} items", result)
    if schema.get("uniqueItems") is True and _has_duplicates(value):
        result.add_invalid(path, "", "shouldn't contain duplicates")


def _has_duplicates(value: list[JsonValue]) -> bool:
    # Unlike in Go's JSON, 1 and 1.0 differ here: Go compares them as different.
    return len({json.dumps(item, sort_keys=True, default=unknown_text) for item in value}) < len(value)


def _too_many(path: Path, found: int, most: int, said: str, result: Result) -> None:
    detail = f"must have at most {most} {'item' if most == 1 else 'items'}"
    message = f"{place_of(path)} in body {said}"
    result.add(message, field_error(path, place_of(path), ErrorType.TOO_MANY, found, detail))


def _object(value: JsonObject, schema: JsonObject, path: Path, result: Result) -> None:
    result.passes += 1
    fewest, most = schema.get("minProperties"), schema.get("maxProperties")
    if isinstance(fewest, int) and len(value) < fewest:
        result.add_invalid(path, len(value), f"should have at least {fewest} properties")
    if isinstance(most, int) and len(value) > most:
        _too_many(path, len(value), most, f"should have at most {most} properties", result)
    properties, additional = as_object(schema.get("properties")), schema.get("additionalProperties")
    for name, child in value.items():
        if name in properties:
            continue
        if additional is False:
            _forbidden(path, name, result)
        elif isinstance(additional, dict):
            _validate(child, additional, (*path, name), result)
    for name, child_schema in properties.items():
        if name in value and isinstance(child_schema, dict):
            _validate(value[name], child_schema, (*path, name), result)
    for name in as_texts(schema.get("required")):
        if name not in value:
            missing = (*path, name)
            message = f".{place_of(missing)} in body is required"
            result.add(message, field_error(missing, place_of(missing), ErrorType.REQUIRED))


def _forbidden(path: Path, name: str, result: Result) -> None:
    said = "is a forbidden property"
    message = f"{place_of(path)}.{name} in body {said}"
    result.add(message, field_error((*path, name), place_of(path), ErrorType.INVALID, name, message, said))


def _branches(value: JsonValue, schema: JsonObject, path: Path, result: Result) -> None:
    """Check `anyOf`, `oneOf`, `allOf` and `not`, in this order."""
    if has_unknown(value):
        return  # it may fit any of them
    place = go_quoted(place_of(path))
    any_of = _results(value, as_list(schema.get("anyOf")), path)
    if any_of:
        valid = [branch for branch in any_of if not branch.errors]
        if not valid:
            result.add_general(path, f"{place} must validate at least one schema (anyOf)")
        result.merge(valid[0] if valid else _most_passes(any_of))
    one_of = _results(value, as_list(schema.get("oneOf")), path)
    if one_of:
        valid = [branch for branch in one_of if not branch.errors]
        if len(valid) == 1:
            result.merge(valid[0])
        else:
            found = f"Found {len(valid)} valid alternatives" if valid else "Found none valid"
            result.add_general(path, f"{place} must validate one and only one schema (oneOf). {found}")
            if not valid:
                result.merge(_most_passes(one_of))
    all_of = _results(value, as_list(schema.get("allOf")), path)
    for branch in all_of:
        result.merge(branch)
    if any(branch.errors for branch in all_of):
        none = "" if any(not branch.errors for branch in all_of) else ". None validated"
        result.add_general(path, f"{place} must validate all the schemas (allOf){none}")
    for negated in _results(value, [schema["not"]] if "not" in schema else [], path):
        if not negated.errors:
            result.add_general(path, f"{place} must not validate the schema (not)")


def _results(value: JsonValue, branches: Iterable[JsonValue], path: Path) -> list[Result]:
    results = []
    for branch in branches:
        if isinstance(branch, dict):
            results.append(Result())
            _validate(value, branch, path, results[-1])
    return results


def _most_passes(results: list[Result]) -> Result:
    """Return the result with the most passes, the first of several."""
    return max(results, key=lambda result: result.passes)
