"""What the formats of a plan share: totals, and groups of instances to which the same happens."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from kro_ls.printable import printable
from kro_ls.runtime.plans.plan import Action, Fate, TroubleKind
from kro_ls.shortening import shortened

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.runtime.plans.field_changes import FieldChange
    from kro_ls.runtime.plans.plan import InstancePlan, ObjectChange, Plan

MOST_FIELDS: Final = 12
"""The most fields of one object that are shown to people."""
_LONGEST_VALUE: Final = 60
_MOST_NAMES: Final = 5
_WORDS: Final = {
    Action.CREATE: "created",
    Action.CHANGE: "changed",
    Action.REPLACE: "replaced",
    Action.DELETE: "deleted",
    Action.BLOCKED: "refused",
}
_TROUBLES: Final = {
    TroubleKind.REFUSED: "refused by the API server",
    TroubleKind.IMMUTABLE: "with a change of an immutable field",
    TroubleKind.INVALID: "with an object that the API server refuses",
    TroubleKind.ERROR: "in error",
    TroubleKind.NOT_SERVED: "without a definition that kro accepts",
    TroubleKind.WAITS: "waiting",
}


class Group(Struct, frozen=True):
    """Instances of a kind to which the same happens: the plan of the first, and the names of the others."""

    first: InstancePlan
    others: tuple[str, ...] = ()

    @property
    def others_text(self) -> str:
        """The other instances in a phrase; empty where there are none."""
        if not self.others:
            return ""
        left = len(self.others) - _MOST_NAMES
        names = ", ".join(self.others[:_MOST_NAMES])
        return f"the same happens to {names}{f' and {left:,} more' if left > 0 else ''}"


def groups(plan: Plan) -> list[Group]:
    """Return the instances that change or have a problem; those that fail come first."""
    found: dict[object, list[InstancePlan]] = {}
    for each in plan.instances:
        if not each.is_quiet or each.is_changed:
            found.setdefault(_shape(each), []).append(each)
    grouped = [Group(first, tuple(each.name for each in others)) for first, *others in found.values()]
    return sorted(grouped, key=lambda group: (not group.first.fails, not group.first.troubles))


def _shape(plan: InstancePlan) -> object:
    objects = tuple(
        (each.action, each.node, each.step, each.why, each.is_immutable, tuple(field.path for field in each.fields))
        for each in plan.objects
    )
    troubles = tuple((each.kind, each.is_new) for each in plan.troubles)
    fields = tuple(each.path for each in plan.fields)
    others = len(plan.notes), len(plan.drift), plan.source.startswith("made by")
    return plan.kind, plan.fate, plan.before, plan.after, objects, troubles, fields, *others


def totals(plan: Plan) -> Iterator[str]:
    """Yield sentences about the whole plan, the most important first."""
    changed = sum(each.is_changed for each in plan.instances)
    yield f"{changed:,} of {len(plan.instances):,} instances {'changes' if changed == 1 else 'change'}"
    actions = Counter(each.action for instance in plan.instances for each in instance.objects)
    if actions:
        yield "objects: " + ", ".join(f"{actions[each]:,} {word}" for each, word in _WORDS.items() if actions[each])
    if plan.asked:
        yield f"a dry run asked the API server about {_count(plan.asked, 'object')}"
    fates = Counter(each.fate for each in plan.instances)
    changed_fates = [
        f"{fates[each]:,} {each.value}" for each in (Fate.CREATED, Fate.EDITED, Fate.DELETED) if fates[each]
    ]
    if changed_fates:
        yield "instances: " + ", ".join(changed_fates)
    refused = sum(each.is_refused for each in plan.definitions)
    if refused:
        yield f"{_count(refused, 'definition')} refused, or breaking what exists"
    for is_new in (True, False):
        kinds = Counter(
            kind
            for instance in plan.instances
            for kind in {each.kind for each in instance.troubles if each.is_new is is_new}
        )
        for kind, words in _TROUBLES.items():
            if kinds[kind]:
                yield f"{_count(kinds[kind], 'instance')} {words}{'' if is_new else ', as before'}"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def headline(instance: InstancePlan) -> str:
    """Return the fate of an instance in a phrase: its states, and how many objects are created, changed and so on."""
    counts = [f"{number} {word}" for action, word in _WORDS.items() if (number := instance.count(action))]
    fate = "" if instance.fate is Fate.KEPT else instance.fate.value
    if not instance.after and instance.fate is not Fate.DELETED:
        return "; ".join(filter(None, (fate and f"not {fate}", "nothing happens")))
    states = f"{instance.before} -> {instance.after}" if instance.before and instance.after else instance.after
    if instance.before == instance.after:
        states = f"stays {instance.after}"
    return "; ".join(filter(None, (fate, ", ".join(counts), states)))


def order_text(instance: InstancePlan) -> str:
    """Return the order in which kro reaches the objects if that takes more than one pass, otherwise an empty text."""
    passes: dict[int, list[str]] = {}
    for each in instance.objects:
        if each.action is not Action.BLOCKED:
            passes.setdefault(each.step, []).append(each.node)
    if len(passes) < 2:
        return ""
    return ", then ".join(" and ".join(dict.fromkeys(nodes)) for _, nodes in sorted(passes.items()))


def object_text(change: ObjectChange) -> str:
    """Return an object with its node and the reason for its change."""
    name = f"{change.former} -> {change.name}" if change.former else change.name
    return f"{name} ({change.node}){f': {change.why}' if change.why else ''}"


def field_text(change: FieldChange) -> str:
    """Return a changed field with its values, on one line."""
    if not change.was:
        return f"{change.path}: {_shown(change.new)} (new)"
    if not change.stays:
        return f"{change.path}: {_shown(change.old)} (gone)"
    return f"{change.path}: {_shown(change.old)} -> {_shown(change.new)}"


def _shown(value: object) -> str:
    return printable(shortened(json.dumps(value, ensure_ascii=False), _LONGEST_VALUE))
