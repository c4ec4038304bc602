"""What is wrong with a schema by its keywords: they exclude each other, or have values that the API server lacks.

Source: k8s.io/apiextensions-apiserver, pkg/apis/apiextensions/validation/validation.go
(ValidateCustomResourceDefinitionOpenAPISchema).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.golang.quoting import go_quoted
from kro_ls.openapi.json_values import JsonObject, as_list, as_object, as_texts
from kro_ls.openapi.sources.crds.definition_schema import JSON_TYPES, LIST_TYPES, MAP_TYPES, TYPES, formats_of
from kro_ls.openapi.validation.field_errors import go_value
from kro_ls.openapi.validation.formats import CHECKS
from kro_ls.openapi.validation.plain import TYPE_WORDS
from kro_ls.spelling import closest, listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.validation.field_errors import Path


class StructuralProblem(Struct, frozen=True):
    """A problem at a path from the definition or a schema down to the keyword or value.

    `message` is for people. `printed` is the API server's answer, with the place from the schema down, empty where it
    has none. The key at the path is at fault, or its value with `at_value`; `meant` is what was probably meant there.
    `absent` is the name of a keyword that is missing beside or below it.
    """

    path: Path
    message: str
    printed: str = ""
    meant: str = ""
    absent: str = ""
    at_value: bool = False


def answer(path: Path, text: str) -> str:
    """Return a text of the API server with the place in a schema: `properties[size].type: Required value`."""
    place, in_fields = "", False
    for segment in path:
        name = f"[{segment}]" if in_fields or isinstance(segment, int) else f".{segment}"
        in_fields = segment == "properties" and not in_fields
        place += name
    place = place.removeprefix(".")
    return f"{place}: {text}"


_LIST_TYPE, _KEYS, _MAP_TYPE = "x-kubernetes-list-type", "x-kubernetes-list-map-keys", "x-kubernetes-map-type"


def constraint_problems(schema: JsonObject, path: Path) -> Iterator[StructuralProblem]:
    """Yield what is wrong with a schema itself, without those in it."""
    if schema.get("uniqueItems") is True:
        place = (*path, "uniqueItems")
        printed = "Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic"
        message = f"'uniqueItems' cannot be true; use '{_LIST_TYPE}: set'"
        yield StructuralProblem(place, message, answer(place, printed))
    if schema.get("properties") and schema.get("additionalProperties", True) is not True:
        place = (*path, "additionalProperties")
        printed = answer(place, "Forbidden: additionalProperties and properties are mutual exclusive")
        yield StructuralProblem(place, "'additionalProperties' is not allowed beside 'properties'", printed)
    written = schema.get("format")
    if isinstance(written, str):
        yield from _format(written, path)
    if schema.get("default") is not None:
        yield from _default(schema, path)
    if schema.keys().isdisjoint((_LIST_TYPE, _KEYS, _MAP_TYPE)):
        return
    yield from _topology(schema, path, _MAP_TYPE, "object", MAP_TYPES)
    yield from _topology(schema, path, _LIST_TYPE, "array", LIST_TYPES)
    if schema.get(_KEYS) and schema.get(_LIST_TYPE) != "map":
        place, given = (*path, _LIST_TYPE), schema.get(_LIST_TYPE)
        wrong = f"Invalid value: {go_value(given)}" if given else "Required value"
        printed = answer(place, f"{wrong}: must be map if {_KEYS} is non-empty")
        message = f"'{_KEYS}' needs '{_LIST_TYPE}: map'"
        yield StructuralProblem((*path, _KEYS), message, printed, absent="" if given else _LIST_TYPE)
    if schema.get("type") == "array":
        yield from _items(schema, path)


def _format(name: str, path: Path) -> Iterator[StructuralProblem]:
    """Yield the problem of a misspelt format: the API server accepts any, and checks only its own."""
    known = formats_of("")
    if name.replace("-", "") in CHECKS or name in known:
        return
    meant = closest(name, known)
    if meant:
        message = f"'{name}' is not a format; did you mean '{meant}'?"
        yield StructuralProblem((*path, "format"), message, f'unrecognized format "{name}"', meant=meant, at_value=True)


def _default(schema: JsonObject, path: Path) -> Iterator[StructuralProblem]:
    """Yield the problems of a default by the type and the enum of its schema, not by patterns and limits."""
    default, own_type, allowed = schema["default"], schema.get("type"), as_list(schema.get("enum"))
    place, fitting = (*path, "default"), JSON_TYPES[type(default)]
    if isinstance(own_type, str) and own_type in TYPES and own_type not in fitting:
        message = f"the default must be {TYPE_WORDS[own_type]}, not {TYPE_WORDS[fitting[0]]}"
        printed = f'Invalid value: "{fitting[0]}":  in body must be of type {own_type}: "{fitting[0]}"'
        yield StructuralProblem(place, message, answer(place, printed), at_value=True)
    elif allowed and isinstance(default, str | int | float) and default not in allowed:
        message = f"the default {go_value(default)} is not one of the values in 'enum'"
        printed = f"Unsupported value: {go_value(default)}: supported values: {', '.join(map(go_value, allowed))}"
        yield StructuralProblem(place, message, answer(place, printed), at_value=True)


def _topology(
    schema: JsonObject, path: Path, keyword: str, type_name: str, known: tuple[str, ...]
) -> Iterator[StructuralProblem]:
    given = schema.get(keyword)
    if not isinstance(given, str):
        return
    own_type, place = schema.get("type"), (*path, keyword)
    if isinstance(own_type, str) and own_type != type_name:
        printed = f"Invalid value: {go_quoted(own_type)}: must be {type_name} if {keyword} is specified"
        message = f"'{keyword}' is only allowed on the type {type_name}"
        yield StructuralProblem(place, message, answer((*path, "type"), printed))
    if given not in known:
        meant = closest(given, known)
        expected = f"did you mean '{meant}'?" if meant else f"expected {listed(known)}"
        supported = ", ".join(map(go_quoted, sorted(known)))
        printed = answer(place, f"Unsupported value: {go_quoted(given)}: supported values: {supported}")
        message = f"'{given}' is not a value of '{keyword}'; {expected}"
        yield StructuralProblem(place, message, printed, meant=meant or "", at_value=True)


def _items(schema: JsonObject, path: Path) -> Iterator[StructuralProblem]:
    """Yield the problems of a list that is a set or a map."""
    list_type, items = schema.get(_LIST_TYPE), as_object(schema.get("items"))
    if list_type not in ("set", "map") or not items:
        if list_type == "map" and not schema.get(_KEYS):
            yield _without_keys(path)
        return
    if items.get("nullable") is True:
        place = (*path, "items", "nullable")
        printed = f"Forbidden: cannot be nullable when {_LIST_TYPE} is {list_type}"
        yield StructuralProblem(place, f"the items of a {list_type} cannot be nullable", answer(place, printed))
    if list_type == "set":
        yield from _items_of_set(items, (*path, "items"))
    else:
        yield from _items_of_map(schema, items, path)


def _without_keys(path: Path) -> StructuralProblem:
    printed = answer((*path, _KEYS), f"Required value: must not be empty if {_LIST_TYPE} is map")
    message = f"the list type 'map' needs '{_KEYS}', the fields that tell the items apart"
    return StructuralProblem((*path, _LIST_TYPE), message, printed, absent=_KEYS)


def _items_of_set(items: JsonObject, path: Path) -> Iterator[StructuralProblem]:
    for type_name, keyword, default in (("array", _LIST_TYPE, "atomic"), ("object", _MAP_TYPE, "granular")):
        if items.get("type") == type_name and items.get(keyword, default) != "atomic":
            printed = f"must be atomic as item of a list with {_LIST_TYPE}=set"
            what = "a list" if type_name == "array" else "an object"
            message = f"an item of a set that is {what} needs '{keyword}: atomic'"
            yield StructuralProblem(path, message, answer((*path, keyword), printed), absent=keyword)


def _items_of_map(schema: JsonObject, items: JsonObject, path: Path) -> Iterator[StructuralProblem]:
    keys, own_type = as_texts(schema.get(_KEYS)), items.get("type")
    if not keys:
        yield _without_keys(path)
    if own_type != "object":
        if own_type:
            place = (*path, "items", "type")
            printed = f"Invalid value: {go_value(own_type)}: must be object if parent array's {_LIST_TYPE} is map"
            message = "the items of a list with the list type 'map' must be objects"
            yield StructuralProblem(place, message, answer(place, printed), at_value=True)
        return
    fields = as_object(items.get("properties"))
    for number, key in enumerate(keys):
        place = (*path, _KEYS, number)
        if key not in fields:
            meant = closest(key, tuple(fields))
            advice = f"; did you mean '{meant}'?" if meant else ""
            printed = answer(
                (*path, _KEYS), f"Invalid value: {go_value([*keys])}: entries must all be names of item properties"
            )
            yield StructuralProblem(
                place, f"the items have no field '{key}'{advice}", printed, meant=meant or "", at_value=True
            )
        else:
            yield from _map_key(key, as_object(fields[key]), items, place, (*path, "items", "properties", key))
        if key in keys[:number]:
            printed = answer((*path, _KEYS), f"Invalid value: {go_value([*keys])}: must not contain duplicate entries")
            yield StructuralProblem(place, f"the key '{key}' is there twice", printed, at_value=True)


def _map_key(key: str, field: JsonObject, items: JsonObject, place: Path, path: Path) -> Iterator[StructuralProblem]:
    if field.get("type") in ("array", "object"):
        printed = f"must be a scalar type if parent array's {_LIST_TYPE} is map"
        message = f"the key '{key}' must be a scalar, not a list or an object"
        yield StructuralProblem(place, message, answer((*path, "type"), printed), at_value=True)
    if key not in as_texts(items.get("required")) and field.get("default") is None:
        printed = f"Required value: this property is in {_KEYS}, so it must have a default or be a required property"
        message = f"the key '{key}' must be required in the items or have a default"
        yield StructuralProblem(place, message, answer((*path, "default"), printed), at_value=True)
    if field.get("nullable") is True:
        printed = f"Forbidden: this property is in {_KEYS}, so it cannot be nullable"
        message = f"the key '{key}' cannot be nullable"
        yield StructuralProblem((*path, "nullable"), message, answer((*path, "nullable"), printed))
