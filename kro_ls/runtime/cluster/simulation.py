"""Simulates an instance: passes are repeated in a simulated cluster until nothing changes any more."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field
from msgspec.structs import replace

from kro_ls.kro import labels
from kro_ls.kro.forms import API_VERSION, KIND
from kro_ls.openapi.json_values import as_object, as_text
from kro_ls.runtime.apiserver.storing import made_up_uid, with_metadata
from kro_ls.runtime.cluster.cluster import SimulatedCluster
from kro_ls.runtime.cluster.scenario import Scenario
from kro_ls.runtime.nodes.budget import PreviewBudget
from kro_ls.runtime.nodes.compiled import INSTANCE, compile_graph
from kro_ls.runtime.nodes.node_objects import group_kind
from kro_ls.runtime.passes.metadata import Ownership, managed_instance
from kro_ls.runtime.passes.reconciliation import Reconciliation
from kro_ls.runtime.passes.results import (
    SUSPENDED,
    InstanceState,
    NodeResult,
    NodeState,
    Outcome,
    Pass,
    Reason,
    refused,
    suspended,
)
from kro_ls.shortening import shortened

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.kro.versions.version import Version
    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.openapi.validation.objects.refusal import Refusal
    from kro_ls.runtime.cluster.cluster import Placed
    from kro_ls.runtime.nodes.compiled import CompiledGraph
    from kro_ls.runtime.nodes.errors import Cause


class Step(Struct, frozen=True):
    """One pass, and the objects that it created, updated and deleted, each with its node."""

    number: int
    result: Pass
    outcome: Outcome
    created: tuple[Placed, ...] = ()
    updated: tuple[Placed, ...] = ()
    deleted: tuple[Placed, ...] = ()
    former_status: JsonObject = field(default_factory=dict)
    """The status that the passes before it left, which stays where kro writes none."""


class Simulation(Struct, frozen=True):
    """The `final` pass and the `earlier` ones, in order. `settled` is whether the final one changed nothing.

    `objects` are the final objects of the cluster; `applied` are the same as kro last applied them, in topological
    order.
    """

    earlier: tuple[Step, ...]
    final: Step
    settled: bool
    scenario: Scenario
    objects: tuple[Placed, ...] = ()
    applied: tuple[Placed, ...] = ()
    refused: tuple[tuple[str, int, Refusal], ...] = ()
    """Which objects the API server refuses in the end, by node and place among its objects."""

    @property
    def external(self) -> Iterator[JsonObject]:
        """The objects that kro only reads, as it finds them in the end."""
        for node in self.final.result.nodes:
            if node.is_external:
                yield from node.observed or ()

    @property
    def steps(self) -> tuple[Step, ...]:
        """All passes, in order."""
        return (*self.earlier, self.final)

    @property
    def status(self) -> JsonObject:
        """The status of the instance as kro leaves it."""
        return status_after(self.final)

    @property
    def state(self) -> InstanceState:
        """`status.state` of the instance."""
        return _state(self.final)


def status_after(step: Step) -> JsonObject:
    """Return the status of the instance as a pass leaves it."""
    if step.outcome.state is InstanceState.REFUSED:
        return {name: value for name, value in step.result.status.items() if name not in ("state", "conditions")}
    if step.result.status_error is not None:
        return step.former_status
    own = step.result.conditions.conditions or step.outcome.conditions
    conditions: list[JsonValue] = [{name: text for name, text in each.fields.items() if text} for each in own]
    values = {name: value for name, value in step.result.status.items() if name not in ("state", "conditions")}
    state: JsonObject = {"state": _state(step).value} if step.outcome.has_state else {}
    return {**state, **values, "conditions": conditions}


def without_state(simulation: Simulation, text: str) -> Simulation:
    """Return a simulation whose passes have no state of kro's, because kro refuses the definition; `text` is why."""
    *earlier, final = (replace(step, outcome=refused(text)) for step in simulation.steps)
    return replace(simulation, earlier=tuple(earlier), final=final)


def _state(step: Step) -> InstanceState:
    if step.outcome.state is InstanceState.REFUSED:
        return InstanceState.REFUSED
    degraded = bool(step.result.conditions.failures) or step.result.status_error is not None
    return InstanceState.ERROR if degraded else step.outcome.state


def simulate(
    rgd: RgdAnalysis,
    instance: JsonObject,
    scenario: Scenario | None = None,
    budget: PreviewBudget | None = None,
    *,
    before: Simulation | None = None,
) -> Simulation:
    """Simulate a complete instance in a cluster that has none of its objects.

    With `before` the cluster starts with the objects that this simulation left: of the same instance, and of the same
    definition or of one that it replaces.

    Raises PreviewCancelledError where the budget is cancelled meanwhile.
    """
    scenario = scenario or Scenario()
    budget = budget or PreviewBudget()
    graph = compile_graph(rgd)
    first = _managed(rgd, graph, with_metadata(instance), scenario.kro)
    cluster = SimulatedCluster(graph, scenario, Ownership(rgd, first, scenario.kro), first)
    if before is not None:
        cluster.inherit(before.objects, before.applied, before.external)
    steps: list[Step] = []
    settled = True
    for generation, each in enumerate((first, *scenario.then), 1):
        metadata = {**as_object(first["metadata"]), **as_object(each.get("metadata")), "generation": generation}
        stored = _managed(rgd, graph, {**each, "metadata": metadata}, scenario.kro)
        settled = False
        for step in _passes(graph, stored, cluster, scenario, budget):
            former = status_after(steps[-1]) if steps else {}
            steps.append(replace(step, number=len(steps) + 1, former_status=former))
            settled = not cluster.is_changed
    *earlier, final = steps
    objects, applied = tuple(cluster.objects()), tuple(cluster.applied())
    return Simulation(tuple(earlier), final, settled, scenario, objects, applied, cluster.all_refusals())


def _managed(rgd: RgdAnalysis, graph: CompiledGraph, instance: JsonObject, kro: Version) -> JsonObject:
    made = (each.template for each in graph.nodes if not each.is_external)
    names = (reversed(group_kind(each)) for each in made)
    uid = made_up_uid(f"{API_VERSION}/{KIND}//{rgd.rgd.name or ''}")
    return managed_instance(rgd, instance, uid, (".".join(filter(None, each)) for each in names), kro)


def _passes(
    graph: CompiledGraph, instance: JsonObject, cluster: SimulatedCluster, scenario: Scenario, budget: PreviewBudget
) -> Iterator[Step]:
    """Yield passes until one changes nothing, or there were too many."""
    cluster.begin()
    if _is_suspended(instance):
        yield _suspended_step(graph, instance)
        return
    reconciliation = Reconciliation(graph, instance, cluster, scenario.held, budget)
    changed = None
    for number in range(1, 2 * len(graph.nodes) + 10):
        cluster.begin()
        result = reconciliation.run_pass(changed)
        outcome = cluster.outcome(result.nodes)
        changed = cluster.settle()
        yield Step(number, result, outcome, tuple(cluster.created), tuple(cluster.updated), tuple(cluster.deleted))
        if not changed and not cluster.is_changed:
            return


def _is_suspended(instance: JsonObject) -> bool:
    annotations = as_object(as_object(instance.get("metadata")).get("annotations"))
    return as_text(annotations.get(labels.RECONCILE)).lower() in ("suspended", "disabled")


def _suspended_step(graph: CompiledGraph, instance: JsonObject) -> Step:
    reason = Reason(SUSPENDED, plain=f"kro does nothing: the annotation {labels.RECONCILE} suspends it")
    nodes = tuple(NodeResult(node.id, NodeState.PENDING, reason=reason) for node in graph.nodes)
    return Step(1, Pass(instance, nodes), suspended())


_MOST = 3
_LONGEST = 60


def made_up_note(simulation: Simulation, cause: Cause | None) -> str:
    """Return a sentence about the made-up values that an expression failed with; empty where there are none."""
    found = list(_made_up(simulation, cause)) if cause is not None else []
    if not found:
        return ""
    parts = [f"{path} is {text}" for path, text in dict(found[:_MOST]).items()]
    return f"made up: {', '.join(parts)}"


def _made_up(simulation: Simulation, cause: Cause) -> Iterator[tuple[str, str]]:
    """Yield the paths of values that the failing part of an expression reads, and the values."""
    for use in cause.uses:
        name = cause.node if use.name == "each" else use.name
        value, given = _value(simulation, name)
        place: Any = value
        known: Any = given
        steps: list[str] = []
        for step in use.path:
            if not isinstance(place, dict) or step not in place:
                break
            place, known = place[step], known.get(step) if isinstance(known, dict) else None
            steps.append(step)
        if steps and steps != ["spec"] and known is None:
            yield ".".join([use.name, *steps]), shortened(json.dumps(place, ensure_ascii=False), _LONGEST)


def _value(simulation: Simulation, name: str) -> tuple[JsonObject | None, JsonObject | None]:
    """Return what expressions see under a name, and the part of it that was not made up."""
    result = simulation.final.result
    if name == INSTANCE:
        given = simulation.scenario.given
        return (None, None) if given is None else ({"spec": result.instance.get("spec")}, given)
    node = result.node(name)
    if node is None or not node.observed or name in simulation.scenario.observed:
        return None, None
    desired = node.desired[0] if node.desired else {}
    return node.observed[0], {**desired, "metadata": node.observed[0].get("metadata")}
