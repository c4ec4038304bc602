"""Markers of one field that kro accepts and that contradict each other: crossed bounds, a default that is not allowed.

Kubernetes checks every default against its schema, rules in CEL included, and refuses the CRD. It also refuses sets and
maps whose items do not fit (k8s.io/apiextensions-apiserver, pkg/apis/apiextensions/validation/validation.go).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kro_ls.analysis.simpleschema.application import value_span
from kro_ls.analysis.simpleschema.results import FieldError, Marker
from kro_ls.openapi.json_values import copy_json
from kro_ls.openapi.validation.number_errors import MAX_INT, MIN_INT, cut
from kro_ls.openapi.validation.plain import a_type
from kro_ls.shortening import shortened

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.kro.versions.dialect import SchemaDialect
    from kro_ls.yaml_positions.positions import Span

_BOUNDS = (("minimum", "maximum"), ("minLength", "maxLength"), ("minItems", "maxItems"))
_LAST_COUNTS = frozenset(
    "default description minimum maximum enum pattern minLength maxLength minItems maxItems".split()
)
_PAST_INT64 = 2**63
_GREATEST_WHOLE_FLOAT = 2**53 - 1
_CHECKED_OF_SCALARS = frozenset({"pattern", "x-kubernetes-validations"})
_JSON_TYPES: dict[str, type | tuple[type, ...]] = {
    "string": str,
    "integer": (int, float),
    "number": (int, float),
    "boolean": bool,
    "array": list,
    "object": dict,
}


def contradictions(markers: tuple[Marker, ...], schema: dict[str, Any], dialect: SchemaDialect) -> Iterator[FieldError]:
    """Yield warnings about the markers of a field; `schema` is the field's schema with the markers applied.

    What a custom type brings along is only looked at together with a marker of the field itself.
    """
    last = {marker.name: marker for marker in markers if not marker.damaged}
    openapi_type = schema.get("type")
    if openapi_type is None:  # the type is unknown, and that is reported
        return
    yield from _overridden(markers, last, _LAST_COUNTS if dialect.adds_rules else _LAST_COUNTS | {"validation"})
    for low, high in _BOUNDS:
        marker = last.get(high) or last.get(low)
        if marker is not None and low in schema and high in schema and schema[low] > schema[high]:
            message = f"'{low}' is {schema[low]} and '{high}' is {schema[high]}, so no value is allowed"
            yield FieldError(marker.span, message, "", "contradicting-markers")
    if openapi_type == "integer":
        yield from _unfit_bounds(last, schema)
    elif openapi_type != "number":
        for name in ("minimum", "maximum"):
            if marker := last.get(name):
                message = f"'{name}' has no effect; it is for numbers, and the type is {openapi_type}"
                yield FieldError(marker.key_span, message, "", "marker-without-effect")
    marker = last.get("default")
    if marker is not None and "default" in schema and schema["default"] is None:
        message = "'default' has no effect; for Kubernetes 'null' is no default"
        at = marker.value_span if marker.value else marker.span
        yield FieldError(at, message, "", "marker-without-effect")
    if schema.get("default") is not None:
        yield from _default_warnings(last, schema, schema["default"])


def _unfit_bounds(last: dict[str, Marker], schema: dict[str, Any]) -> Iterator[FieldError]:
    """Yield the bounds that no integer can be compared with: the API server refuses every value then."""
    for name in ("minimum", "maximum"):
        bound = schema.get(name)
        marker = last.get(name) or last.get("default")
        if marker is None or bound is None or (bound == int(bound) and MIN_INT <= float(bound) <= MAX_INT):
            continue
        is_default_refused = "default" in schema
        effect = "Kubernetes will refuse the CRD" if is_default_refused else "no value is allowed"
        message = f"the {name} {bound} is no whole number of 64 bits; {effect}"
        yield FieldError(marker.span, message, "", "refused-default" if is_default_refused else "contradicting-markers")


def _overridden(
    markers: tuple[Marker, ...], last: dict[str, Marker], last_counts: frozenset[str]
) -> Iterator[FieldError]:
    for marker in markers:
        if marker.name in last_counts and not marker.damaged and last[marker.name] is not marker:
            message = f"'{marker.name}' has no effect; it is given again, and the last one counts"
            yield FieldError(marker.span, message, "", "marker-without-effect")


def _default_warnings(last: dict[str, Marker], schema: dict[str, Any], default: Any) -> Iterator[FieldError]:
    """Yield why the API server refuses the default, at the default, or else at the marker that forbids it."""
    marker = last.get("default")
    expected = _JSON_TYPES[schema["type"]]
    is_whole = schema["type"] != "integer" or _is_whole(default)
    if not (is_whole and isinstance(default, expected)) or (isinstance(default, bool) and schema["type"] != "boolean"):
        if marker is not None:
            yield _refused(marker, f"is not {a_type(schema['type'])}")
        return
    values = schema.get("enum")
    if values is not None and default not in values and (at := marker or last.get("enum")):
        yield _refused(at, "is not one of the enum's values", *map(str, values))
        return
    for name, size in _sizes(default).items():
        bound = schema.get(name)
        if bound is not None and schema["type"] == "number" and isinstance(size, int):
            bound = cut(float(bound))
        at = marker or last.get(name)
        if bound is not None and at is not None and (size < bound if name.startswith("min") else size > bound):
            yield _refused(at, f"is not allowed, {name} is {bound}")
            return
    if at := marker or last.get("validation") or last.get("pattern"):
        yield from _further_warnings(at, schema, default)


def _is_whole(number: Any) -> bool:
    """Whether a JSON number is an integer for the API server: `1.0` is one, what does not fit 64 bits is none."""
    if isinstance(number, float):
        return number.is_integer() and abs(number) <= _GREATEST_WHOLE_FLOAT
    return not isinstance(number, int) or -_PAST_INT64 <= number < _PAST_INT64


def _further_warnings(marker: Marker, schema: dict[str, Any], default: Any) -> Iterator[FieldError]:
    """Yield what else the API server has against a default. It fills in no other default, and looks at no sets."""
    if not (schema.keys() & _CHECKED_OF_SCALARS or isinstance(default, list | dict)):
        return
    # Only needed for the few defaults that are not plain scalars.
    from kro_ls.openapi.rules.evaluation import rule_errors
    from kro_ls.openapi.validation.field_errors import place_of
    from kro_ls.openapi.validation.keywords import keyword_errors
    from kro_ls.openapi.validation.plain import plain
    from kro_ls.openapi.validation.structural_values import prune

    for path in prune(copy_json(default), schema):
        yield _refused(marker, f"has an unknown field, '{place_of(path)}'")
    errors = keyword_errors({"default": default}, {"type": "object", "properties": {"default": schema}})
    for error in errors or rule_errors({"default": default}, {"type": "object", "properties": {"default": schema}}):
        yield _refused(marker, f"is refused: {plain(error)}")


def _sizes(value: Any) -> dict[str, int | float]:
    if isinstance(value, bool | dict):
        return {}
    if isinstance(value, int | float):
        return {"minimum": value, "maximum": value}
    suffix = "Items" if isinstance(value, list) else "Length"
    return {f"min{suffix}": len(value), f"max{suffix}": len(value)}


def _refused(marker: Marker, reason: str, *suggestions: str) -> FieldError:
    span = value_span(marker)
    shown = f" '{shortened(marker.value)}'" if marker.name == "default" else ""
    replacements = suggestions[:5] if marker.name == "default" and span == marker.value_span else ()
    message = f"the default{shown} {reason}; Kubernetes will refuse the CRD"
    return FieldError(span, message, "", "refused-default", replacements)


CODE = "invalid-list-markers"

_LIST_TYPE_MARKERS = ("listType", "uniqueItems")


def list_warnings(markers: tuple[Marker, ...], schema: dict[str, Any]) -> Iterator[FieldError]:
    """Yield why the API server will refuse a list with these markers; nothing where they do not make it set or map.

    `schema` is the field's schema with the markers applied. What a custom type brings along is not looked at: it is
    found where that type is declared.
    """
    items = schema.get("items", {})
    item_type = items.get("type")
    marker = next((marker for marker in reversed(markers) if marker.name in _LIST_TYPE_MARKERS), None)
    if marker is None or item_type is None:
        return
    list_type = schema.get("x-kubernetes-list-type")
    if list_type == "map":
        yield from _map_warnings(marker.span, markers, schema.get("x-kubernetes-list-map-keys", []), items)
    elif list_type == "set" and item_type == "object":
        yield _warning(marker.span, "the items of a set cannot be objects; use 'listType=map' with a 'listMapKey'")
    elif list_type == "set" and items.get("x-kubernetes-list-type", "atomic") != "atomic":
        yield _warning(marker.span, "the items of a set cannot be sets or maps themselves")


def _map_warnings(
    at: Span, markers: tuple[Marker, ...], keys: list[str], items: dict[str, Any]
) -> Iterator[FieldError]:
    if items["type"] != "object":
        yield _warning(at, "the items of a list with 'listType=map' must be objects")
        return
    if not keys:
        yield _warning(at, "'listType=map' needs a 'listMapKey', the field that tells the items apart")
    properties = items.get("properties", {})
    for marker in markers:
        if marker.name != "listMapKey":
            continue
        key = marker.value
        if key not in properties:
            yield _warning(marker.value_span, f"the items have no field '{key}'", *properties)
        elif properties[key].get("type") in ("array", "object"):
            yield _warning(marker.value_span, f"the key '{key}' must be a scalar, not a list or an object")
        elif key not in items.get("required", []) and "default" not in properties[key]:
            yield _warning(marker.value_span, f"the key '{key}' must be required or have a default in the items")


def _warning(span: Span, message: str, *suggestions: str) -> FieldError:
    return FieldError(span, f"{message}; Kubernetes will refuse the CRD", "", CODE, suggestions[:5])
