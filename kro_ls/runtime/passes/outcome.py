"""What kro reports after a pass: the state of the instance and kro's own conditions.

Source: kro `pkg/controller/instance`.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.golang.quoting import go_quoted
from kro_ls.kro.conversion import Condition
from kro_ls.runtime.passes.results import PENDING_STATES, NodeState

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kro_ls.runtime.nodes.compiled import CompiledNode
    from kro_ls.runtime.passes.results import NodeResult

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
