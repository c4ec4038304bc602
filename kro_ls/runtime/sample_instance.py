"""An instance for those who give none: every field of its schema with a value that is allowed there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.crd.sample import sample_fields, sample_value
from kro_ls.openapi.json_values import as_object
from kro_ls.runtime.instance import instance_kind

if TYPE_CHECKING:
    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.openapi.json_values import JsonObject


def sample_instance(rgd: RgdAnalysis) -> JsonObject:
    """Return an instance, an empty object for an RGD that declares no kind."""
    kind = instance_kind(rgd)
    if kind is None:
        return {}
    metadata: JsonObject = {"name": "example"}
    if kind.namespaced:
        metadata["namespace"] = "default"
    schema = as_object(as_object(kind.schema.get("properties")).get("spec"))
    spec: JsonObject = {field.name: sample_value(field) for field in sample_fields(schema)}
    return {"apiVersion": kind.api_version, "kind": kind.kind, "metadata": metadata, "spec": spec}
