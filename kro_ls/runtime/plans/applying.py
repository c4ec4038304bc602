"""What the API server makes of applied objects: of an edited manifest, and of the objects of a plan in a dry run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from kro_ls.openapi.json_values import as_object, as_text
from kro_ls.runtime.plans.plan import Action, Trouble, TroubleKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.runtime.plans.plan import InstancePlan, ObjectChange, Plan


def applied_again(stored: JsonObject, before: JsonObject, after: JsonObject) -> JsonObject:
    """Return a stored object after its manifest, which was `before`, was edited and applied again.

    What the manifest did not set stays: the API server wrote its defaults into the object, and a new default changes
    nothing. A list that was edited is replaced.
    """
    kept = {name: value for name, value in stored.items() if name in after or name not in before}
    return {**kept, **{name: _value(stored.get(name), before.get(name), value) for name, value in after.items()}}


def _value(stored: JsonValue, before: JsonValue, after: JsonValue) -> JsonValue:
    if isinstance(stored, dict) and isinstance(after, dict):
        return applied_again(stored, before if isinstance(before, dict) else {}, after)
    return stored if isinstance(after, list) and isinstance(stored, list) and before == after else after


Place = tuple[int, int]
"""An instance of a plan, and one of its objects, by their numbers."""


def asked_objects(plan: Plan) -> Iterator[tuple[Place, JsonObject]]:
    """Yield the objects that kro would apply."""
    for number, instance in enumerate(plan.instances):
        for index, each in enumerate(instance.objects):
            if each.value is not None:
                yield (number, index), each.value


def with_answers(plan: Plan, answers: Mapping[Place, str], asked: int) -> Plan:
    """Return a plan with the API server's refusals. One that is only due to an object that the plan creates first is
    a note, and fails nothing.
    """
    created = {
        (as_text(value.get("kind")), as_text(as_object(value.get("metadata")).get("name")))
        for instance in plan.instances
        for each in instance.objects
        if each.action in (Action.CREATE, Action.REPLACE) and (value := each.value) is not None
    }
    places = {number for number, _ in answers}
    instances = tuple(
        _answered(each, {index: text for (place, index), text in answers.items() if place == number}, created)
        if number in places
        else each
        for number, each in enumerate(plan.instances)
    )
    return replace(plan, instances=instances, asked=asked)


def _answered(plan: InstancePlan, answers: Mapping[int, str], created: set[tuple[str, str]]) -> InstancePlan:
    objects, troubles, notes = list(plan.objects), list(plan.troubles), list(plan.notes)
    for index, text in answers.items():
        change = objects[index]
        if change.action is Action.BLOCKED:
            continue  # reported already
        if _comes_later(text, change, created):
            notes.append(f"{change.name} ({change.node}): cannot be asked before what it needs is there: {text}")
            continue
        objects[index] = replace(change, action=Action.BLOCKED, text=text)
        troubles.append(Trouble(TroubleKind.INVALID, text))
    return replace(plan, objects=tuple(objects), troubles=tuple(troubles), notes=tuple(notes))


def _comes_later(text: str, change: ObjectChange, created: set[tuple[str, str]]) -> bool:
    """Whether an object is refused only because its namespace or its kind does not exist yet."""
    namespace = as_text(as_object((change.value or {}).get("metadata")).get("namespace"))
    if f'namespaces "{namespace}" not found' in text:
        return ("Namespace", namespace) in created
    return "no matches for kind" in text and any(kind == "CustomResourceDefinition" for kind, _ in created)
