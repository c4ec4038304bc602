"""Why a node is as it is, for people: in one short phrase, or in a sentence with the expression that decides.

Also why parts of the status have no value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias, cast

from msgspec import Struct

from kro_ls.analysis.model.paths import format_path
from kro_ls.openapi.json_values import as_object
from kro_ls.openapi.validation.field_errors import place_of
from kro_ls.runtime.nodes.errors import HELD, NOT_FOUND
from kro_ls.runtime.passes.results import PENDING_STATES, SUSPENDED, InstanceState, NodeState

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.runtime.nodes.errors import Cause
    from kro_ls.runtime.passes.results import NodeResult, Outcome, Pass, Reason
    from kro_ls.runtime.passes.status import MissingField


StateWord: TypeAlias = Literal["ready", "waiting", "pending", "unfinished", "ignored", "error"]


def short_reason(result: NodeResult) -> str:
    """Return why the node is not ready; empty where it is."""
    if result.state is NodeState.IGNORED:
        if result.ignored_because is None:
            return f"depends on {result.ignored_by}, which is left out"
        return f"includeWhen is not true: {result.ignored_because.expression.text}"
    if result.reason is not None:
        return _pending(result, result.reason)
    return "" if result.unready is None else _unready(result, result.unready)


def phrase(result: NodeResult) -> str:
    """Return the node's state in a phrase that names no expression: a reader sees the resource beside it."""
    if result.state is NodeState.IGNORED:
        by = result.ignored_by if result.ignored_because is None else None
        return f"left out, as {by} is" if by else "left out: includeWhen is false"
    if result.state is NodeState.UNFINISHED:
        return f"unfinished: {short_reason(result)}"
    if result.reason is not None:
        return _pending_phrase(result, result.reason)
    if result.unready is None:
        return "ready"
    return _unready_phrase(result, result.unready)


def _pending_phrase(result: NodeResult, reason: Reason) -> str:
    if reason.waits_for is not None:
        return (
            f"waits for {reason.waits_for}" if result.state is NodeState.PENDING else f"{reason.waits_for} has failed"
        )
    place = f"{reason.cause.expression.place.value} " if reason.cause else ""
    if result.state is NodeState.PENDING:
        return f"waits for data that its {place}reads" if place else "waits for data"
    return f"error: its {place}cannot be evaluated" if place else "error: no object can be made of it"


def _unready_phrase(result: NodeResult, reason: Reason) -> str:
    if result.contested_by is not None:
        return f"error: {result.contested_by} is the same object"
    if reason.refused is not None:
        return f"the API server refuses its {place_of(reason.refused.path)}"
    if result.unready_is_error:
        return "error: its readyWhen cannot be evaluated" if reason.cause else "error: it cannot be applied"
    if result.is_external and result.observed is None:
        return NOT_FOUND
    if result.stopped_by is not None:
        return f"not applied: {result.stopped_by} has failed"
    if reason.cause is not None:
        return "not ready: readyWhen is false"
    return HELD if reason.plain == HELD else "not ready"


def state_word(result: NodeResult) -> StateWord:
    """Return the node's state in one word: ready, waiting, pending, unfinished, ignored or error."""
    if result.state is not NodeState.RENDERED:
        return cast("StateWord", result.state.value)
    if result.unready is None:
        return "ready"
    return "error" if result.unready_is_error else "waiting"


def _pending(result: NodeResult, reason: Reason) -> str:
    if reason.waits_for is not None:
        is_pending = result.state is NodeState.PENDING
        return f"waits for {reason.waits_for} to be ready" if is_pending else f"{reason.waits_for} is in error"
    missing = reason.cause.failing if reason.cause else ""
    if missing and result.state is NodeState.PENDING:
        return f"{missing} is not there yet"
    return reason.plain or reason.text


def _unready(result: NodeResult, reason: Reason) -> str:
    if result.contested_by is not None:
        return f"{result.contested_by} is {object_name(result.desired[0])} too; kro applies neither"
    if reason.refused is not None:
        return f"the API server refuses {place_of(reason.refused.path)}: {reason.refused.message}"
    if reason.cause is None or result.unready_is_error:
        if result.is_external and result.observed is None:
            return NOT_FOUND
        if result.stopped_by is not None and not result.unready_is_error:
            return f"not applied: kro stopped the pass at {result.stopped_by}"
        return reason.plain or reason.text
    text: str = reason.cause.expression.text
    missing = "failed to evaluate" in reason.text
    return f"readyWhen needs data that is not there yet: {text}" if missing else f"readyWhen is false: {text}"


def missing_reason(field: MissingField, nodes: Sequence[NodeResult]) -> str:
    """Return why a field of the status has no value: what is missing, and how far the node is that should have it."""
    names = {use.name for use in field.cause.uses}
    read = [each for each in nodes if each.id in names]
    node = next((each for each in read if not each.is_ready), read[0] if read else None)
    if node is None:
        return field.plain
    if node.is_ready:
        return f"{field.plain}, although {node.id} is ready"
    if node.state is NodeState.IGNORED:
        return f"{field.plain}: {short_reason(node)}"
    word = state_word(node)
    return f"{field.plain}; {node.id} is {'in error' if word == 'error' else word}: {short_reason(node)}"


def pass_reason(nodes: Sequence[NodeResult], outcome: Outcome) -> str:
    """Return why kro must run another pass: what failed or is awaited; empty if the pass was clean."""
    if not outcome.text or outcome.state is InstanceState.REFUSED:
        return outcome.text
    if outcome.text == SUSPENDED:
        return "suspended by the annotation kro.run/reconcile of the instance"
    failed = [each for each in nodes if state_word(each) == "error"]
    if failed:
        return f"{_first_of(failed)} in error: {short_reason(failed[0])}"
    waiting = [each for each in nodes if state_word(each) == "waiting"]
    if len(waiting) == 1:
        return f"waits for {waiting[0].id}: {short_reason(waiting[0])}"
    if waiting:
        more = f" and {len(waiting) - _MOST_NAMED} more" if len(waiting) > _MOST_NAMED else ""
        named = [each.id for each in waiting[:_MOST_NAMED]]
        return f"waits for {', '.join(named)}{more}" if more else f"waits for {', '.join(named[:-1])} and {named[-1]}"
    pending = [each for each in nodes if each.state in PENDING_STATES]
    if len(pending) == 1:
        return f"{pending[0].id} is pending: {short_reason(pending[0])}"
    if pending:
        return f"{_first_of(pending)} still waiting"
    return "kro looks again, because this pass changed objects"


_MOST_NAMED = 3


def _first_of(nodes: Sequence[NodeResult]) -> str:
    """Return the nodes in a state, with the verb: the first, and the other one or their number."""
    first, *others = (each.id for each in nodes)
    if len(others) < 2:
        return f"{first} and {others[0]} are" if others else f"{first} is"
    return f"{first} and {len(others)} more resources are"


def object_name(value: JsonObject) -> str:
    """Return an object's kind and name, with its namespace where it has one."""
    metadata = as_object(value.get("metadata"))
    place = [str(metadata[name]) for name in ("namespace", "name") if metadata.get(name)]
    return f"{value.get('kind')} {'/'.join(place)}"


class MissingStatus(Struct, frozen=True):
    """A missing part of the status: why, for people and in kro's words, and which expression decides.

    `path` is that of a field in kro's notation, empty for anything but a single field. `plain` names what is missing,
    `reason` also the state of the node that should have it.
    """

    path: str
    reason: str
    plain: str
    text: str
    cause: Cause | None = None

    @property
    def sentence(self) -> str:
        """What is missing, for readers who also see the states of the nodes."""
        return f"status.{self.path} has no value: {self.plain}" if self.path else self.plain


def missing_status(result: Pass) -> Iterator[MissingStatus]:
    """Yield what a pass left out of the status."""
    for field in result.missing_fields:
        reason = missing_reason(field, result.nodes)
        yield MissingStatus(format_path(field.path), reason, field.plain, field.text, field.cause)
    error = result.status_error
    if error is not None:
        reason = f"kro writes no status: {error.plain or error.text}"
        yield MissingStatus("", reason, reason, error.text, error.cause)
    for field in result.conditions.pending:
        start = "a condition is missing: "
        reason = missing_reason(field, result.nodes)
        yield MissingStatus("", start + reason, start + field.plain, field.text, field.cause)
    for failure in result.conditions.failures:
        reason = f"a condition is dropped: {failure}"
        yield MissingStatus("", reason, reason, failure)
