"""A sample instance of a definition: every field of `spec` with a value that its CRD allows, ready to be edited.

As far as the schema leaves the choice, values are as the expressions of the definition and the rules of its schema ask.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct

from kro_ls.analysis.crd.generated_crd import admitting_crd
from kro_ls.openapi.json_values import JsonObject, as_object
from kro_ls.openapi.schema import Schema, is_immutable
from kro_ls.queries.cells import cached
from kro_ls.runtime.nodes.compiled import INSTANCE, compile_graph
from kro_ls.runtime.values.demands import Demand
from kro_ls.runtime.values.graph_demands import graph_demands
from kro_ls.runtime.values.maker import ValueMaker
from kro_ls.runtime.values.names import LONGEST_NAME, Subject, kebab_case
from kro_ls.runtime.values.satisfying import satisfied

if TYPE_CHECKING:
    from kro_ls.analysis.analysis import RgdAnalysis

Crd: TypeAlias = dict[str, Any]
"""A CRD or a schema in it."""


class SampleField(Struct, frozen=True):
    """One field: its value (JSON), or its own fields where it is an object with declared ones.

    `is_set` is whether an instance needs it or gets it in any case: it is required, has a default, or is read by an
    expression that does not test first whether it exists. `comments` are lines for people.
    """

    name: str
    value: Any
    fields: tuple[SampleField, ...] | None
    comments: tuple[str, ...]
    is_required: bool
    is_set: bool

    @property
    def whole(self) -> Any:
        """The value as JSON, with all of its own fields."""
        return self.value if self.fields is None else {each.name: each.whole for each in self.fields}


class Sample(Struct, frozen=True, eq=False):
    """A sample instance, and the fields of its `spec`, the required ones first."""

    instance: JsonObject
    fields: tuple[SampleField, ...]


def empty_instance(rgd: RgdAnalysis) -> JsonObject:
    """Return an instance in which no field is set, an empty object for an RGD that declares no kind."""
    crd = admitting_crd(rgd)
    return {} if crd is None else {**_head(crd), "spec": {}}


@cached
def sample_instance(rgd: RgdAnalysis) -> JsonObject:
    """Return an instance with every field set, an empty object for an RGD that declares no kind."""
    crd = admitting_crd(rgd)
    return {} if crd is None else sample(crd, instance_demand(rgd)).instance


def instance_demand(rgd: RgdAnalysis) -> Demand:
    """Return what the expressions and rules of an RGD ask of its instances."""
    return graph_demands(compile_graph(rgd))[INSTANCE]


def sample(crd: Crd, demand: Demand | None = None, *, only_required: bool = False) -> Sample:
    """Return an instance of a CRD that kro generates; `demand` is what is asked of it."""
    version = crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
    schema: Crd = version["properties"].get("spec", {})
    asked = (demand.fields.get("spec") if demand else None) or Demand()
    head = _head(crd)
    kind = crd["spec"]["names"]["kind"]
    group = demand.group if demand else ""
    subject = Subject(kind, head["metadata"]["name"], "my", kind, group, is_instance=True)
    spec = ValueMaker(subject).make(asked, Schema(schema), ())
    if only_required:
        spec = _required_part(spec, schema)
    instance = satisfied({**head, "spec": spec}, version, subject)
    return Sample(instance, _fields(schema, asked, as_object(instance["spec"])))


def _head(crd: Crd) -> dict[str, Any]:
    spec = crd["spec"]
    kind = spec["names"]["kind"]
    metadata = {"name": f"my-{kebab_case(kind)}"[:LONGEST_NAME].rstrip("-")}
    if spec["scope"] == "Namespaced":
        metadata["namespace"] = "default"
    return {"apiVersion": f"{spec['group']}/{spec['versions'][0]['name']}", "kind": kind, "metadata": metadata}


def _required_part(value: Any, schema: Crd) -> Any:
    """Return a value without the fields that its schema does not require."""
    properties = schema.get("properties")
    if isinstance(value, dict) and properties:
        required = frozenset(schema.get("required", ()))
        return {name: _required_part(inner, properties[name]) for name, inner in value.items() if name in required}
    if isinstance(value, list):
        return [_required_part(each, schema.get("items", {})) for each in value]
    return value


def _fields(schema: Crd, demand: Demand, value: JsonObject) -> tuple[SampleField, ...]:
    required = frozenset(schema.get("required", ()))
    properties: Crd = schema.get("properties", {})
    found = [
        _field(name, each, demand.fields.get(name) or Demand(), value[name], is_required=name in required)
        for name, each in properties.items()
        if name in value
    ]
    return tuple(sorted(found, key=lambda field: not field.is_required))


def _field(name: str, schema: Crd, demand: Demand, value: Any, *, is_required: bool) -> SampleField:
    is_open = bool(schema.get("properties")) and not schema.get("default") and isinstance(value, dict)
    fields = _fields(schema, demand, value) if is_open else None
    is_set = is_required or demand.is_needed or schema.get("default") is not None
    return SampleField(name, None if is_open else value, fields, tuple(_comments(schema)), is_required, is_set)


def _comments(schema: Crd) -> list[str]:
    lines = str(schema.get("description", "")).splitlines()
    if schema.get("enum"):
        lines.append("one of " + ", ".join(map(str, schema["enum"])))
    if schema.get("pattern"):
        lines.append(f"matches {schema['pattern']}")
    for rule in schema.get("x-kubernetes-validations", ()):
        lines.append("cannot be changed later" if is_immutable(rule["rule"]) else f"rule: {rule['rule']}")
    return ["".join(each if each.isprintable() else " " for each in line) for line in lines]
