"""One pass over the graph: every node's objects, whether they are ready, and the status of the instance."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Protocol, TypeVar

from msgspec import Struct, field

from kro_ls.runtime.compiled import compile_graph
from kro_ls.runtime.errors import Cause, FatalError, NodeError, PendingError, WaitingError
from kro_ls.runtime.expressions import SharedExpressions
from kro_ls.runtime.node import Instance, Node
from kro_ls.runtime.status import Conditions, StatusExpressions
from kro_ls.runtime.templates import merge

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.kro.values import Condition
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.runtime.compiled import CompiledNode
    from kro_ls.runtime.status import MissingField

T = TypeVar("T")


class NodeState(Enum):
    """How far a node is. Pending waits for data, and kro tries again; an error stops kro's pass."""

    RENDERED = "rendered"
    IGNORED = "ignored"
    PENDING = "pending"
    ERROR = "error"


class Reason(Struct, frozen=True):
    """Why something is not there: kro's text, the expression that caused it, and the node that must be ready first."""

    text: str
    cause: Cause | None = None
    waits_for: str | None = None


class NodeResult(Struct, frozen=True):
    """What a pass found out about a node.

    `reason` says why it is pending or in error, `unready` why what is rendered is not ready. A node that is left out
    has the node `ignored_by` that it depends on, or the `includeWhen` of its own that decided, `ignored_because`.
    `observed` is None where the cluster has nothing. kro only reads the objects of what `is_external`.
    """

    id: str
    state: NodeState
    desired: tuple[JsonObject, ...] = ()
    observed: tuple[JsonObject, ...] | None = None
    reason: Reason | None = None
    unready: Reason | None = None
    unready_is_error: bool = False
    ignored_by: str | None = None
    ignored_because: Cause | None = None
    is_external: bool = False

    @property
    def count(self) -> int:
        """The number of its objects: those that were found of an external reference, else those that kro applies."""
        return len(self.observed or ()) if self.is_external else len(self.desired)

    @property
    def is_ready(self) -> bool:
        """Whether everything that the node should have exists and is ready."""
        return self.state is NodeState.RENDERED and self.unready is None


class Pass(Struct, frozen=True):
    """What one pass gives: the nodes in topological order, and what the status expressions give.

    `status_error` is why kro writes no status at all.
    """

    instance: JsonObject
    nodes: tuple[NodeResult, ...]
    status: JsonObject = field(default_factory=dict)
    missing_fields: tuple[MissingField, ...] = ()
    status_error: Reason | None = None
    conditions: Conditions = field(default_factory=Conditions)

    def node(self, id_: str) -> NodeResult | None:
        """Return what is known of a node by its id."""
        return next((each for each in self.nodes if each.id == id_), None)


class Cluster(Protocol):
    """Where a pass finds objects and puts them."""

    def find(self, node: CompiledNode, desired: list[JsonObject]) -> list[JsonObject] | None:
        """Return the node's objects, None where nothing was found."""

    def apply(self, desired: Mapping[str, list[JsonObject]]) -> Mapping[str, list[JsonObject]]:
        """Make the objects of each rendered node what they should be; returns what they are then, if that is known."""

    def built_in_conditions(self, nodes: Sequence[NodeResult]) -> Sequence[Condition]:
        """Return kro's own conditions after a pass, which the author's may read."""


def run_pass(rgd: RgdAnalysis, instance: JsonObject, cluster: Cluster, held: AbstractSet[str] = frozenset()) -> Pass:
    """Return what kro makes of an instance, which must be complete, in one pass. Nodes that are `held` are not ready.

    As in kro all objects are applied after all nodes were rendered, and none if a node is in error.
    """
    graph = compile_graph(rgd)
    shared = SharedExpressions()
    seen = Instance(instance, graph.instance_schema)
    nodes: dict[str, Node] = {}
    for compiled in graph.nodes:
        node = nodes[compiled.id] = Node(compiled, seen, shared)
        node.held = compiled.id in held
        node.dependencies = {name: nodes[name] for name in compiled.dependencies if name in nodes}
    expressions = StatusExpressions(graph, nodes, seen, shared)
    rendered = {id_: _render(node, cluster) for id_, node in nodes.items()}
    if not any(each.state is NodeState.ERROR for each in rendered.values()):
        desired = {id_: node.desired for id_, node in nodes.items() if node.desired is not None}
        for id_, objects in cluster.apply(desired).items():
            nodes[id_].observe(objects)
    results = tuple(_with_readiness(node, rendered[id_]) for id_, node in nodes.items())
    conditions = expressions.author_conditions(cluster.built_in_conditions(results))
    try:
        status, missing = _bounded(expressions.status)
    except FatalError as error:
        return Pass(instance, results, status_error=Reason(error.text, error.cause), conditions=conditions)
    return Pass(instance, results, status, missing, None, conditions)


def _bounded(work: Callable[[], T]) -> T:
    try:
        return work()
    except RecursionError:
        raise FatalError("values are nested too deeply") from None


def _render(node: Node, cluster: Cluster) -> NodeResult:
    try:
        if _bounded(node.is_ignored):
            by = next((name for name, each in node.dependencies.items() if each.is_ignored()), None)
            because = Cause(node.id, node.ignoring.expression) if node.ignoring else None
            return NodeResult(node.id, NodeState.IGNORED, ignored_by=by, ignored_because=because)
        desired = _bounded(node.desire)
    except NodeError as error:
        state = NodeState.PENDING if isinstance(error, PendingError) else NodeState.ERROR
        return NodeResult(node.id, state, reason=Reason(error.text, error.cause, error.waits_for))
    found = cluster.find(node.compiled, desired)
    if found is not None:
        node.observe(found)
    return NodeResult(node.id, NodeState.RENDERED)


def _with_readiness(node: Node, result: NodeResult) -> NodeResult:
    if result.state is not NodeState.RENDERED:
        return result
    unready, is_error = None, False
    try:
        _bounded(node.check_ready)
    except NodeError as error:
        unready, is_error = Reason(error.text, error.cause), not isinstance(error, WaitingError)
    observed = None if node.observed is None else tuple(node.observed)
    desired = tuple(node.desired or ())
    external = node.compiled.is_external
    return NodeResult(node.id, result.state, desired, observed, None, unready, is_error, is_external=external)


class ObservedState:
    """A cluster that has every object, each with the fields that are said to be observed.

    The observed objects of a node are merged onto its desired objects in order; of an external reference they are
    what is found.
    """

    def __init__(self, observed: Mapping[str, Sequence[JsonObject]]) -> None:
        self._observed = observed

    def find(self, node: CompiledNode, desired: list[JsonObject]) -> list[JsonObject] | None:
        """Return the node's objects."""
        given = self._observed.get(node.id, ())
        if node.is_external:
            return list(given) or ([] if node.is_list else None)
        return [merge(each, given[index] if index < len(given) else {}) for index, each in enumerate(desired)]

    def apply(self, desired: Mapping[str, list[JsonObject]]) -> Mapping[str, list[JsonObject]]:  # noqa: ARG002
        """Change nothing: every object is there already."""
        return {}

    def built_in_conditions(self, nodes: Sequence[NodeResult]) -> Sequence[Condition]:  # noqa: ARG002
        """Return no conditions: there is no controller."""
        return ()


def render(rgd: RgdAnalysis, instance: JsonObject, observed: Mapping[str, Sequence[JsonObject]]) -> Pass:
    """Return what kro makes of an instance where every object of a node exists as soon as it is rendered."""
    return run_pass(rgd, instance, ObservedState(observed))
