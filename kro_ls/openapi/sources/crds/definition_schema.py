"""The schema of CustomResourceDefinitions, in which a schema can hold others to any depth.

What Kubernetes publishes of the kind is cut there, because a schema without references cannot tell it, and so kro's is;
but kro reads no literal of such a template, and the API server does (k8s.io/apiextensions-apiserver,
pkg/apis/apiextensions/v1/types_jsonschema.go).
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from kro_ls.openapi.json_values import HeldObject, as_object
from kro_ls.openapi.kind_schema import CRD
from kro_ls.openapi.sources.bundled import kubernetes
from kro_ls.openapi.sources.crds.schema_keywords import BRANCHES, KEYWORDS, OPEN, SCHEMA

if TYPE_CHECKING:
    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.openapi.kind_schema import KindSchema

_WAY: Final = ("properties", "spec", "properties", "versions", "items", "properties", "schema", "properties")
_DESCRIPTION: Final = "A schema: what a value must be like."


def full_schema(kind: KindSchema) -> JsonObject:
    """Return the schema of a kind; of CustomResourceDefinitions one that leads back to itself, which is endless."""
    return definition_schema(HeldObject(kind.schema)) if kind.name == CRD else kind.schema


@lru_cache(maxsize=8)  # one for each minor of Kubernetes in use
def definition_schema(published: HeldObject) -> JsonObject:
    """Return a published schema of CustomResourceDefinitions with schemas of any depth in it."""
    return _with_nested(published.value, _WAY)


def newest_schema() -> JsonObject:
    """Return the schema of CustomResourceDefinitions in the newest Kubernetes that is bundled."""
    kind = kubernetes().find(CRD)
    return full_schema(kind) if kind else {}


def _with_nested(schema: JsonObject, way: tuple[str, ...]) -> JsonObject:
    if way:
        return {**schema, way[0]: _with_nested(as_object(schema.get(way[0])), way[1:])}
    return {**schema, SCHEMA: _nested(as_object(schema.get(SCHEMA)))}


def _nested(cut: JsonObject) -> JsonObject:
    """Return the schema of schemas, which refers to itself wherever the published one is cut."""
    known = as_object(cut.get("properties"))
    keywords: JsonObject = {}
    nested: JsonObject = {**cut, "description": _DESCRIPTION, "type": "object", "properties": keywords}
    map_of: JsonObject = {"type": "object", "additionalProperties": nested}
    list_of: JsonObject = {"type": "array", "items": nested}
    forms: dict[str, JsonObject] = {
        "properties": map_of,
        "items": nested,
        "not": nested,
        "additionalProperties": {"oneOf": [{"type": "object"}, {"type": "boolean"}], "properties": keywords},
        "default": {OPEN: True},
        "example": {OPEN: True},
        "enum": {"type": "array", "items": {OPEN: True}},
        **dict.fromkeys(BRANCHES, list_of),
    }
    for name in dict.fromkeys((*KEYWORDS, *known)):
        form: JsonValue = forms.get(name) or known.get(name)
        if isinstance(form, dict):
            keywords[name] = {**form, **KEYWORDS.get(name, {})}
    return nested
