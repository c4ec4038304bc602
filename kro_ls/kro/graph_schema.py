"""The schema of kind Graph, as far as the commits before kro 0.10 have it (kro `helm/crds/kro.run_graphs.yaml`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kro_ls.kro.forms import API_VERSION, GRAPH_FORM
from kro_ls.kro.identifiers import NODE_ID
from kro_ls.kro.rgd_schema import EXTERNAL_REFERENCE
from kro_ls.openapi.json_values import as_object

if TYPE_CHECKING:
    from kro_ls.openapi.json_values import HeldObject, JsonObject

PATCH_METADATA_REFUSED: Final = ("ownerReferences", "finalizers", "deletionTimestamp", "uid")
"""The fields that a patch may not set on an object that it does not own."""

_OPEN: JsonObject = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
_STRINGS: JsonObject = {"type": "array", "items": {"type": "string"}}

_FIELDS: JsonObject = {
    "id": {"type": "string", "pattern": NODE_ID, "description": "What expressions call the node."},
    "template": {**_OPEN, "description": "An object that the Graph makes and owns."},
    "ref": {**EXTERNAL_REFERENCE, "description": "An object that is only read, or those that a selector finds."},
    "def": {**_OPEN, "description": "Computed data, for other expressions to read."},
    "patch": {**_OPEN, "description": "Fields of an object that is there already and is not owned."},
    "graph": {
        **_OPEN,
        "description": "A graph in the Graph: its nodes see those outside, which see them as `graph.node`.",
        "properties": {"nodes": {"type": "array", "items": {}, "description": "The nodes of the child graph."}},
    },
    "includeWhen": {**_STRINGS, "description": "Conditions without which the node is left out."},
    "readyWhen": {**_STRINGS, "description": "Conditions under which the node is ready; they hold nothing up."},
    "forEach": {
        "description": "Iterators: the node has an object, or data, for each combination of their values.",
        "type": "array",
        "items": {
            "type": "object",
            "additionalProperties": {"type": "string"},
            "minProperties": 1,
            "maxProperties": 1,
        },
    },
}

NODE: Final[JsonObject] = {"type": "object", "required": ["id"], "properties": _FIELDS}

CHILD_GRAPH: Final[JsonObject] = {
    "type": "object",
    "properties": {
        "nodes": {"type": "array", "items": {"type": "object", "properties": {**_FIELDS, "id": {"type": "string"}}}},
        "serviceAccountName": {"type": "string"},
    },
}
"""The fields of a child graph in the schema; kro checks the others itself."""

_SPEC: JsonObject = {
    "type": "object",
    "required": ["nodes"],
    "properties": {
        "nodes": {"type": "array", "minItems": 1, "items": NODE},
        "serviceAccountName": {
            "type": "string",
            "maxLength": 253,
            "pattern": r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$",
        },
    },
}


def graph_schema(object_meta: HeldObject) -> JsonObject:
    """Return the schema of a Graph as it is written, with the schema of Kubernetes' ObjectMeta."""
    texts: dict[str, JsonObject] = {"apiVersion": {"enum": [API_VERSION]}, "kind": {"enum": [GRAPH_FORM.kind]}}
    own = {name: {"type": "string", **as_object(each)} for name, each in texts.items()}
    return {
        "type": "object",
        "required": ["spec"],
        "properties": {**own, "metadata": object_meta.value, "spec": _SPEC, "status": _OPEN},
    }
