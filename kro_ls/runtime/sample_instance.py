"""An instance for those who give none: every field of its schema with a value that is allowed there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.openapi.json_values import as_object
from kro_ls.runtime.compiled import INSTANCE, compile_graph
from kro_ls.runtime.graph_demands import graph_demands
from kro_ls.runtime.instance import instance_kind
from kro_ls.runtime.instance_sample import sample_fields, sample_value

if TYPE_CHECKING:
    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.runtime.demands import Demand


def instance_demand(rgd: RgdAnalysis) -> Demand:
    """Return what the expressions of an RGD ask of its instances."""
    return graph_demands(compile_graph(rgd))[INSTANCE]


def empty_instance(rgd: RgdAnalysis) -> JsonObject:
    """Return an instance in which no field is set, an empty object for an RGD that declares no kind."""
    kind = instance_kind(rgd)
    if kind is None:
        return {}
    metadata: JsonObject = {"name": "example"}
    if kind.namespaced:
        metadata["namespace"] = "default"
    return {"apiVersion": kind.api_version, "kind": kind.kind, "metadata": metadata, "spec": {}}


def sample_instance(rgd: RgdAnalysis) -> JsonObject:
    """Return an instance with every field set, an empty object for an RGD that declares no kind."""
    kind = instance_kind(rgd)
    if kind is None:
        return {}
    schema = as_object(as_object(kind.schema.get("properties")).get("spec"))
    fields = sample_fields(schema, instance_demand(rgd).fields.get("spec"))
    spec: JsonObject = {field.name: sample_value(field) for field in fields}
    return {**empty_instance(rgd), "spec": spec}
