"""Compares what came of an instance with what a test expects.

Objects and status match in part, unless a test says `exactly`; conditions always do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kro_ls.openapi.json_values import as_list, as_object
from kro_ls.runtime.metadata import unmanaged
from kro_ls.runtime.observed import InputProblem, unknown_node
from kro_ls.runtime.reasons import short_reason, state_word
from kro_ls.shortening import shortened

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from kro_ls.analysis.model.paths import Path
    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.runtime.results import NodeResult
    from kro_ls.runtime.simulation import Simulation


def error_mismatches(expected: JsonValue, errors: Sequence[str], path: Path) -> Iterator[InputProblem]:
    """Yield where the errors are not the expected ones: each expected text is in one, and none is unexpected."""
    texts = [str(each) for each in as_list(expected)]
    for index, text in enumerate(texts):
        if not any(text in error for error in errors):
            found = "; ".join(errors) or "there is none"
            yield InputProblem((*path, index), f"no error says {text!r}: {found}")
    for error in errors:
        if not any(text in error for text in texts):
            yield InputProblem(path, f"unexpected error: {error}")


def errors_of(simulation: Simulation) -> list[str]:
    """Return the texts of what went wrong in the end."""
    result = simulation.final.result
    errors = [each.reason.text for each in result.nodes if each.reason and state_word(each) == "error"]
    errors += [each.unready.text for each in result.nodes if each.unready and each.unready_is_error]
    errors += result.conditions.failures
    if result.status_error:
        errors.append(result.status_error.text)
    if not errors and simulation.state.value == "ERROR":
        errors.append(simulation.final.outcome.text)
    return list(dict.fromkeys(errors))


def mismatches(expect: JsonObject, simulation: Simulation, path: Path) -> Iterator[InputProblem]:
    """Yield where the outcome is not what a test expects; `path` leads to `expect` in the test file."""
    yield from error_mismatches(expect.get("errors"), errors_of(simulation), (*path, "errors"))
    state = expect.get("state")
    if state is not None and state != simulation.state.value:
        found = simulation.state.value
        reason = f": {simulation.final.outcome.text}" if simulation.final.outcome.text else ""
        yield InputProblem((*path, "state"), f"the state is {found}{reason}")
    nodes = {each.id: each for each in simulation.final.result.nodes}
    exactly = expect.get("exactly") is True
    if exactly:
        yield from _unexpected(expect, nodes, path)
    for id_, wanted in as_object(expect.get("nodes")).items():
        here = (*path, "nodes", id_)
        if id_ in nodes:
            yield from _node_mismatches(wanted, nodes[id_], here)
        else:
            yield InputProblem(here, unknown_node(id_, nodes), in_key=True)
    for id_, wanted in as_object(expect.get("objects")).items():
        here = (*path, "objects", id_)
        if id_ in nodes:
            yield from _object_mismatches(wanted, nodes[id_], here, exactly=exactly)
        else:
            yield InputProblem(here, unknown_node(id_, nodes), in_key=True)
    yield from _status_mismatches(expect, simulation, (*path, "status"))
    yield from _condition_mismatches(expect, simulation, (*path, "conditions"))


def _node_mismatches(wanted: JsonValue, found: NodeResult, path: Path) -> Iterator[InputProblem]:
    described = as_object(wanted)
    state = described.get("state") if isinstance(wanted, dict) else wanted
    word, reason = state_word(found), short_reason(found)
    if state is not None and state != word:
        yield InputProblem(path, f"{found.id} is {word}{f': {reason}' if reason else ''}")
    text = described.get("reason")
    said = (found.reason or found.unready).text if found.reason or found.unready else ""  # type: ignore[union-attr] # one is there
    if text is not None and str(text) not in reason and str(text) not in said:
        yield InputProblem((*path, "reason"), f"the reason is {reason or 'none'!r}; kro says {said or 'nothing'!r}")


def _unexpected(expect: JsonObject, nodes: Mapping[str, NodeResult], path: Path) -> Iterator[InputProblem]:
    """Yield the nodes and objects that an exact test does not name."""
    for key in ("nodes", "objects"):
        named = as_object(expect.get(key))
        for id_, node in nodes.items():
            if id_ not in named and (key == "nodes" or (node.desired and not node.is_external)):
                found = state_word(node) if key == "nodes" else f"has {_counted(len(node.desired), 'object')}"
                yield InputProblem((*path, key), f"{id_} is not expected; it {'is ' if key == 'nodes' else ''}{found}")


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _object_mismatches(wanted: JsonValue, found: NodeResult, path: Path, *, exactly: bool) -> Iterator[InputProblem]:
    """Compare one object, or a list of all objects of the node in their order."""
    objects = [unmanaged(each) for each in found.desired]
    if isinstance(wanted, list):
        yield from part_mismatches(wanted, list(objects), path, exactly=exactly)
    elif len(objects) == 1:
        yield from part_mismatches(wanted, objects[0], path, exactly=exactly)
    else:
        reason = short_reason(found)
        detail = f"it is {state_word(found)}{f': {reason}' if reason else ''}" if not objects else "expect a list"
        yield InputProblem(path, f"{found.id} has {len(objects)} objects; {detail}", in_key=True)


def _status_mismatches(expect: JsonObject, simulation: Simulation, path: Path) -> Iterator[InputProblem]:
    """Compare the status; of a field that has no value yet, say why."""
    missing = {(*path, *each.path): each.plain for each in simulation.final.result.missing_fields}
    status, exactly = simulation.status, expect.get("exactly") is True
    wanted = as_object(expect.get("status"))
    if exactly:
        status = {
            name: value for name, value in status.items() if name in wanted or name not in ("state", "conditions")
        }
    for each in part_mismatches(wanted, status, path, exactly=exactly):
        reason = missing.get(each.path)
        yield InputProblem(each.path, f"it has no value yet: {reason}", in_key=True) if reason else each


def _condition_mismatches(expect: JsonObject, simulation: Simulation, path: Path) -> Iterator[InputProblem]:
    """Compare the conditions by their type."""
    found = {as_object(each).get("type"): each for each in as_list(simulation.status.get("conditions"))}
    for index, wanted in enumerate(as_list(expect.get("conditions"))):
        name = as_object(wanted).get("type")
        if name in found:
            yield from part_mismatches(wanted, found[name], (*path, index))
        else:
            types = ", ".join(str(each) for each in found) or "none"
            yield InputProblem((*path, index), f"there is no condition of type {name!r}; there are: {types}")


def part_mismatches(wanted: Any, found: Any, path: Path, *, exactly: bool = False) -> Iterator[InputProblem]:
    """Yield where a value is not as wanted: objects may have more fields unless `exactly`, lists have as many items.

    Null for a field means that it is absent or null.
    """
    if isinstance(wanted, dict) and isinstance(found, dict):
        for name, value in wanted.items():
            if name in found:
                yield from part_mismatches(value, found[name], (*path, name), exactly=exactly)
            elif value is not None:
                known = ", ".join(sorted(found)) or "none"
                yield InputProblem((*path, name), f"{name} is not there; the fields are: {known}", in_key=True)
        for name in found if exactly else ():
            if name not in wanted:
                yield InputProblem(path, f"{name} is not expected; it is {_shown(found[name])}")
    elif isinstance(wanted, list) and isinstance(found, list):
        if len(wanted) != len(found):
            yield InputProblem(path, f"there are {len(found)} items, not {len(wanted)}")
        for index, (one, other) in enumerate(zip(wanted, found, strict=False)):
            yield from part_mismatches(one, other, (*path, index), exactly=exactly)
    elif wanted != found or isinstance(wanted, bool) is not isinstance(found, bool):
        yield InputProblem(path, f"it is {_shown(found)}, not {_shown(wanted)}")


def _shown(value: Any) -> str:
    import json

    return shortened(json.dumps(value, ensure_ascii=False), 200)
