"""From the schema that a CustomResourceDefinition declares to the one that the API server publishes for the kind.

Source: k8s.io/apiextensions-apiserver, pkg/controller/openapi/builder/builder.go.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.openapi.json_values import as_list, as_object

if TYPE_CHECKING:
    from kro_ls.openapi.json_values import JsonObject, JsonValue

_TYPE_META: JsonObject = {
    "apiVersion": {
        "description": "The group and version of the API that this object is written for, such as `apps/v1`.",
        "type": "string",
    },
    "kind": {"description": "The kind of this object, such as `Deployment`.", "type": "string"},
}


def published_schema(declared: JsonObject, object_meta: JsonObject) -> JsonObject:
    """`declared` (an `openAPIV3Schema`) with the real type and object metadata, at the root and in embedded resources.

    An int-or-string field says so in `anyOf` too. Whatever does not change is shared with `declared`.
    """
    return _with_metadata(_descend(declared, object_meta), object_meta)


def _with_metadata(schema: JsonObject, object_meta: JsonObject) -> JsonObject:
    declared = as_object(schema.get("properties"))
    described = {name: declared.get(name) or _TYPE_META[name] for name in _TYPE_META}
    metadata = {**object_meta, "description": "Name, namespace, labels, annotations and other data about the object."}
    return {**schema, "properties": {**declared, **described, "metadata": metadata}}


def _descend(schema: JsonObject, object_meta: JsonObject) -> JsonObject:
    changed: JsonObject = {}
    properties = schema.get("properties")
    if isinstance(properties, dict):
        children: JsonObject = {name: _child(child, object_meta) for name, child in properties.items()}
        if any(children[name] is not properties[name] for name in properties):
            changed["properties"] = children
    for keyword in ("items", "additionalProperties"):
        child = schema.get(keyword)
        replaced = _child(child, object_meta)
        if replaced is not child:
            changed[keyword] = replaced
    return {**schema, **changed} if changed else schema


def _child(schema: JsonValue, object_meta: JsonObject) -> JsonValue:
    if not isinstance(schema, dict):
        return schema
    result = _descend(schema, object_meta)
    if result.get("x-kubernetes-int-or-string") is True:
        return _with_both_types(result)
    if result.get("x-kubernetes-embedded-resource") is True:
        required: list[JsonValue] = list(as_list(result.get("required")))
        required += [name for name in ("kind", "apiVersion") if name not in required]
        return {**_with_metadata(result, object_meta), "required": required}
    return result


def _with_both_types(schema: JsonObject) -> JsonObject:
    """An int-or-string schema with the types spelled out (pkg/apiserver/schema/unfold.go)."""
    both: list[JsonValue] = [{"type": "integer"}, {"type": "string"}]
    all_of = as_list(schema.get("allOf"))
    if schema.get("anyOf") == both or (all_of and as_object(all_of[0]).get("anyOf") == both):
        return schema
    if "anyOf" in schema:
        return {**schema, "allOf": [{"anyOf": both}, *all_of]}
    return {**schema, "anyOf": both}
