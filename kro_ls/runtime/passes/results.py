"""The results of a pass: of each node, the status of the instance, and what kro reports.

Source of the report: kro `pkg/controller/instance`.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from msgspec import Struct, field

from kro_ls.golang.quoting import go_quoted
from kro_ls.kro.conversion import Condition
from kro_ls.runtime.passes.status import Conditions

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.openapi.validation.objects.refusal import Refusal
    from kro_ls.runtime.nodes.compiled import CompiledNode
    from kro_ls.runtime.nodes.errors import Cause, NodeError
    from kro_ls.runtime.passes.status import MissingField


class NodeState(Enum):
    """How far a node is. Pending waits for data, and kro tries again; an error stops kro's pass.

    Of what is unfinished no object can be made: its definition is half-typed, and kro refuses it.
    """

    RENDERED = "rendered"
    IGNORED = "ignored"
    PENDING = "pending"
    UNFINISHED = "unfinished"
    ERROR = "error"


class Reason(Struct, frozen=True):
    """Why something is missing: kro's text, the expression that caused it, and the node that must be ready first.

    `refused` is the API server's refusal of an object, with the field. `plain` is the text for people, where the other
    fields do not give it.
    """

    text: str
    cause: Cause | None = None
    waits_for: str | None = None
    refused: Refusal | None = None
    plain: str = ""

    @classmethod
    def of(cls, error: NodeError, *, cause: Cause | None = None) -> Reason:
        """Return why an error came up; `cause` replaces that of the error."""
        return cls(error.text, cause or error.cause, error.waits_for, plain=error.plain)


PENDING_STATES = frozenset({NodeState.PENDING, NodeState.UNFINISHED})
"""The states of nodes in which kro deletes no unwanted objects."""


class NodeResult(Struct, frozen=True):
    """The result of a node in a pass.

    `reason` is why it is pending or in error, `unready` why what is rendered is not ready. A node that is left out
    has the node `ignored_by` that it depends on, or the `includeWhen` of its own that decided, `ignored_because`.
    `observed` is None where the cluster has nothing. kro only reads the objects of what `is_external`. `stopped_by` is
    the node because of which kro stopped the pass before it applied this one, `contested_by` one that wants the same
    object. What `is_data` are the values of a `def` of a Graph, which are `observed`.
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
    stopped_by: str | None = None
    contested_by: str | None = None
    is_data: bool = False

    @property
    def count(self) -> int:
        """The number of its objects: those that were found of an external reference, else those that kro applies."""
        return len(self.observed or ()) if self.is_external else len(self.desired)

    @property
    def why(self) -> Reason | None:
        """Why the node is not ready, None where it is or is left out."""
        return self.reason or self.unready

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
        """Return the result of a node by its id."""
        return next((each for each in self.nodes if each.id == id_), None)


SUSPENDED = "reconciliation suspended via kro.run/reconcile annotation"


class InstanceState(Enum):
    """`status.state` of an instance."""

    ACTIVE = "ACTIVE"
    IN_PROGRESS = "IN_PROGRESS"
    ERROR = "ERROR"
    REFUSED = "REFUSED"
    """Not a state of kro's: it refuses the definition, so that there is no instance."""


class Outcome(Struct, frozen=True):
    """The state after a pass, kro's conditions, and why the pass was not clean; an empty text where it was.

    `has_state` is whether the object has a `status.state`, which a Graph lacks.
    """

    state: InstanceState
    conditions: tuple[Condition, ...]
    text: str = ""
    has_state: bool = True


def outcome_of(
    results: Sequence[NodeResult], nodes: Mapping[str, CompiledNode], *, conflict: str = "", mutated: bool = False
) -> Outcome:
    """Return what kro reports. `conflict` is why nothing was applied, `mutated` is whether the cluster was changed."""
    text, is_error = _first_problem(results, nodes, conflict)
    waiting = any(
        each.state in PENDING_STATES or (each.state is NodeState.RENDERED and each.unready) for each in results
    )
    if not text and mutated:
        text = "cluster mutated"
    state = InstanceState.ACTIVE
    if is_error:
        state = InstanceState.ERROR
    elif waiting:
        state = InstanceState.IN_PROGRESS
    if text:
        unready = Condition("ResourcesReady", "False", "NotReady", f"resource reconciliation failed: {text}")
        return Outcome(state, _with_ready(unready), text)
    ready = Condition("ResourcesReady", "True", "AllResourcesReady", "all resources are created and ready")
    return Outcome(state, _with_ready(ready))


def refused(text: str) -> Outcome:
    """Return the outcome where kro refuses the definition: no state and no conditions are ever written."""
    return Outcome(InstanceState.REFUSED, (), text, has_state=False)


def suspended() -> Outcome:
    """Return what kro reports of an instance that is suspended."""
    condition = Condition("ResourcesReady", "False", "ReconciliationSuspended", SUSPENDED)
    return Outcome(InstanceState.ACTIVE, _with_ready(condition), SUSPENDED)


def _first_problem(results: Sequence[NodeResult], nodes: Mapping[str, CompiledNode], conflict: str) -> tuple[str, bool]:
    """Return the text of a pass that was not clean, and whether it is an error."""
    for each in results:
        if each.state is NodeState.ERROR and each.reason:
            return each.reason.text, True
    if conflict:
        return conflict, False
    unready = [(each, each.unready) for each in results if each.unready]
    if unready:
        texts = [
            reason.text if each.unready_is_error else _unready_text(each.id, reason.text, nodes[each.id])
            for each, reason in unready
        ]
        is_error = any(each.unready_is_error for each, _ in unready)
        return "apply results contain errors: " + "\n".join(texts), is_error
    for each in results:
        if each.state in PENDING_STATES and each.reason:
            return f"waiting for unresolved resource: gvr {_resource_name(nodes[each.id])}: {each.reason.text}", False
    return "", False


def _unready_text(id_: str, text: str, node: CompiledNode) -> str:
    if not node.is_external:
        return f"waiting for node {go_quoted(id_)}: {text}"
    missing = "no observed state" in text
    return f"waiting for external reference {go_quoted(id_)}: {'not found' if missing else text}"


def _resource_name(node: CompiledNode) -> str:
    """Return the resource as kro prints it: group, version and plural."""
    if node.kind is None:
        return go_quoted(f"{node.template.get('apiVersion')}, Resource={str(node.template.get('kind')).lower()}s")
    name = node.kind.name
    return go_quoted(f"{name.group}/{name.version}, Resource={node.kind.plural}")


def _with_ready(resources: Condition) -> tuple[Condition, ...]:
    ready = (
        Condition("Ready", "True", "Ready")
        if resources.status == "True"
        else Condition("Ready", resources.status, resources.reason, resources.message)
    )
    return (
        Condition("InstanceManaged", "True", "Managed", "instance is properly managed with finalizers and labels"),
        Condition("GraphResolved", "True", "Resolved", "runtime graph created and all resources resolved"),
        resources,
        ready,
    )
