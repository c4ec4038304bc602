"""A simulated cluster: passes are repeated, and its controllers act between them, until nothing changes any more.

Everything is the same each time: uids are made from names, and there is one moment at which all happens.
"""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from msgspec import Struct, field

from kro_ls.kro import labels
from kro_ls.openapi.json_values import as_object, as_text
from kro_ls.openapi.schema import Schema
from kro_ls.openapi.validation.structural_values import apply_defaults
from kro_ls.runtime.behaviours import settle
from kro_ls.runtime.compiled import compile_graph
from kro_ls.runtime.expansion import identity, metadata_text
from kro_ls.runtime.expected_values import expected_values
from kro_ls.runtime.outcome import SUSPENDED, InstanceState, Outcome, outcome_of, suspended
from kro_ls.runtime.render import NodeResult, NodeState, Pass, Reason, run_pass
from kro_ls.runtime.sample_values import TIME, add_expected
from kro_ls.runtime.templates import copy_json, merge

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.kro.values import Condition
    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.runtime.compiled import CompiledGraph, CompiledNode
    from kro_ls.runtime.observed import Observed


class Scenario(Struct, frozen=True):
    """What the user says of the cluster: observed state by node, nodes that never get ready."""

    observed: Mapping[str, Observed] = field(default_factory=dict)
    held: frozenset[str] = frozenset()


class Step(Struct, frozen=True):
    """One pass, and the objects that it created, each with its node."""

    number: int
    result: Pass
    outcome: Outcome
    created: tuple[tuple[str, JsonObject], ...] = ()


class Simulation(Struct, frozen=True):
    """The passes in order. `settled` tells that the last one changed nothing."""

    steps: tuple[Step, ...]
    settled: bool

    @property
    def final(self) -> Step:
        """The last pass."""
        return self.steps[-1]

    @property
    def status(self) -> JsonObject:
        """The status of the instance as kro leaves it."""
        result, outcome = self.final.result, self.final.outcome
        own = result.conditions.conditions or outcome.conditions
        conditions: list[JsonValue] = [{name: text for name, text in each.fields.items() if text} for each in own]
        values = {name: value for name, value in result.status.items() if name not in ("state", "conditions")}
        return {"state": self.state.value, **values, "conditions": conditions}

    @property
    def state(self) -> InstanceState:
        """`status.state` of the instance."""
        degraded = bool(self.final.result.conditions.failures) or self.final.result.status_error is not None
        return InstanceState.ERROR if degraded else self.final.outcome.state


def simulate(rgd: RgdAnalysis, instance: JsonObject, scenario: Scenario | None = None) -> Simulation:
    """Return what becomes of an instance, which must be complete, in a cluster that has nothing of it yet."""
    scenario = scenario or Scenario()
    graph = compile_graph(rgd)
    stored = with_server_metadata(instance)
    if _is_suspended(stored):
        return Simulation((_suspended_step(graph, stored),), settled=True)
    cluster = SimulatedCluster(graph, scenario)
    steps: list[Step] = []
    for number in range(1, 2 * len(graph.nodes) + 10):
        cluster.begin()
        result = run_pass(rgd, stored, cluster, scenario.held)
        outcome = cluster.outcome(result.nodes)
        steps.append(Step(number, result, outcome, cluster.created))
        if not cluster.settle() and not cluster.created:
            return Simulation(tuple(steps), settled=True)
    return Simulation(tuple(steps), settled=False)


def with_server_metadata(value: JsonObject) -> JsonObject:
    """Return a copy of an object with what the API server adds to its metadata."""
    metadata = as_object(value.get("metadata"))
    added: JsonObject = {
        "uid": str(uuid.uuid5(uuid.NAMESPACE_OID, identity(value))),
        "creationTimestamp": TIME,
        "generation": 1,
        "resourceVersion": "1",
    }
    copied: JsonObject = {**copy_json(value), "metadata": {**copy_json(metadata), **_absent(added, metadata)}}
    return copied


def _absent(added: JsonObject, present: JsonObject) -> JsonObject:
    return {name: value for name, value in added.items() if name not in present}


def _is_suspended(instance: JsonObject) -> bool:
    annotations = as_object(as_object(instance.get("metadata")).get("annotations"))
    return as_text(annotations.get(labels.RECONCILE)).lower() in ("suspended", "disabled")


def _suspended_step(graph: CompiledGraph, instance: JsonObject) -> Step:
    reason = Reason(SUSPENDED)
    nodes = tuple(NodeResult(node.id, NodeState.PENDING, reason=reason) for node in graph.nodes)
    return Step(1, Pass(instance, nodes), suspended())


class SimulatedCluster:
    """The objects of one instance and its external references."""

    def __init__(self, graph: CompiledGraph, scenario: Scenario) -> None:
        self._nodes = {node.id: node for node in graph.nodes}
        self._expected = expected_values(graph)
        self._scenario = scenario
        self._objects: dict[str, JsonObject] = {}
        self._owners: dict[str, tuple[str, int]] = {}
        self._external: dict[str, list[JsonObject] | None] = {}
        self.begin()

    def begin(self) -> None:
        """Start a pass."""
        self._created: list[tuple[str, JsonObject]] = []
        self._conflict = ""

    @property
    def created(self) -> tuple[tuple[str, JsonObject], ...]:
        """The objects that the pass created, each with its node."""
        return tuple(self._created)

    def find(self, node: CompiledNode, desired: list[JsonObject]) -> list[JsonObject] | None:
        """Return the node's objects."""
        if node.is_external:
            if node.id not in self._external:
                self._external[node.id] = self._make_external(node, desired)
            return self._external[node.id]
        found = [self._objects[key] for key in map(identity, desired) if key in self._objects]
        return found or ([] if node.is_list else None)

    def apply(self, desired: Mapping[str, list[JsonObject]]) -> Mapping[str, list[JsonObject]]:
        """Create what is not there; nothing where two nodes want the same object."""
        managed = {id_: objects for id_, objects in desired.items() if not self._nodes[id_].is_external}
        self._conflict = _conflict(managed)
        if self._conflict:
            return {}
        return {
            id_: [self._apply_object(id_, index, each) for index, each in enumerate(objects)]
            for id_, objects in managed.items()
        }

    def _apply_object(self, id_: str, index: int, desired: JsonObject) -> JsonObject:
        """Create an object. One that exists stays: what it was made from was complete, so it cannot have changed."""
        key = identity(desired)
        if key in self._objects:
            return self._objects[key]
        value = with_server_metadata(desired)
        kind = self._nodes[id_].kind
        if kind is not None and kind.declared_schema is not None:
            apply_defaults(value, kind.declared_schema)
        self._created.append((id_, value))
        self._owners[key] = id_, index
        self._objects[key] = value
        return value

    def settle(self) -> bool:
        """Let the controllers act on what the pass created; returns whether they changed anything."""
        acted = False
        for _, value in self._created:
            key = identity(value)
            id_, index = self._owners[key]
            self._objects[key] = self._settled(self._nodes[id_], index, value)
            acted = acted or self._objects[key] != value
        return acted

    def _settled(self, node: CompiledNode, index: int, value: JsonObject) -> JsonObject:
        given = self._scenario.observed.get(node.id)
        if given is not None:
            changed: JsonObject = merge(value, given.of(index) or {})
            return changed
        return value if node.id in self._scenario.held else settle(value, node.kind, self._expected[node.id])

    def _make_external(self, node: CompiledNode, desired: list[JsonObject]) -> list[JsonObject] | None:
        template = _found_by(node, desired)
        given = self._scenario.observed.get(node.id)
        if given is not None:
            objects = [with_server_metadata(merge(template, each)) for each in given.objects]
            return objects or ([] if node.is_list else None)
        expected = self._expected[node.id]
        value = settle(with_server_metadata(template), node.kind, expected)
        add_expected(value, expected, Schema(node.kind.schema) if node.kind else None, only_below=None)
        return [value]

    def outcome(self, nodes: Sequence[NodeResult]) -> Outcome:
        """Return what kro reports after the pass."""
        return outcome_of(nodes, self._nodes, conflict=self._conflict, mutated=bool(self._created))

    def built_in_conditions(self, nodes: Sequence[NodeResult]) -> Sequence[Condition]:
        """Return kro's own conditions."""
        return self.outcome(nodes).conditions


def _found_by(node: CompiledNode, desired: list[JsonObject]) -> JsonObject:
    """Return the least that an object must have to be what an external reference finds."""
    reference = desired[0]
    if not node.is_list:
        return reference
    metadata = as_object(reference.get("metadata"))
    labels = as_object(as_object(metadata.get("selector")).get("matchLabels"))
    named: JsonObject = {"name": f"{node.id.lower()}-1", "labels": labels}
    if node.is_namespaced:
        named["namespace"] = metadata_text(reference, "namespace") or "default"
    return {**reference, "metadata": named}


def _conflict(desired: Mapping[str, list[JsonObject]]) -> str:
    owners: dict[str, str] = {}
    for id_, objects in desired.items():
        for each in objects:
            other = owners.setdefault(identity(each), id_)
            if other != id_:
                return f"found resources with conflicts: resourceID: {id_} conflicts with resourceID: {other}"
    return ""
