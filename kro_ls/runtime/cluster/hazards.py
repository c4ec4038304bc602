"""What can go wrong in a real cluster although the preview succeeds.

An instance may need namespaces, and objects that its pods refer to, that nothing in the preview creates. The preview
assumes that they exist; where they do not, the API server refuses the object or its pods. And a controller may write a
field that kro applies: the two overwrite each other for ever.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec import Struct

from kro_ls.golang.quoting import go_quoted
from kro_ls.openapi.json_values import as_object, as_text, value_at
from kro_ls.openapi.validation.objects.refusal import Refusal
from kro_ls.openapi.written_fields import SCALERS, writer_of
from kro_ls.runtime.cluster.refused_objects import STANDARD, not_found
from kro_ls.runtime.nodes.compiled import compile_graph
from kro_ls.runtime.nodes.node_objects import group_kind, metadata_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.openapi.validation.field_errors import Path
    from kro_ls.runtime.cluster.simulation import Simulation
    from kro_ls.runtime.nodes.compiled import CompiledNode


_ALWAYS: Final = frozenset(
    {
        ("ServiceAccount", "default"),
        ("PriorityClass", "system-cluster-critical"),
        ("PriorityClass", "system-node-critical"),
    }
)
_POD_SPECS: Final[tuple[Path, ...]] = (
    ("spec",),
    ("spec", "template", "spec"),
    ("spec", "jobTemplate", "spec", "template", "spec"),
)
_REFERENCES: Final = (
    ("serviceAccountName", "ServiceAccount", "service account"),
    ("priorityClassName", "PriorityClass", "priority class"),
    ("runtimeClassName", "RuntimeClass", "runtime class"),
)


class Hazard(Struct, frozen=True):
    """A field of an object of a node, what may go wrong with it, and the API server's answer, if any."""

    node: str
    refusal: Refusal


def assumed(rgd: RgdAnalysis, simulation: Simulation) -> Iterator[Hazard]:
    """Yield what is assumed to exist, once for each node; nothing that follows from a made-up instance."""
    instance = simulation.final.result.instance
    external = list(simulation.external)
    there = [*(value for _, value in simulation.objects), *external]
    namespaces = {*STANDARD, *(simulation.scenario.namespaces or ()), metadata_text(instance, "namespace") or "default"}
    namespaces |= {metadata_text(each, "namespace") for each in external}
    names = {(as_text(each.get("kind")), metadata_text(each, "name")) for each in there} | _ALWAYS
    nodes = {each.id: each for each in compile_graph(rgd).nodes}
    seen = set()
    for id_, value in simulation.applied:
        for refusal in (*_namespace(value, namespaces, names), *_pods(value, names)):
            key = id_, refusal.message
            if key not in seen and _is_known(nodes[id_], refusal.path, simulation):
                seen.add(key)
                yield Hazard(id_, refusal)


def _namespace(value: JsonObject, namespaces: set[str], names: set[tuple[str, str]]) -> Iterator[Refusal]:
    name = metadata_text(value, "namespace")
    if name and name not in namespaces and ("Namespace", name) not in names:
        yield not_found(name, f"assumes that the namespace {name} exists")


def _pods(value: JsonObject, names: set[tuple[str, str]]) -> Iterator[Refusal]:
    for path in _POD_SPECS[:1] if value.get("kind") == "Pod" else _POD_SPECS[1:]:
        spec = value
        for step in path:
            spec = as_object(spec.get(str(step)))
        for field, kind, words in _REFERENCES:
            name = as_text(spec.get(field))
            if name and (kind, name) not in names:
                pod = go_quoted(metadata_text(value, "name") + ("" if len(path) == 1 else "-"))
                text = (
                    f"pods {pod} is forbidden: {_missing(kind, name, metadata_text(value, 'namespace') or 'default')}"
                )
                yield Refusal(text, (*path, field), f"assumes that the {words} {name} exists")


def _missing(kind: str, name: str, namespace: str) -> str:
    """Return the message of the API server's admission for a missing reference of a pod."""
    if kind == "ServiceAccount":
        return f"error looking up service account {namespace}/{name}: serviceaccount {go_quoted(name)} not found"
    if kind == "PriorityClass":
        return f"no PriorityClass with name {name} was found"
    return f"pod rejected: RuntimeClass {go_quoted(name)} not found"


def _is_known(node: CompiledNode, path: Path, simulation: Simulation) -> bool:
    """Whether a field is as its author wrote it, or follows from a given instance."""
    is_computed = any(place == path[: len(place)] for place, _ in (*node.fields, *node.item_fields))
    return simulation.scenario.given is None or not is_computed


def contested(simulation: Simulation) -> Iterator[Hazard]:
    """Yield the fields that a controller writes as well, each once for a node."""
    objects = [value for _, value in simulation.objects]
    seen = set()
    for id_, value in simulation.applied:
        for path, writer in _written(value, objects):
            if (id_, path) not in seen:
                seen.add((id_, path))
                message = f"{writer} writes it as well, and kro puts it back for ever"
                yield Hazard(id_, Refusal("", path, message))


def _written(value: JsonObject, objects: Iterable[JsonObject]) -> Iterator[tuple[Path, str]]:
    """Yield the paths of fields that a controller writes again and again, and what writes each."""
    for name in as_object(as_object(value.get("metadata")).get("annotations")):
        writer = writer_of(*group_kind(value), name)
        if writer and writer.overwrites:
            yield ("metadata", "annotations", name), writer.name
    if scaler := scaler_of(value, objects):
        yield ("spec", "replicas"), f"the {scaler.get('kind')} {metadata_text(scaler, 'name')}"


def scaler_of(value: JsonObject, objects: Iterable[JsonObject]) -> JsonObject | None:
    """Return the autoscaler among some objects that writes the replicas of an object, None where it sets none."""
    wanted = value.get("kind"), metadata_text(value, "name")
    namespaces = "", metadata_text(value, "namespace")  # what a file holds may name none
    for each in objects if value_at(value, ("spec", "replicas")) is not None else ():
        usual_kind = SCALERS.get(group_kind(each))
        if usual_kind is not None and metadata_text(each, "namespace") in namespaces:
            target = as_object(value_at(each, ("spec", "scaleTargetRef")))
            if (target.get("kind") or usual_kind, target.get("name")) == wanted:
                return each
    return None
