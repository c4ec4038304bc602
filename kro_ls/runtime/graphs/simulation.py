"""Simulates a Graph of kro 0.10: passes are repeated in a simulated cluster until nothing changes any more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kro_ls.graphs import children_of, frames_of
from kro_ls.kro.conversion import Condition
from kro_ls.runtime.apiserver.storing import stored, with_metadata
from kro_ls.runtime.cluster.cluster import external_objects, settled_in
from kro_ls.runtime.cluster.scenario import Scenario
from kro_ls.runtime.cluster.simulation import Simulation, Step
from kro_ls.runtime.graphs.walk import GraphCluster, SoftReason, Walk
from kro_ls.runtime.nodes.budget import PreviewBudget
from kro_ls.runtime.nodes.compiled import compile_graph
from kro_ls.runtime.nodes.node_objects import identity, merge
from kro_ls.runtime.passes.results import InstanceState, Outcome, Pass
from kro_ls.runtime.values.demands import Demand
from kro_ls.runtime.values.graph_demands import node_demands
from kro_ls.yaml_positions.nodes import field, to_python

if TYPE_CHECKING:
    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.runtime.cluster.cluster import Placed
    from kro_ls.runtime.nodes.compiled import CompiledNode


def simulate_graph(graph: RgdAnalysis, scenario: Scenario | None, budget: PreviewBudget | None = None) -> Simulation:
    """Simulate a Graph in a cluster that has none of its objects; nodes of child graphs are named by their paths.

    Raises PreviewCancelledError where the budget is cancelled meanwhile.
    """
    scenario = scenario or Scenario()
    budget = budget or PreviewBudget()
    value = graph_object(graph)
    cluster = _SimulatedCluster(graph, scenario)
    steps: list[Step] = []
    for number in range(1, 2 * sum(len(each.rgd.parts) for each in frames_of(graph)) + 10):
        cluster.begin()
        walk = Walk(value, cluster, scenario.held, budget)
        hard, soft = walk.run(graph)
        cluster.settle()
        outcome = _outcome(len(graph.rgd.parts), hard, soft)
        changes = tuple(cluster.created), tuple(cluster.updated)
        steps.append(Step(number, Pass(value, tuple(walk.results)), outcome, *changes))
        if not any(changes):
            break
    *earlier, final = steps
    settled = not (final.created or final.updated)
    return Simulation(tuple(earlier), final, settled, scenario, tuple(cluster.placed()))


def graph_object(graph: RgdAnalysis) -> JsonObject:
    """Return a Graph as an object of the cluster, in the namespace `default` where it names none."""
    root = graph.rgd.frame.chunk.root
    metadata = to_python(field(root, "metadata"))
    named: dict[str, Any] = metadata if isinstance(metadata, dict) else {}
    value: JsonObject = {
        "apiVersion": "kro.run/v1alpha1",
        "kind": "Graph",
        "metadata": {"namespace": "default", **named},
    }
    return with_metadata(value)


def _outcome(nodes: int, hard: list[str], soft: list[tuple[str, SoftReason]]) -> Outcome:
    """Return the conditions of a Graph after a pass (kro `pkg/controller/graph/controller.go`)."""
    accepted = Condition("Accepted", "True", "Compiled", f"compiled {nodes} nodes")
    converged = Condition("ResourcesConverged", "True", "Applied", "all nodes applied and ready")
    state, text = InstanceState.ACTIVE, ""
    if hard or soft:
        text, reason = ("\n".join(hard), SoftReason.FAILED) if hard else soft[0]
        state = InstanceState.ERROR if reason is SoftReason.FAILED else InstanceState.IN_PROGRESS
        converged = Condition("ResourcesConverged", "False", reason.value, text)
    ready = Condition("Ready", converged.status, *((converged.reason, converged.message) if text else ("Ready",)))
    return Outcome(state, (accepted, converged, ready), text, has_state=False)


class _SimulatedCluster(GraphCluster):
    """The objects of a Graph; those that it reads and patches exist unless the scenario excludes them."""

    def __init__(self, graph: RgdAnalysis, scenario: Scenario) -> None:
        self._scenario = scenario
        self._demands: dict[str, Demand] = {}
        self._add_demands(graph, "", {}, Demand())
        self._objects: dict[str, JsonObject] = {}
        self._wanted: dict[str, tuple[str, int, JsonObject, CompiledNode]] = {}
        self._patches: dict[str, dict[str, JsonObject]] = {}
        self._read: dict[str, list[JsonObject] | None] = {}
        self.begin()

    def _add_demands(self, graph: RgdAnalysis, prefix: str, outside: dict[str, Demand], owner: Demand) -> None:
        names, own = node_demands(compile_graph(graph), outside, owner if prefix else None)
        self._demands |= {prefix + id_: demand for id_, demand in own.items()}
        for each, child in children_of(graph):
            self._add_demands(child, f"{prefix}{each.id}/", names, own.get(each.id or "", Demand()))

    def begin(self) -> None:
        """Start a pass."""
        self.created: list[Placed] = []
        self.updated: list[Placed] = []

    def apply(self, path: str, index: int, desired: JsonObject, node: CompiledNode) -> JsonObject:
        """Make an object what it should be."""
        key = identity(desired)
        before = self._objects.get(key)
        if before is not None and self._wanted[key][2] == desired:
            return before
        value = stored(desired, node.kind, before)
        (self.created if before is None else self.updated).append((path, value))
        self._wanted[key] = path, index, desired, node
        self._objects[key] = value
        return value

    def read(self, path: str, reference: JsonObject, node: CompiledNode) -> list[JsonObject] | None:
        """Return the objects that a `ref` finds: those of the Graph, and what is made up."""
        if not node.is_list and identity(reference) in self._objects:
            return [self._objects[identity(reference)]]
        key = f"{path} {identity(reference)}"
        if key not in self._read:
            given = self._scenario.observed.get(path)
            self._read[key] = external_objects(node, [reference], given, self._demands[path])
        return self._read[key]

    def patch(self, path: str, desired: JsonObject) -> bool:
        """Change fields of an object of the Graph, or of one that exists already."""
        key = identity(desired)
        if self._scenario.observed.get(path) is not None and not self._scenario.observed[path].objects:
            return False
        patches = self._patches.setdefault(key, {})
        if patches.get(path) != desired:
            patches[path] = desired
            if key in self._objects:
                self._objects[key] = merge(self._objects[key], desired)
            self.updated.append((path, self._objects.get(key, desired)))
        return True

    def settle(self) -> None:
        """Let the controllers act on what the pass created or updated."""
        for key in dict.fromkeys(identity(each) for _, each in (*self.created, *self.updated)):
            if key in self._wanted:
                self._objects[key] = self._settled(key)

    def _settled(self, key: str) -> JsonObject:
        path, index, _, node = self._wanted[key]
        value = self._objects[key]
        for each in self._patches.get(key, {}).values():
            value = merge(value, each)
        return settled_in(self._scenario, path, node, index, value, self._demands[path])

    def placed(self) -> list[Placed]:
        """Return the objects that the Graph made."""
        return [(self._wanted[key][0], value) for key, value in self._objects.items()]
