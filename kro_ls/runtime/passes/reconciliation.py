"""kro's passes over the graph of one instance.

A pass repeats only what may differ from the previous one: nodes whose objects changed in the cluster, and those that
depend on nodes with another result. So the cost of a chain of a thousand nodes is linear, not quadratic.

Source: kro `pkg/controller/instance`.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING, Protocol, TypeVar

from kro_ls.runtime.nodes.errors import Cause, FatalError, NodeError, PendingError, UnfinishedError, WaitingError
from kro_ls.runtime.nodes.programs import SharedExpressions
from kro_ls.runtime.passes.node import Instance, Node
from kro_ls.runtime.passes.results import PENDING_STATES, NodeResult, NodeState, Pass, Reason
from kro_ls.runtime.passes.status import Conditions, StatusExpressions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from kro_ls.kro.conversion import Condition
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.openapi.validation.objects.refusal import Refusal
    from kro_ls.runtime.nodes.budget import PreviewBudget
    from kro_ls.runtime.nodes.compiled import CompiledGraph, CompiledNode
    from kro_ls.runtime.passes.node import Unready

T = TypeVar("T")


class Cluster(Protocol):
    """Where a pass finds objects and puts them."""

    def find(self, node: CompiledNode, desired: list[JsonObject]) -> list[JsonObject] | None:
        """Return the node's objects, None where nothing was found."""

    def apply(self, desired: Mapping[str, list[JsonObject]], *, prune: bool) -> Mapping[str, list[JsonObject]] | None:
        """Apply the desired objects of each node; returns the objects in the cluster, where they are known.

        Nodes that are not named still want what they wanted. With `prune`, objects that no node wants are deleted.
        Returns None where nothing was applied because two nodes want the same object.
        """

    def contests(self) -> Mapping[str, str]:
        """Return the nodes that want the same object, each with another one."""
        return {}

    def refusals(self) -> Mapping[str, tuple[int, Refusal]]:
        """Return the nodes of which the API server refuses an object: the first, and its place among them."""
        return {}

    def built_in_conditions(self, nodes: Sequence[NodeResult]) -> Sequence[Condition]:
        """Return kro's own conditions after a pass, which the author's may read."""


class Reconciliation:
    """The nodes of an instance, which must be complete. Nodes that are `held` are never ready.

    kro asks a node's `readyWhen` alone whether it is ready; `unready` is asked besides.
    """

    def __init__(
        self,
        graph: CompiledGraph,
        instance: JsonObject,
        cluster: Cluster,
        held: AbstractSet[str] = frozenset(),
        budget: PreviewBudget | None = None,
        unready: Unready | None = None,
    ) -> None:
        self._value = instance
        self._cluster = cluster
        self._budget = budget
        self._shared = SharedExpressions(budget)
        seen = Instance(instance, graph.instance_schema)
        by_id: dict[str, Node] = {}
        for compiled in graph.nodes:
            node = by_id[compiled.id] = Node(compiled, seen, self._shared)
            node.held, node.unready = compiled.id in held, unready
            node.dependencies = {name: by_id[name] for name in compiled.dependencies if name in by_id}
        self._nodes = tuple(by_id.values())
        self._places = {id_: place for place, id_ in enumerate(by_id)}
        self._dependents: list[list[int]] = [[] for _ in self._nodes]
        for place, node in enumerate(self._nodes):
            for name in node.dependencies:
                self._dependents[self._places[name]].append(place)
        self._status = StatusExpressions(graph, by_id, seen, self._shared)
        self._rendered: list[NodeResult | None] = [None] * len(self._nodes)
        self._observed: list[list[JsonObject] | None] = [None] * len(self._nodes)
        """What other nodes saw of each when they were rendered, before anything was applied."""
        self._results: list[NodeResult] = []
        self._unapplied: set[int] = set()
        self._stopped_by: str | None = None

    def run_pass(self, changed: Iterable[str] | None = None) -> Pass:
        """Return what a pass gives; `changed` are the nodes whose objects changed since the last, None for all.

        As in kro all objects are applied after all nodes were rendered, and none if a node is in error.
        """
        self._shared.begin()
        places = range(len(self._nodes)) if changed is None else [self._places[each] for each in changed]
        touched = self._render(places)
        self._unapplied |= touched
        errors = (each.id for each in self._rendered if each is not None and each.state is NodeState.ERROR)
        before, self._stopped_by = self._stopped_by, next(errors, None)
        if self._stopped_by is None:
            touched |= self._apply()
        if not self._results or before != self._stopped_by:
            touched = set(range(len(self._nodes)))
            self._results = [each for each in self._rendered if each is not None]
        contests = self._cluster.contests() if self._unapplied else {}
        refusals = self._cluster.refusals()
        for place in touched:
            self._results[place] = self._with_readiness(place, contests, refusals)
        return self._with_status(tuple(self._results), {self._nodes[place].id for place in touched})

    def _render(self, places: Iterable[int]) -> set[int]:
        """Render nodes, and those after them that this can concern; returns all that were rendered."""
        queue = list(places)
        heapify(queue)
        touched: set[int] = set()
        while queue:
            place = heappop(queue)
            if place in touched:
                continue
            touched.add(place)
            if self._budget is not None:
                self._budget.check()
            node, before = self._nodes[place], self._rendered[place]
            seen = node.desired, self._observed[place]
            node.reset()
            found = self._rendered[place] = _rendered(node, self._cluster)
            self._observed[place] = node.observed
            if before is None or not _is_same(before, found) or seen != (node.desired, node.observed):
                for each in self._dependents[place]:
                    heappush(queue, each)
        return touched

    def _apply(self) -> set[int]:
        """Apply what was rendered since objects were applied last; returns the nodes that this concerned."""
        nodes = (self._nodes[place] for place in sorted(self._unapplied))
        desired = {node.id: node.desired or [] for node in nodes}
        is_complete = not any(each is not None and each.state in PENDING_STATES for each in self._rendered)
        applied = self._cluster.apply(desired, prune=is_complete)
        concerned = set(self._unapplied)
        if applied is not None:
            self._unapplied.clear()
            for id_, objects in applied.items():
                self._nodes[self._places[id_]].observe(objects)
        return concerned

    def _with_readiness(
        self, place: int, contests: Mapping[str, str], refusals: Mapping[str, tuple[int, Refusal]]
    ) -> NodeResult:
        node, result = self._nodes[place], self._rendered[place]
        if result is None or result.state is not NodeState.RENDERED:
            return result or NodeResult(node.id, NodeState.PENDING)
        unready, is_error = None, False
        try:
            bounded(node.check_ready)
        except NodeError as error:
            unready, is_error = Reason.of(error), not isinstance(error, WaitingError)
        other = contests.get(node.id)
        if other is not None:
            text = f"found resources with conflicts: resourceID: {node.id} conflicts with resourceID: {other}"
            unready, is_error = Reason(text), True
        elif node.id in refusals and self._stopped_by is None:
            unready, is_error = _refused(*refusals[node.id], is_list=node.compiled.is_list), True
        return NodeResult(
            node.id,
            result.state,
            tuple(node.desired or ()),
            None if node.observed is None else tuple(node.observed),
            None,
            unready,
            is_error,
            is_external=node.compiled.is_external,
            stopped_by=self._stopped_by or next(iter(contests), None),
            contested_by=other,
        )

    def _with_status(self, results: tuple[NodeResult, ...], touched: AbstractSet[str]) -> Pass:
        conditions = Conditions()
        if self._status.has_conditions:
            conditions = self._status.author_conditions(self._cluster.built_in_conditions(results))
        try:
            status, missing = bounded(lambda: self._status.status(touched))
        except FatalError as error:
            return Pass(self._value, results, status_error=Reason.of(error), conditions=conditions)
        return Pass(self._value, results, status, missing, None, conditions)


def bounded(work: Callable[[], T]) -> T:
    """Return what the work gives. Raises FatalError where it goes too deep."""
    try:
        return work()
    except RecursionError:
        raise FatalError("values are nested too deeply", plain="its values are nested too deeply") from None


def _rendered(node: Node, cluster: Cluster) -> NodeResult:
    try:
        if bounded(node.is_ignored):
            by = next((name for name, each in node.dependencies.items() if each.is_ignored()), None)
            because = Cause(node.id, node.ignoring.expression) if node.ignoring else None
            return NodeResult(node.id, NodeState.IGNORED, ignored_by=by, ignored_because=because)
        desired = bounded(node.desire)
    except NodeError as error:
        return NodeResult(node.id, _state_of(error), reason=Reason.of(error))
    found = cluster.find(node.compiled, desired)
    if found is not None:
        node.observe(found)
    return NodeResult(node.id, NodeState.RENDERED)


def _state_of(error: NodeError) -> NodeState:
    if isinstance(error, UnfinishedError):
        return NodeState.UNFINISHED
    return NodeState.PENDING if isinstance(error, PendingError) else NodeState.ERROR


def _refused(index: int, refusal: Refusal, *, is_list: bool) -> Reason:
    text = f"collection item {index}: {refusal.text}" if is_list else refusal.text
    return Reason(text, refused=refusal)


def _is_same(one: NodeResult, other: NodeResult) -> bool:
    texts = [each.reason.text if each.reason else "" for each in (one, other)]
    return one.state is other.state and texts[0] == texts[1]
