"""Documents with what a cluster reports of a resource's objects, which a client that shows a preview can edit.

Such a document has no file. Its URI names the kind of the objects, and its YAML has one document for each, without its
identity: `kro-observed:/apps/v1/Deployment/KEY/web.yaml`, where KEY is chosen by the client.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

from kro_ls.openapi.json_values import as_object

if TYPE_CHECKING:
    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.openapi.json_values import JsonObject

SCHEME: Final = "kro-observed"

_IDENTITY: Final = ("apiVersion", "kind", "metadata")
_STEPS_AFTER_KIND: Final = 2

_ANY_KIND: Final[JsonObject] = {
    "type": "object",
    "properties": {
        "status": {
            "type": "object",
            "description": "What the controller of the kind reports.",
            "x-kubernetes-preserve-unknown-fields": True,
        },
    },
    "x-kubernetes-preserve-unknown-fields": True,
}
"""The schema of the state of an object whose kind is unknown."""


def observed_kind(uri: str) -> tuple[str, str]:
    """Return the `apiVersion` and the kind that the URI of such a document names."""
    *api_version, kind = unquote(uri.partition(":")[2]).strip("/").split("/")[:-_STEPS_AFTER_KIND] or [""]
    return "/".join(api_version), kind


def observed_schema(uri: str, schemas: SchemaIndex) -> JsonObject:
    """Return the schema of the objects in such a document: that of their kind without the identity."""
    found = schemas.find_api_version(*observed_kind(uri))
    if found is None:
        return _ANY_KIND
    properties = as_object(found.schema.get("properties"))
    rest = {name: inner for name, inner in properties.items() if name not in _IDENTITY}
    return {**found.schema, "properties": rest, "required": []}
