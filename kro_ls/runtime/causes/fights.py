"""What kro applies for an instance, by a simulation: nodes that it leaves out, fields that a controller writes, too."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kro_ls.openapi.json_values import as_list, as_object, as_text
from kro_ls.runtime.causes.cause import CauseKind, Explanation
from kro_ls.runtime.causes.given_objects import annotations_of, metadata_of, namespace_of
from kro_ls.runtime.cluster.hazards import scaler_of
from kro_ls.runtime.cluster.instance import admit_instance
from kro_ls.runtime.cluster.simulation import simulate
from kro_ls.runtime.nodes.budget import PreviewBudget
from kro_ls.runtime.passes.reasons import object_name, short_reason
from kro_ls.runtime.passes.results import NodeState

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.runtime.causes.given_objects import Objects
    from kro_ls.runtime.causes.waiting_nodes import Nodes
    from kro_ls.runtime.passes.results import NodeResult


_OWNED_ANNOTATIONS: Final = ("deployment.kubernetes.io/revision", "deprecated.daemonset.template.generation")
"""Annotations that a controller writes."""


def fight_of(nodes: Nodes | None, objects: Objects, instance: JsonObject) -> Explanation:
    """Return which field of which object kro and a controller fight about."""
    found = next(_fights(nodes, objects, instance), None) if nodes else None
    if found is not None:
        return found
    message = "kro changes the cluster in every pass: a controller writes a field back that a template sets"
    commands = [nodes.get_command(node) for node in nodes.children] if nodes else []
    fetch = tuple(f"{each.removesuffix(' -o yaml')} --show-managed-fields -o yaml" for each in commands)
    return Explanation(CauseKind.FIGHT, message, fetch=fetch)


def _fights(nodes: Nodes, objects: Objects, instance: JsonObject) -> Iterator[Explanation]:
    for node, applied in applied_objects(nodes.rgd, instance):
        if scaler := scaler_of(applied, objects.all):
            message = f"kro and {object_name(scaler)} both write spec.replicas of {object_name(applied)}"
            yield Explanation(CauseKind.FIGHT, message, node, field=("spec", "replicas"), value=applied)
        for name in _OWNED_ANNOTATIONS:
            if name in annotations_of(applied):
                message = f"kro and the controller of {object_name(applied)} both write its annotation {name}"
                field = "metadata", "annotations", name
                yield Explanation(CauseKind.FIGHT, message, node, field=field, value=applied)
        yield from _foreign_owner(node, applied, instance)
    for node, values in nodes.children.items():
        for value in values:
            yield from _managed_twice(node, value)


def _foreign_owner(node: str, applied: JsonObject, instance: JsonObject) -> Iterator[Explanation]:
    """Yield the object that the garbage collector deletes, for its owner is in another namespace."""
    uid, namespace = metadata_of(instance).get("uid"), namespace_of(instance)
    for reference in map(as_object, as_list(metadata_of(applied).get("ownerReferences"))):
        if reference.get("uid") == uid and namespace and namespace_of(applied) not in ("", namespace):
            message = f"the garbage collector deletes {object_name(applied)}, whose owner is in another namespace"
            yield Explanation(CauseKind.FIGHT, message, node, field=("metadata", "ownerReferences"), value=applied)


def _managed_twice(node: str, value: JsonObject) -> Iterator[Explanation]:
    """Yield the managers that wrote an object after kro, by its managed fields."""
    managers = [as_object(each) for each in as_list(metadata_of(value).get("managedFields"))]
    kro = [each for each in managers if "kro" in as_text(each.get("manager"))]
    others = [
        each
        for each in managers
        if each not in kro
        and each.get("subresource") != "status"
        and as_text(each.get("time")) >= max((as_text(own.get("time")) for own in kro), default="~")
    ]
    for each in others:
        message = f"kro and {each.get('manager')} both write {object_name(value)}"
        yield Explanation(CauseKind.FIGHT, message, node, value=value)


def left_out(rgd: RgdAnalysis, instance: JsonObject) -> Iterator[Explanation]:
    """Yield the nodes that an instance leaves out by its values."""
    for node in _nodes(rgd, instance):
        if node.state is NodeState.IGNORED:
            message = f"{node.id} is left out: {short_reason(node)}"
            yield Explanation(CauseKind.LEFT_OUT, message, node.id, node.ignored_because)


def applied_objects(rgd: RgdAnalysis, instance: JsonObject) -> Iterator[tuple[str, JsonObject]]:
    """Yield what kro applies for an instance, with the nodes."""
    for node in _nodes(rgd, instance):
        yield from ((node.id, value) for value in node.desired if not node.is_external)


def _nodes(rgd: RgdAnalysis, instance: JsonObject) -> tuple[NodeResult, ...]:
    budget = PreviewBudget()
    admitted = admit_instance(rgd, instance, budget)
    return () if admitted.errors else simulate(rgd, admitted.instance, budget=budget).final.result.nodes
