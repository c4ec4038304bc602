"""A plan as JSON, for programs: every instance and every field, in the order of application."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import msgspec

from kro_ls.printable import printable_literals, unicode_text

if TYPE_CHECKING:
    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.runtime.plans.field_changes import FieldChange
    from kro_ls.runtime.plans.plan import DefinitionPlan, InstancePlan, ObjectChange, Plan, Trouble


def plan_json(plan: Plan) -> str:
    """Return a plan as JSON."""
    value: JsonObject = {
        "against": plan.against,
        "fails": plan.fails,
        "asked": plan.asked,
        "definitions": [_definition(each) for each in plan.definitions],
        "instances": [_instance(each) for each in plan.instances],
    }
    written = json.dumps(value).encode("ascii")  # with an indent it would take ten times as long
    return printable_literals(msgspec.json.format(written, indent=2).decode("ascii")) + "\n"


def _definition(plan: DefinitionPlan) -> JsonObject:
    changes: list[JsonValue] = []
    for each in plan.changes:
        change: JsonObject = {"message": each.message, "refused": each.is_refused}
        if each.line:
            change |= {"file": unicode_text(each.file), "line": each.line, "column": each.column}
        changes.append(change)
    head: JsonObject = {"kind": plan.kind, "file": unicode_text(plan.file), "summary": plan.summary}
    return {**head, "refused": plan.is_refused, "changes": changes}


def _instance(plan: InstancePlan) -> JsonObject:
    return {
        "kind": plan.kind,
        "name": plan.name,
        "source": unicode_text(plan.source),
        "fate": plan.fate.value,
        "before": plan.before or None,
        "after": plan.after or None,
        "fields": [_field(each) for each in plan.fields],
        "objects": [_object(each) for each in plan.objects],
        "troubles": [_trouble(each) for each in plan.troubles],
        "notes": [*plan.notes],
        "drift": [*plan.drift],
    }


def _object(change: ObjectChange) -> JsonObject:
    found: JsonObject = {"action": change.action.value, "object": change.name, "node": change.node, "pass": change.step}
    if change.former:
        found["former"] = change.former
    if change.why:
        found["why"] = change.why
    if change.text:
        found |= {"apiServer": change.text, "immutable": change.is_immutable}
    return {**found, "fields": [_field(each) for each in change.fields]}


def _field(change: FieldChange) -> JsonObject:
    found: JsonObject = {"path": change.path}
    if change.was:
        found["old"] = change.old
    if change.stays:
        found["new"] = change.new
    return found


def _trouble(trouble: Trouble) -> JsonObject:
    found: JsonObject = {"kind": trouble.kind.value, "message": trouble.text, "new": trouble.is_new}
    return {**found, "kro": trouble.kro} if trouble.kro else found
