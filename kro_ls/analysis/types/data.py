"""What expressions see of the data of a `def` node, as kro infers it (kro `pkg/graphengine/compiler/typeinfer.go`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from kro_ls.openapi.json_values import HeldObject
from kro_ls.queries.cells import cached
from kro_ls.yaml_positions.access import field, text_of
from kro_ls.yaml_positions.conversion import ExcessiveAliasingError, to_python

if TYPE_CHECKING:
    from kro_ls.analysis.model.model import Resource
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.openapi.kind_schema import KindSchema

# What a schema says that Kubernetes gives no type.
_ANY: Final[JsonObject] = {"x-kubernetes-int-or-string": True}

_LARGEST_INTEGER = 2**63


@cached
def data_schema(resource: Resource) -> HeldObject | None:
    """Return the schema of the data of a `def` node, None for any other resource."""
    if resource.data is None:
        return None
    try:
        value = to_python(resource.data)
    except ExcessiveAliasingError:  # reported where the YAML is read
        return None
    return HeldObject(_inferred(value)) if isinstance(value, dict) else None


def is_untyped(resource: Resource) -> bool:
    """Whether kro gives a node of a Graph no type: a child graph, and an object whose kind an expression tells."""
    if resource.form.has_nodes or not resource.form.defers_types:
        return resource.form.has_nodes
    names = (text_of(field(resource.object, name)) for name in ("apiVersion", "kind"))
    return any(name is not None and "${" in name for name in names)


def value_schema(resource: Resource, kind: KindSchema | None) -> JsonObject | None:
    """Return the schema of one value of a resource, None where it is not known."""
    if resource.form.is_patch:
        return None
    data = data_schema(resource)
    if data is not None:
        return data.value
    return kind.schema if kind else None


def _inferred(value: Any) -> JsonObject:
    match value:
        case bool():
            return {"type": "boolean"}
        case int() | float():
            is_whole = -_LARGEST_INTEGER <= value < _LARGEST_INTEGER and value == int(value)
            return {"type": "integer" if is_whole else "number"}
        case str() if "${" not in value:
            return {"type": "string"}
        case dict():
            return {"type": "object", "properties": {name: _inferred(each) for name, each in value.items()}}
        case list():
            elements = [_inferred(each) for each in value]
            is_alike = bool(elements) and all(each == elements[0] for each in elements)
            return {"type": "array", "items": elements[0] if is_alike else _ANY}
    return _ANY
