"""Lists that kro declares and Kubernetes refuses: sets and maps whose items do not fit.

Source: k8s.io/apiextensions-apiserver, pkg/apis/apiextensions/validation/validation.go.
"""

from collections.abc import Iterator
from typing import Any

from kro_ls.analysis.simpleschema.syntax import FieldError, Marker
from kro_ls.yaml_positions.positions import Span

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
