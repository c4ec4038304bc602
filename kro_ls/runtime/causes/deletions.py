"""Why an instance does not go away that somebody deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from kro_ls.kro import labels
from kro_ls.openapi.json_values import as_list, as_text
from kro_ls.runtime.causes.cause import CauseKind, Explanation
from kro_ls.runtime.causes.given_objects import annotations_of, called, conditions_of, metadata_of
from kro_ls.runtime.causes.health import deletion_of
from kro_ls.runtime.causes.messages import told_by
from kro_ls.runtime.causes.told_causes import cause_told

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.runtime.causes.told_causes import State


def deletion_causes(state: State, definition: JsonObject | None) -> Iterator[Explanation]:
    """Yield what holds an instance: what kro says, its objects, finalizers of others, or nobody who finishes it."""
    causes = [*_told(state), *_held(state)]
    yield from causes or _by_itself(state.instance, definition)


def _told(state: State) -> Iterator[Explanation]:
    for condition in conditions_of(state.instance).values():
        if condition.get("type") == "Ready" or condition.get("status") == "True":
            continue
        for told in told_by(as_text(condition.get("message"))):
            if told.kind not in (CauseKind.UNKNOWN, CauseKind.DELETION_BLOCKED):
                yield replace(cause_told(told, state), kro=f"{condition.get('type')}: {told.text}")


def _held(state: State) -> Iterator[Explanation]:
    for node, values in state.objects.children(state.instance).items():
        for value in values:
            held = deletion_of(value)
            if held and as_list(metadata_of(value).get("finalizers")):
                message = f"{held.message}, so {called(state.instance)} cannot go either"
                yield replace(held, message=message, node=node)


def _by_itself(instance: JsonObject, definition: JsonObject | None) -> Iterator[Explanation]:
    finalizers = [as_text(each) for each in as_list(metadata_of(instance).get("finalizers"))]
    others = [each for each in finalizers if each != labels.FINALIZER]
    name = called(instance)
    if others and labels.FINALIZER not in finalizers:
        message = f"{name} is being deleted, and {', '.join(map(repr, others))} holds it"
        yield Explanation(CauseKind.BEING_DELETED, message)
    elif definition is None:
        message = f"{name} is being deleted, and nobody finishes that if its definition is gone: none is given"
        yield Explanation(CauseKind.DEFINITION_GONE, message)
    else:
        says = as_text(conditions_of(instance).get("Ready", {}).get("message"))
        message = f"{name} is being deleted, and kro has not finished with its objects{f': {says}' if says else ''}"
        yield Explanation(CauseKind.DELETION_BLOCKED, message, kro=says, fetch=(_children_command(instance),))


def _children_command(instance: JsonObject) -> str:
    kinds = as_text(annotations_of(instance).get(labels.APPLY_SET_KINDS)) or "all"
    uid = as_text(metadata_of(instance).get("uid"))
    return f"kubectl get {kinds.lower()} -A -l {labels.INSTANCE_ID}={uid} -o yaml"
