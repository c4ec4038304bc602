"""Explains why an instance is stuck: kro's messages, looked up in the objects and the definition."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from kro_ls.kro import labels
from kro_ls.openapi.json_values import as_list, as_text
from kro_ls.runtime.causes.cause import CauseKind, Explanation
from kro_ls.runtime.causes.definition_troubles import definition_troubles
from kro_ls.runtime.causes.fights import left_out
from kro_ls.runtime.causes.given_objects import (
    annotations_of,
    conditions_of,
    is_definition,
    labels_of,
    metadata_of,
    status_of,
)
from kro_ls.runtime.causes.health import deletion_of
from kro_ls.runtime.causes.messages import reported_in
from kro_ls.runtime.causes.permissions import missing_permissions
from kro_ls.runtime.causes.reported_causes import State, cause_of
from kro_ls.runtime.causes.waiting_nodes import Nodes
from kro_ls.runtime.nodes.node_objects import group_kind
from kro_ls.runtime.passes.reasons import object_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.runtime.causes.given_objects import Objects


_MOST_CHAINED = 5
_CONSEQUENCES = frozenset(
    {CauseKind.REFERENCE_MISSING, CauseKind.WAITING, CauseKind.SERVER_TROUBLE, CauseKind.UNKNOWN, CauseKind.LEFT_OUT}
)
"""What mostly follows from another cause, where there is one."""


class Explained(Struct, frozen=True):
    """Why an instance, or a definition without one, is stuck. `state` is kro's; the first cause matters most."""

    subject: JsonObject
    state: str
    causes: tuple[Explanation, ...]
    says: tuple[str, ...]
    """kro's messages in conditions that are not true."""

    @property
    def is_well(self) -> bool:
        """Whether nothing blocks it."""
        return all(each.kind in (CauseKind.NOTHING, CauseKind.LEFT_OUT) for each in self.causes)


def explain(
    subject: JsonObject, objects: Objects, definitions: dict[tuple[str, str], RgdAnalysis], depth: int = 0
) -> Explained:
    """Explain an instance, or a definition. `definitions` are those that are read, by the kinds that they declare."""
    if is_definition(subject):
        causes = tuple(definition_troubles(subject, objects))
        return Explained(subject, as_text(status_of(subject).get("state")), causes or _nothing(subject), _says(subject))
    definition = objects.definition_of(subject)
    rgd = definitions.get(group_kind(subject))
    nodes = Nodes(rgd, objects.children(subject), objects) if rgd else None
    found = [*_instance_causes(subject, definition, nodes, objects)]
    found = [each for cause in found for each in _chained(cause, objects, definitions, depth)]
    found.sort(key=lambda cause: cause.kind in _CONSEQUENCES)
    if definition is None and rgd is None:
        found = [replace(each, fetch=(*each.fetch, _definition_command(subject))) for each in found]
    says = [*_says(subject), *(_says(definition) if definition else ())]
    state = as_text(status_of(subject).get("state"))
    return Explained(
        subject,
        state,
        tuple({each.message: each for each in reversed(found)}.values())[::-1] or _nothing(subject),
        tuple(says),
    )


def _nothing(subject: JsonObject) -> tuple[Explanation, ...]:
    return (Explanation(CauseKind.NOTHING, f"nothing keeps {object_name(subject)} from going on"),)


def _says(value: JsonObject) -> tuple[str, ...]:
    found = [each for each in conditions_of(value).values() if each.get("status") != "True"]
    texts = {as_text(each.get("message")): each for each in reversed(found)}
    return tuple(
        f"{value.get('kind')} {each.get('type')}={each.get('status')} {each.get('reason')}: {text}".rstrip(": ")
        for text, each in reversed(texts.items())
    )


def _definition_command(subject: JsonObject) -> str:
    name = as_text(labels_of(subject).get(labels.DEFINITION_NAME))
    return f"kubectl get resourcegraphdefinitions.kro.run{f' {name}' if name else ''} -o yaml"


def _instance_causes(
    instance: JsonObject, definition: JsonObject | None, nodes: Nodes | None, objects: Objects
) -> Iterator[Explanation]:
    if as_text(annotations_of(instance).get(labels.RECONCILE)).lower() in ("disabled", "suspended"):
        annotation = f"{labels.RECONCILE}: {annotations_of(instance)[labels.RECONCILE]}"
        message = f"reconciliation of {object_name(instance)} is suspended by the annotation {annotation}"
        yield Explanation(CauseKind.SUSPENDED, message, kro=_ready_message(instance))
        return
    troubles = list(definition_troubles(definition, objects)) if definition else []
    yield from troubles
    if metadata_of(instance).get("deletionTimestamp"):
        yield from deletion_causes(State(instance, nodes, objects), definition)
        return
    conditions = conditions_of(instance)
    if not conditions:
        if not troubles:
            message = f"kro writes no status into {object_name(instance)}, and only its log has the reason"
            lacking = missing_permissions(nodes, objects, instance)
            yield replace(lacking, message=f"{message}: {lacking.message}")
        return
    failed = [each for each in conditions.values() if each.get("status") != "True" and each.get("type") != "Ready"]
    for condition in failed or [each for each in conditions.values() if each.get("status") != "True"]:
        for reported in reported_in(as_text(condition.get("message"))):
            cause = cause_of(reported, State(instance, nodes, objects))
            yield replace(cause, kro=cause.kro or f"{condition.get('type')}: {reported.text}")
    if _is_stale(instance) and not troubles:
        message = (
            f"kro has not looked at {object_name(instance)} since its last edit: its conditions are about an older one"
        )
        lacking = missing_permissions(nodes, objects, instance)
        yield replace(lacking, message=f"{message}; {lacking.message}")
    if not failed and nodes is not None and not troubles:
        yield from nodes.status_troubles(instance)
        yield from left_out(nodes.rgd, instance)


def _ready_message(instance: JsonObject) -> str:
    return as_text(conditions_of(instance).get("Ready", {}).get("message"))


def _is_stale(instance: JsonObject) -> bool:
    """Whether kro's conditions are about an older generation of the instance."""
    generation = metadata_of(instance).get("generation")
    observed = [each.get("observedGeneration") for each in conditions_of(instance).values()]
    seen = [each for each in observed if isinstance(each, int)]
    return isinstance(generation, int) and bool(seen) and max(seen) < generation


def _chained(
    cause: Explanation, objects: Objects, definitions: dict[tuple[str, str], RgdAnalysis], depth: int
) -> Iterator[Explanation]:
    """Yield a cause; for a child instance, with the causes why that one is stuck."""
    if cause.kind is not CauseKind.CHILD_INSTANCE or cause.value is None or depth > _MOST_CHAINED:
        yield cause
        return
    behind = explain(cause.value, objects, definitions, depth + 1).causes
    inner = [each for each in behind if each.kind is not CauseKind.NOTHING]
    reasons = "; ".join(each.message for each in inner)
    own = f"the child instance {object_name(cause.value)} is not ACTIVE" if reasons else cause.message
    message = f"{own}: {reasons}"
    fetch = tuple(dict.fromkeys(each for found in inner for each in found.fetch))
    yield replace(cause, message=message, fetch=(*cause.fetch, *fetch), unblock=inner[0].advice if inner else "")


def deletion_causes(state: State, definition: JsonObject | None) -> Iterator[Explanation]:
    """Yield what blocks a deletion: what kro reports, its objects, finalizers of others, or a missing definition."""
    causes = [*_reported(state), *_held(state)]
    yield from causes or _by_itself(state.instance, definition)


def _reported(state: State) -> Iterator[Explanation]:
    for condition in conditions_of(state.instance).values():
        if condition.get("type") == "Ready" or condition.get("status") == "True":
            continue
        for reported in reported_in(as_text(condition.get("message"))):
            if reported.kind not in (CauseKind.UNKNOWN, CauseKind.DELETION_BLOCKED):
                yield replace(cause_of(reported, state), kro=f"{condition.get('type')}: {reported.text}")


def _held(state: State) -> Iterator[Explanation]:
    for node, values in state.objects.children(state.instance).items():
        for value in values:
            held = deletion_of(value)
            if held and as_list(metadata_of(value).get("finalizers")):
                message = f"{held.message}, so {object_name(state.instance)} cannot go either"
                yield replace(held, message=message, node=node)


def _by_itself(instance: JsonObject, definition: JsonObject | None) -> Iterator[Explanation]:
    finalizers = [as_text(each) for each in as_list(metadata_of(instance).get("finalizers"))]
    others = [each for each in finalizers if each != labels.FINALIZER]
    name = object_name(instance)
    if others and labels.FINALIZER not in finalizers:
        message = f"{name} is being deleted, and {', '.join(map(repr, others))} holds it"
        yield Explanation(CauseKind.BEING_DELETED, message)
    elif definition is None:
        message = f"{name} is being deleted, and nobody finishes that if its definition is gone: none is given"
        yield Explanation(CauseKind.DEFINITION_GONE, message)
    else:
        says = _ready_message(instance)
        message = f"{name} is being deleted, and kro has not finished with its objects{f': {says}' if says else ''}"
        yield Explanation(CauseKind.DELETION_BLOCKED, message, kro=says, fetch=(_children_command(instance),))


def _children_command(instance: JsonObject) -> str:
    kinds = as_text(annotations_of(instance).get(labels.APPLY_SET_KINDS)) or "all"
    uid = as_text(metadata_of(instance).get("uid"))
    return f"kubectl get {kinds.lower()} -A -l {labels.INSTANCE_ID}={uid} -o yaml"
