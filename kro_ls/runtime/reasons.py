"""Why a node is as it is, in one short sentence for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.runtime.render import NodeState

if TYPE_CHECKING:
    from kro_ls.runtime.render import NodeResult, Reason


def short_reason(result: NodeResult) -> str:
    """Return why the node is not ready; empty where it is."""
    if result.state is NodeState.IGNORED:
        if result.ignored_because is None:
            return f"depends on {result.ignored_by}, which is left out"
        return f"includeWhen is not true: {result.ignored_because.expression.text}"
    if result.reason is not None:
        return _pending(result, result.reason)
    return "" if result.unready is None else _unready(result, result.unready)


def state_word(result: NodeResult) -> str:
    """Return the node's state in one word: ready, waiting, pending, ignored or error."""
    if result.state is not NodeState.RENDERED:
        return str(result.state.value)
    if result.unready is None:
        return "ready"
    return "error" if result.unready_is_error else "waiting"


def _pending(result: NodeResult, reason: Reason) -> str:
    if reason.waits_for is not None and result.state is NodeState.PENDING:
        return f"waits for {reason.waits_for} to be ready"
    missing = reason.cause.failing if reason.cause else ""
    if missing and result.state is NodeState.PENDING:
        return f"{missing} is not there yet"
    return reason.text


def _unready(result: NodeResult, reason: Reason) -> str:
    if reason.cause is None or result.unready_is_error:
        if "no observed state" in reason.text:
            return "not found in the cluster" if result.is_external else "not applied, because kro stopped the pass"
        return reason.text.removesuffix(" (waiting for readiness)").removeprefix(f'node "{result.id}": ')
    text: str = reason.cause.expression.text
    missing = "failed to evaluate" in reason.text
    return f"readyWhen needs data that is not there yet: {text}" if missing else f"readyWhen is false: {text}"
