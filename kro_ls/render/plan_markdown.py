"""A plan as Markdown, for a comment on a pull request: the verdict, the problems, and the objects in folds."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from kro_ls.printable import printable
from kro_ls.render.plan_groups import MOST_FIELDS, field_text, groups, headline, object_text, order_text, totals
from kro_ls.runtime.plans.plan import Action

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.render.plan_groups import Group
    from kro_ls.runtime.plans.plan import DefinitionPlan, ObjectChange, Plan

_MOST_CHARACTERS: Final = 60_000
"""GitHub takes comments of 65,536 characters."""
_SIGNS: Final = {
    Action.CREATE: "+",
    Action.CHANGE: "!",
    Action.REPLACE: "!",
    Action.DELETE: "-",
    Action.BLOCKED: "#",
}
"""The signs by which GitHub and GitLab colour a line of a `diff`."""
_WORDS: Final = {
    Action.CREATE: "create",
    Action.CHANGE: "change",
    Action.REPLACE: "replace",
    Action.DELETE: "delete",
    Action.BLOCKED: "refused:",
}
_SPECIAL: Final = re.compile(r"([\\`*_\[\]<>#|~@])")


def plan_markdown(plan: Plan) -> str:
    """Return a plan as Markdown, cut where a comment cannot be longer."""
    first, *more = totals(plan)
    sign = "❌" if plan.fails else "✅"
    lines = [f"### {sign} kro: {first}", ""]
    lines += [f"- {_escaped(each)}" for each in more]
    lines += [f"- compared with {_escaped(plan.against)}", ""]
    for definition in plan.definitions:
        lines += _definition(definition)
    length = sum(len(line) + 1 for line in lines)
    shown = groups(plan)
    for number, group in enumerate(shown):
        block = list(_group(group))
        length += sum(len(line) + 1 for line in block)
        if length > _MOST_CHARACTERS:
            lines.append(f"{len(shown) - number:,} more are left out: see `kro-ls plan --format text`")
            break
        lines += block
    return "\n".join(lines).rstrip("\n") + "\n"


def _definition(plan: DefinitionPlan) -> Iterator[str]:
    sign = "❌ " if plan.is_refused else ""
    yield f"{sign}**{_escaped(plan.kind)}**: {_escaped(plan.summary)}"
    for each in plan.changes:
        place = f" ({_escaped(each.file)}:{each.line})" if each.line else ""
        yield f"- {'**refused**: ' if each.is_refused else ''}{_escaped(each.message)}{place}"
    yield ""


def _group(group: Group) -> Iterator[str]:
    instance = group.first
    more = f" and {len(group.others):,} more" if group.others else ""
    sign = "❌ " if instance.fails else "⚠️ " if instance.troubles else ""
    name = f"<b>{_html(f'{instance.kind} {instance.name}')}</b>{more}"
    yield f"<details{' open' if instance.fails else ''}><summary>{sign}{name}: {_html(headline(instance))}</summary>"
    yield ""
    if group.others:
        yield f"{_escaped(group.others_text)}"
        yield ""
    for trouble in instance.troubles:
        since = "" if trouble.is_new else " (as before)"
        yield f"- **{trouble.kind.value}**{since}: {_escaped(trouble.text)}"
    yield from (f"- stays: {_escaped(each)}" for each in instance.notes)
    yield from (f"- differs: {_escaped(each)}" for each in instance.drift)
    order = order_text(instance)
    if order:
        yield f"- order: {_escaped(order)}"
    yield f"- {_escaped(instance.source)}"
    yield ""
    if instance.fields or instance.objects:
        yield "```diff"
        for field in instance.fields[:MOST_FIELDS]:
            yield f"! instance {_fenced(field_text(field))}"
        for change in instance.objects:
            yield from _object(change)
        yield "```"
        yield ""
    yield "</details>"
    yield ""


def _object(change: ObjectChange) -> Iterator[str]:
    yield f"{_SIGNS[change.action]} {_WORDS[change.action]} {_fenced(object_text(change))}"
    for each in change.fields[:MOST_FIELDS]:
        yield f"    {_fenced(field_text(each))}"
    if len(change.fields) > MOST_FIELDS:
        yield f"    and {len(change.fields) - MOST_FIELDS} more fields"


def _escaped(text: str) -> str:
    """Return a text that Markdown shows as it is, without mentions of users."""
    return _SPECIAL.sub(r"\\\1", printable(text)).replace("\\@", "&#64;")


def _html(text: str) -> str:
    return printable(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("@", "&#64;")


def _fenced(text: str) -> str:
    return printable(text).replace("```", "'''")
