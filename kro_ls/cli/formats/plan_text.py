"""A plan for people in a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from kro_ls.printable import printable
from kro_ls.render.plan_groups import MOST_FIELDS, field_text, groups, headline, object_text, order_text, totals
from kro_ls.runtime.plans.plan import Action, TroubleKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.render.plan_groups import Group
    from kro_ls.runtime.plans.plan import DefinitionPlan, ObjectChange, Plan

_SIGNS: Final = {
    Action.CREATE: ("+ create ", "green"),
    Action.CHANGE: ("~ change ", "yellow"),
    Action.REPLACE: ("± replace", "yellow"),
    Action.DELETE: ("- delete ", "red"),
    Action.BLOCKED: ("! refused", "red"),
}


def render(plan: Plan) -> str:
    """Return a plan as text: the totals, the definitions, and the instances, first what fails."""
    first, *more = totals(plan)
    head = click.style(f"Plan against {printable(plan.against)}: {first}", bold=True)
    lines = [head, *(f"  {each}" for each in more)]
    for definition in plan.definitions:
        lines += ["", *_definition(definition)]
    for group in groups(plan):
        lines += ["", *_group(group)]
    return "\n".join(lines) + "\n"


def _definition(plan: DefinitionPlan) -> Iterator[str]:
    yield f"{click.style(printable(plan.kind), bold=True)}: {printable(plan.summary)}"
    for each in plan.changes:
        word = click.style("refused", fg="red") if each.is_refused else "changed"
        place = f"{each.file}:{each.line}:{each.column}: " if each.line else ""
        yield f"  {word} {printable(f'{place}{each.message}')}"


def _group(group: Group) -> Iterator[str]:
    instance = group.first
    name = click.style(printable(f"{instance.kind} {instance.name}"), bold=True)
    yield f"{name} ({printable(instance.source)}): {headline(instance)}"
    if group.others:
        yield f"  {printable(group.others_text)}"
    for trouble in instance.troubles:
        colour = "yellow" if trouble.kind is TroubleKind.WAITS or not trouble.is_new else "red"
        suffix = "" if trouble.is_new else ", as before"
        yield f"  {click.style(f'{trouble.kind.value}{suffix}', fg=colour)}: {printable(trouble.text)}"
    for field in instance.fields[:MOST_FIELDS]:
        yield f"  edited {field_text(field)}"
    for change in instance.objects:
        yield from _object(change)
    yield from (f"  stays: {printable(each)}" for each in instance.notes)
    yield from (f"  differs: {printable(each)}" for each in instance.drift)
    order = order_text(instance)
    if order:
        yield f"  order: {printable(order)}"


def _object(change: ObjectChange) -> Iterator[str]:
    word, colour = _SIGNS[change.action]
    yield f"  {click.style(word, fg=colour)} {printable(object_text(change))}"
    for each in change.fields[:MOST_FIELDS]:
        yield f"      {printable(field_text(each))}"
    if len(change.fields) > MOST_FIELDS:
        yield f"      and {len(change.fields) - MOST_FIELDS} more fields"
