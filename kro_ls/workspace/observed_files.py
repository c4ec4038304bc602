"""Documents in which a client edits what the cluster says of a resource's objects, for a preview.

Such a document has no file. Its URI names the kind of the objects, and its YAML has one document for each object, with
everything but its identity: `kro-observed:/apps/v1/Deployment/KEY/web.yaml`. KEY is the client's own.
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
"""What can be said of an object whose kind is unknown."""


def observed_kind(uri: str) -> tuple[str, str] | None:
    """Return the `apiVersion` and the kind that a URI names, None for the URI of any other document."""
    scheme, _, path = uri.partition(":")
    *api_version, kind = unquote(path).strip("/").split("/")[:-_STEPS_AFTER_KIND] or [""]
    return ("/".join(api_version), kind) if scheme == SCHEME else None


def observed_schema(api_version: str, kind: str, schemas: SchemaIndex) -> JsonObject:
    """Return the schema of what the cluster can say of an object: that of its kind without the identity."""
    found = schemas.find_api_version(api_version, kind)
    if found is None:
        return _ANY_KIND
    properties = as_object(found.schema.get("properties"))
    rest = {name: inner for name, inner in properties.items() if name not in _IDENTITY}
    return {**found.schema, "properties": rest, "required": []}
