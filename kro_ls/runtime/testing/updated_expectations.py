"""What a test would have to expect to pass: the expectations that a run contradicts, with what was found instead.

Whatever the run does not contradict stays as it is written.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from kro_ls.openapi.json_values import as_list, as_object, as_texts
from kro_ls.runtime.passes.reasons import short_reason, state_word
from kro_ls.runtime.testing.expectations import (
    common_ends,
    created_objects,
    errors_of,
    part_mismatches,
    status_to_compare,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kro_ls.analysis.model.paths import Path
    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.runtime.cluster.simulation import Simulation
    from kro_ls.runtime.passes.results import NodeResult


def updated_expect(expect: JsonObject, simulation: Simulation) -> JsonObject:
    """Return the expectations of a test after the outcome of its run; a node or condition that is gone stays."""
    exactly = expect.get("exactly") is True
    nodes = {each.id: each for each in simulation.final.result.nodes}
    updated = with_errors(expect, [each.text for each in errors_of(simulation)])
    if expect.get("state") is not None or not updated:  # a test that expects nothing would always pass
        updated["state"] = simulation.state.value
    parts: JsonObject = {
        "nodes": _updated_nodes(as_object(expect.get("nodes")), nodes, exactly=exactly),
        "objects": _updated_objects(as_object(expect.get("objects")), simulation, exactly=exactly),
        "status": updated_part(as_object(expect.get("status")), status_to_compare(expect, simulation), exactly=exactly),
    }
    for name, part in parts.items():
        if part or (name in expect and not exactly):
            updated[name] = part
        elif expect.get(name):  # all of it is gone
            del updated[name]
    found = {as_object(each).get("type"): each for each in as_list(simulation.status.get("conditions"))}
    conditions = as_list(expect.get("conditions"))
    if conditions:
        updated["conditions"] = [
            updated_part(each, found.get(as_object(each).get("type"), each), exactly=False) for each in conditions
        ]
    return updated


def with_errors(expect: JsonObject, errors: Sequence[str]) -> JsonObject:
    """Return expectations with the parts of errors that still occur, and the errors of which no part is expected."""
    texts = as_texts(expect.get("errors"))
    unexpected = [error for error in errors if not any(text in error for text in texts)]
    kept = [text if any(text in error for error in errors) else None for text in texts]
    updated = [text if text is not None else unexpected.pop(0) for text in kept if text is not None or unexpected]
    others = {name: value for name, value in expect.items() if name != "errors"}
    if not updated and not unexpected:
        return others
    return dict(expect) | {"errors": [*updated, *unexpected]}


def only_at(expect: JsonValue, updated: JsonValue, path: Path) -> JsonValue:
    """Return expectations that are updated at one path and below, and nowhere else."""
    if not path:
        return updated
    step, *below = path
    if isinstance(step, str) and isinstance(expect, dict) and isinstance(updated, dict):
        if step not in updated:
            return {name: value for name, value in expect.items() if name != step}
        return expect | {step: only_at(expect.get(step), updated[step], tuple(below))}
    if isinstance(step, str) or not isinstance(expect, list) or not isinstance(updated, list):
        return updated
    if len(expect) != len(updated):  # the numbers of the items are not the same
        return updated
    return [
        only_at(*each, tuple(below)) if number == step else each[0]
        for number, each in enumerate(zip(expect, updated, strict=True))
    ]


def _updated_nodes(wanted: JsonObject, nodes: Mapping[str, NodeResult], *, exactly: bool) -> JsonObject:
    updated = {id_: _updated_node(each, nodes[id_]) if id_ in nodes else each for id_, each in wanted.items()}
    return updated | {id_: state_word(node) for id_, node in nodes.items() if exactly and id_ not in wanted}


def _updated_node(wanted: JsonValue, found: NodeResult) -> JsonValue:
    if not isinstance(wanted, dict):
        return wanted if wanted is None else state_word(found)
    updated = dict(wanted)
    if wanted.get("state") is not None:
        updated["state"] = state_word(found)
    text, reason = wanted.get("reason"), short_reason(found)
    said = found.why.text if found.why else ""
    if text is not None and str(text) not in reason and str(text) not in said:
        updated["reason"] = reason or said
        if not updated["reason"]:
            del updated["reason"]
    return updated


def _updated_objects(wanted: JsonObject, simulation: Simulation, *, exactly: bool) -> JsonObject:
    updated: JsonObject = {}
    created = created_objects(simulation)
    for id_, each in wanted.items():
        objects = created.get(id_)
        if objects is None:
            updated[id_] = each
        elif isinstance(each, list):
            updated[id_] = updated_part(each, objects, exactly=exactly)
        elif len(objects) == 1:
            updated[id_] = updated_part(each, objects[0], exactly=exactly)
        elif objects or not exactly:
            updated[id_] = [updated_part(each, found, exactly=exactly) for found in objects]
    external = {each.id for each in simulation.final.result.nodes if each.is_external}
    for id_, objects in created.items():
        if exactly and id_ not in wanted and objects and id_ not in external:
            updated[id_] = objects[0] if len(objects) == 1 else objects
    return updated


def updated_part(wanted: Any, found: Any, *, exactly: bool) -> Any:
    """Return what must be wanted of a value; see `expectations.part_mismatches`.

    A field that is gone is wanted to be absent (null), and is left out where absent fields need no mention.
    """
    if isinstance(wanted, dict) and isinstance(found, dict):
        updated = {}
        for name, value in wanted.items():
            if name in found:
                updated[name] = updated_part(value, found[name], exactly=exactly)
            elif value is None or not exactly:
                updated[name] = None
        return updated | {name: value for name, value in found.items() if exactly and name not in wanted}
    if isinstance(wanted, list) and isinstance(found, list):
        return _updated_items(wanted, found, exactly=exactly)
    return wanted if _matches(wanted, found, exactly=exactly) else found


def _updated_items(wanted: list[Any], found: list[Any], *, exactly: bool) -> list[Any]:
    """Return what must be wanted of a list: items at its beginning and its end that match stay what they are."""
    if len(wanted) == len(found):
        return [updated_part(*each, exactly=exactly) for each in zip(wanted, found, strict=True)]
    first, last = common_ends(wanted, found, partial(_matches, exactly=exactly))
    changed, now = wanted[first : len(wanted) - last], found[first : len(found) - last]
    middle = [updated_part(*each, exactly=exactly) for each in zip(changed, now, strict=False)]
    like = None if exactly or not wanted else wanted[-1]
    middle += [_like(like, each) for each in now[len(changed) :]]
    return [*wanted[:first], *middle, *wanted[len(wanted) - last :]]


def _like(other: Any, found: Any) -> Any:
    """Return the part of a value that another one names as well; all of it where they have nothing in common."""
    if not isinstance(other, dict) or not isinstance(found, dict):
        return found
    return {name: _like(value, found[name]) for name, value in other.items() if name in found} or found


def _matches(wanted: Any, found: Any, *, exactly: bool) -> bool:
    return next(part_mismatches(wanted, found, (), exactly=exactly), None) is None
