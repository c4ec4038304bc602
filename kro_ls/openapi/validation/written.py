"""What is written in YAML, as a value to validate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.openapi.json_values import as_object
from kro_ls.yaml_positions.access import entries_by_name, resolved
from kro_ls.yaml_positions.nodes import Mapping, Scalar, Sequence

if TYPE_CHECKING:
    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.yaml_positions.nodes import Node


def value_for(node: Node | None, schema: JsonObject) -> JsonValue:
    """Return the value of a tree as far as a schema looks into it: where it knows no fields or items, none are there.

    So the cost is that of the fields the schema knows, whatever stands in the others. An error's path in the value is
    the path of a node in the tree (`yaml_positions.access.node_at`).
    """
    node = resolved(node)
    if isinstance(node, Scalar):
        return node.value
    if isinstance(node, Mapping):
        return _object(node, schema)
    if isinstance(node, Sequence):
        items = schema.get("items")
        return [value_for(item, items) for item in node.items] if isinstance(items, dict) else []
    return None


def _object(mapping: Mapping, schema: JsonObject) -> JsonObject:
    known, others = as_object(schema.get("properties")), as_object(schema.get("additionalProperties"))
    if not known and not others:
        return {}
    written = entries_by_name(mapping).items()
    return {name: value_for(entry.value, as_object(known.get(name, others))) for name, entry in written}
