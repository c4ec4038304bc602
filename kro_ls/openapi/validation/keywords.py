"""A value against the keywords of a schema, with the errors that the API server gives.

Source: k8s.io/kube-openapi, pkg/validation/validate; errors are translated as in k8s.io/apiextensions-apiserver,
pkg/apiserver/validation/validation.go. Checks run in that order and count their passes as there, because the errors
shown for `anyOf` and `oneOf` are those of the branch with the most passes.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kro_ls.golang.quoting import go_quoted
from kro_ls.openapi.json_values import JsonObject, JsonValue, as_list, as_object, as_text, as_texts
from kro_ls.openapi.validation.errors import ErrorType, FieldError, field_error, go_json, place_of
from kro_ls.openapi.validation.formats import has_format, supported_format
from kro_ls.openapi.validation.numbers import is_whole, number_errors

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kro_ls.openapi.validation.errors import Path


_BRANCHING = frozenset({"anyOf", "oneOf", "allOf", "not"})


@dataclass(slots=True)
class Result:
    """Errors by the message that makes them one and the same, and how many checks were passed."""

    errors: dict[str, FieldError] = field(default_factory=dict)
    passes: int = 0

    def add(self, message: str, error: FieldError) -> None:
        """Add an error, unless one with its message is there."""
        self.errors.setdefault(message, error)

    def merge(self, other: Result) -> None:
        """Take over the errors and passes of another result."""
        for message, error in other.errors.items():
            self.errors.setdefault(message, error)
        self.passes += other.passes


def keyword_errors(value: JsonValue, schema: JsonObject) -> tuple[FieldError, ...]:
    """What the keywords of `schema` (a structural schema) say against `value`."""
    return tuple(_validate(value, schema, ()).errors.values())


def json_type(value: JsonValue) -> str:
    """The JSON type of a value."""
    if value is None:
        return "null"
    names = {bool: "boolean", int: "integer", float: "number", str: "string", list: "array", dict: "object"}
    return names[type(value)]


def _types(schema: JsonObject) -> tuple[str, ...]:
    if schema.get("x-kubernetes-int-or-string") is True:
        return "integer", "string"
    own = schema.get("type")
    return (own,) if isinstance(own, str) and own else as_texts(own)


def _validate(value: JsonValue, schema: JsonObject, path: Path) -> Result:
    types = _types(schema)
    format_name = supported_format(types[0] if len(types) == 1 else "", as_text(schema.get("format")))
    result = Result()
    if types or format_name or value is None:
        result.merge(_type(value, schema, types, format_name, path))
        result.passes += value is not None
    if value is None:
        result.merge(_enum(value, schema, path))
        return result
    checks = [_branches(value, schema, path)]
    if isinstance(value, str):
        checks.append(_string(value, schema, path))
        if format_name in ("int32", "int64", "float", "double"):
            format_name = ""
        if format_name:
            checks.append(_format(value, format_name, path))
    elif isinstance(value, list):
        checks.append(_list(value, schema, path))
    elif isinstance(value, int | float) and not isinstance(value, bool):
        checks.append(_number(value, schema, types, format_name, path))
    checks.append(_enum(value, schema, path))
    if isinstance(value, dict):
        checks.append(_object(value, schema, path))
    for check in checks:
        result.merge(check)
        result.passes += 1
    result.passes += 1
    return result


def _one(message: str, error: FieldError) -> Result:
    return Result({message: error})


def _type(value: JsonValue, schema: JsonObject, types: tuple[str, ...], format_name: str, path: Path) -> Result:
    found = json_type(value)
    if value is None:
        fits = not types or "null" in types or schema.get("nullable") is True
        return Result(passes=1) if fits else _wrong_type(path, ",".join(types), found)
    whole = isinstance(value, float) and is_whole(value) and "integer" in types
    fits = found in types or whole or (found == "integer" and "number" in types)
    value_format = {"integer": "int64", "number": "float64"}.get(found, "")
    scalar = not isinstance(value, str | list)
    if scalar and format_name and not fits and format_name != value_format:
        return _wrong_type(path, format_name, value_format)
    if format_name and not scalar and not {"number", "integer"} & set(types):
        return Result(passes=1)
    return Result(passes=1) if fits else _wrong_type(path, ",".join(types), found)


def _wrong_type(path: Path, expected: str, found: str) -> Result:
    return _invalid(path, found, f"must be of type {expected}: {go_quoted(found)}", ErrorType.TYPE_INVALID)


def _invalid(path: Path, value: JsonValue, said: str, error_type: ErrorType = ErrorType.INVALID) -> Result:
    place = place_of(path)
    detail = f"{place} in body {said}"
    return _one(detail, field_error(path, place, error_type, value, detail, said))


def _general(path: Path, said: str) -> Result:
    """An error for which the API server names no field."""
    return _one(said, field_error(path, "", ErrorType.INVALID, "", said))


def _string(value: str, schema: JsonObject, path: Path) -> Result:
    """The first of length and pattern that fails."""
    longest, shortest, pattern = schema.get("maxLength"), schema.get("minLength"), as_text(schema.get("pattern"))
    if isinstance(longest, int) and len(value) > longest:
        detail = f"may not be more than {longest} {'byte' if longest == 1 else 'bytes'}"
        message = f"{place_of(path)} in body should be at most {longest} chars long"
        return _one(message, field_error(path, place_of(path), ErrorType.TOO_LONG, None, detail))
    if isinstance(shortest, int) and len(value) < shortest:
        return _invalid(path, value, f"should be at least {shortest} chars long")
    if pattern:
        from kro_ls.golang.re2.matcher import PatternError, UndecidedError, search

        try:
            if not search(pattern, value):
                return _invalid(path, value, f"should match '{pattern}'")
        except UndecidedError:
            return Result()
        except PatternError as error:
            return _invalid(path, value, f"should match '{pattern}, but pattern is invalid: {error}'")
    return Result()


def _format(value: str, format_name: str, path: Path) -> Result:
    if has_format(value, format_name):
        return Result()
    return _invalid(path, value, f"must be of type {format_name}: {go_quoted(value)}", ErrorType.TYPE_INVALID)


def _number(value: float, schema: JsonObject, types: tuple[str, ...], format_name: str, path: Path) -> Result:
    result = Result(passes=1)
    only_type = types[0] if len(types) == 1 and types[0] in ("integer", "number") else ""
    place = place_of(path)
    for error in number_errors(value, schema, only_type, format_name if only_type else "", place):
        named = place if error.names_field else ""
        result.add(error.message, field_error(path, named, ErrorType.INVALID, error.value, error.message))
    return result


def _enum(value: JsonValue, schema: JsonObject, path: Path) -> Result:
    allowed = as_list(schema.get("enum"))
    if not allowed or any(_same_scalar(value, entry) for entry in allowed):
        return Result()
    message = f"{place_of(path)} in body should be one of {go_json(allowed)}"
    quoted = ", ".join(go_quoted(entry if isinstance(entry, str) else go_json(entry)) for entry in allowed)
    error = field_error(path, place_of(path), ErrorType.UNSUPPORTED, value, f"supported values: {quoted}")
    return _one(message, error)


def _same_scalar(value: JsonValue, allowed: JsonValue) -> bool:
    """Equality after converting `value` to the type of `allowed`, as Go converts numbers."""
    if value is None or isinstance(value, bool) or isinstance(allowed, bool):
        return value is not None and value is allowed
    if isinstance(value, int | float) and isinstance(allowed, int | float):
        return type(allowed)(value) == allowed
    return type(value) is type(allowed) and value == allowed


def _list(value: list[JsonValue], schema: JsonObject, path: Path) -> Result:
    result = Result(passes=1)
    items = schema.get("items")
    if isinstance(items, dict):
        for position, item in enumerate(value):
            result.merge(_validate(item, items, (*path, position)))
    fewest, most = schema.get("minItems"), schema.get("maxItems")
    if isinstance(fewest, int) and len(value) < fewest:
        result.merge(_invalid(path, len(value), f"should have at least {fewest} items"))
    if isinstance(most, int) and len(value) > most:
        result.merge(_too_many(path, len(value), most, f"should have at most {most} items"))
    if schema.get("uniqueItems") is True and _has_duplicates(value):
        result.merge(_invalid(path, "", "shouldn't contain duplicates"))
    return result


def _has_duplicates(value: list[JsonValue]) -> bool:
    # Unlike Go's JSON this tells 1 from 1.0, which Go compares as different.
    return len({json.dumps(item, sort_keys=True) for item in value}) < len(value)


def _too_many(path: Path, found: int, most: int, said: str) -> Result:
    detail = f"must have at most {most} {'item' if most == 1 else 'items'}"
    message = f"{place_of(path)} in body {said}"
    return _one(message, field_error(path, place_of(path), ErrorType.TOO_MANY, found, detail))


def _object(value: JsonObject, schema: JsonObject, path: Path) -> Result:
    result = Result()
    fewest, most = schema.get("minProperties"), schema.get("maxProperties")
    if isinstance(fewest, int) and len(value) < fewest:
        result.merge(_invalid(path, len(value), f"should have at least {fewest} properties"))
    if isinstance(most, int) and len(value) > most:
        result.merge(_too_many(path, len(value), most, f"should have at most {most} properties"))
    properties, additional = as_object(schema.get("properties")), schema.get("additionalProperties")
    for name, child in value.items():
        if name in properties:
            continue
        if additional is False:
            result.merge(_forbidden(path, name))
        elif isinstance(additional, dict):
            result.merge(_validate(child, additional, (*path, name)))
    for name, child_schema in properties.items():
        if name in value and isinstance(child_schema, dict):
            result.merge(_validate(value[name], child_schema, (*path, name)))
    for name in as_texts(schema.get("required")):
        if name not in value:
            missing = (*path, name)
            message = f".{place_of(missing)} in body is required"
            result.add(message, field_error(missing, place_of(missing), ErrorType.REQUIRED))
    return result


def _forbidden(path: Path, name: str) -> Result:
    said = "is a forbidden property"
    message = f"{place_of(path)}.{name} in body {said}"
    return _one(message, field_error((*path, name), place_of(path), ErrorType.INVALID, name, message, said))


def _branches(value: JsonValue, schema: JsonObject, path: Path) -> Result:
    """`anyOf`, `oneOf`, `allOf` and `not`, in this order."""
    result = Result(passes=1)
    if _BRANCHING.isdisjoint(schema):
        return result
    place = go_quoted(place_of(path))
    any_of = _results(value, as_list(schema.get("anyOf")), path)
    if any_of:
        valid = [branch for branch in any_of if not branch.errors]
        if not valid:
            result.merge(_general(path, f"{place} must validate at least one schema (anyOf)"))
        result.merge(valid[0] if valid else _most_passes(any_of))
    one_of = _results(value, as_list(schema.get("oneOf")), path)
    if one_of:
        valid = [branch for branch in one_of if not branch.errors]
        if len(valid) == 1:
            result.merge(valid[0])
        else:
            found = f"Found {len(valid)} valid alternatives" if valid else "Found none valid"
            result.merge(_general(path, f"{place} must validate one and only one schema (oneOf). {found}"))
            if not valid:
                result.merge(_most_passes(one_of))
    all_of = _results(value, as_list(schema.get("allOf")), path)
    for branch in all_of:
        result.merge(branch)
    if any(branch.errors for branch in all_of):
        none = "" if any(not branch.errors for branch in all_of) else ". None validated"
        result.merge(_general(path, f"{place} must validate all the schemas (allOf){none}"))
    for negated in _results(value, [schema["not"]] if "not" in schema else [], path):
        if not negated.errors:
            result.merge(_general(path, f"{place} must not validate the schema (not)"))
    return result


def _results(value: JsonValue, branches: Iterable[JsonValue], path: Path) -> list[Result]:
    return [_validate(value, branch, path) for branch in branches if isinstance(branch, dict)]


def _most_passes(results: list[Result]) -> Result:
    """The result with the most passes, the first of several."""
    return max(results, key=lambda result: result.passes)
