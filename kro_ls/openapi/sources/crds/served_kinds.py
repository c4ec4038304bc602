"""What a CustomResourceDefinition, as plain data, adds to the API of a cluster: kinds, with the schemas it publishes.

Source of the published schemas: k8s.io/apiextensions-apiserver, pkg/controller/openapi/builder/builder.go.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from kro_ls.openapi.json_values import JsonObject, JsonValue, as_list, as_object, as_text
from kro_ls.openapi.kind_schema import CRD, GroupVersionKind, KindSchema
from kro_ls.openapi.well_formed import well_formed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.validation.field_errors import Path


_TYPE_META: JsonObject = {
    "apiVersion": {
        "description": "The group and version of the API that this object is written for, such as `apps/v1`.",
        "type": "string",
    },
    "kind": {"description": "The kind of this object, such as `Deployment`.", "type": "string"},
}


def published_schema(declared: JsonObject, object_meta: JsonObject) -> JsonObject:
    """Return an `openAPIV3Schema` with full type and object metadata, at the root and in embedded resources.

    An int-or-string field has both types in `anyOf` as well. What does not change is shared with `declared`.
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
    """Return an int-or-string schema with the types spelled out (pkg/apiserver/schema/unfold.go)."""
    both: list[JsonValue] = [{"type": "integer"}, {"type": "string"}]
    all_of = as_list(schema.get("allOf"))
    if schema.get("anyOf") == both or (all_of and as_object(all_of[0]).get("anyOf") == both):
        return schema
    if "anyOf" in schema:
        return {**schema, "allOf": [{"anyOf": both}, *all_of]}
    return {**schema, "anyOf": both}


KIND, GROUP, API_VERSION = CRD.kind, CRD.group, CRD.api_version

# The schema of a version that declares none: it allows all fields.
_OPEN: JsonObject = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}


def definitions_in(document: JsonValue) -> Iterator[tuple[Path, JsonObject]]:
    """Yield the definitions in a document, which is one or a List of them, with their paths."""
    root = as_object(document)
    candidates: list[tuple[Path, JsonObject]] = [((), root)]
    if as_text(root.get("kind")).endswith("List"):
        candidates = [(("items", place), as_object(item)) for place, item in enumerate(as_list(root.get("items")))]
    for path, candidate in candidates:
        group = as_text(candidate.get("apiVersion")).partition("/")[0]
        if candidate.get("kind") == KIND and group in (GROUP, ""):
            yield path, candidate


def served_versions(definition: JsonObject) -> Iterator[tuple[GroupVersionKind, JsonObject]]:
    """Yield the kinds that a definition adds to the API, each with its entry in the list of versions."""
    spec = as_object(definition.get("spec"))
    names = as_object(spec.get("names"))
    group, kind = as_text(spec.get("group")), as_text(names.get("kind"))
    if definition.get("apiVersion") != API_VERSION or not (group and kind and as_text(names.get("plural"))):
        return
    for version in map(as_object, as_list(spec.get("versions"))):
        name = GroupVersionKind(group, as_text(version.get("name")), kind)
        if version.get("served") is True and name.version:
            yield name, version


def deprecation_of(name: GroupVersionKind, version: JsonObject) -> str | None:
    """Return the warning against a deprecated version, None for any other."""
    if version.get("deprecated") is not True:
        return None
    return as_text(version.get("deprecationWarning")) or f"{name} is deprecated"


def served_kinds(definition: JsonObject, source: str, object_meta: JsonObject) -> Iterator[KindSchema]:
    """Yield the kinds that a definition adds to the API, one per served version; incomplete ones are left out.

    `source` is where the definition is from; `object_meta` is the schema of Kubernetes' ObjectMeta.
    """
    spec = as_object(definition.get("spec"))
    plural = as_text(as_object(spec.get("names")).get("plural"))
    for name, version in served_versions(definition):
        deprecation = deprecation_of(name, version)
        declared = as_object(version.get("schema")).get("openAPIV3Schema")
        declared = _OPEN if declared is None else well_formed(declared) or _OPEN
        yield KindSchema(
            name,
            plural,
            spec.get("scope") != "Cluster",
            tuple(sorted(as_object(version.get("subresources")))),
            source,
            partial(published_schema, declared, object_meta),
            deprecation,
            declared,
            columns=columns_of(version),
        )


def columns_of(version: JsonObject) -> tuple[str, ...]:
    """Return the JSON paths of the printer columns that a version of a definition declares."""
    columns = map(as_object, as_list(version.get("additionalPrinterColumns")))
    return tuple(as_text(each.get("jsonPath")) for each in columns)
