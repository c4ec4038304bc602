"""Compares the outcome of an instance with what a test expects.

Objects and status match in part, unless a test says `exactly`; conditions always do.
"""

from __future__ import annotations

import json
import operator
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from kro_ls.openapi.json_values import as_list, as_object
from kro_ls.runtime.cluster.scenario import InputProblem, unknown_node
from kro_ls.runtime.passes.metadata import unmanaged
from kro_ls.runtime.passes.reasons import missing_reason, pass_reason, short_reason, state_word
from kro_ls.shortening import shortened

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from kro_ls.analysis.model.paths import Path
    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.runtime.cluster.simulation import Simulation
    from kro_ls.runtime.passes.results import NodeResult, Reason


def common_ends(one: Sequence[Any], other: Sequence[Any], is_same: Callable[[Any, Any], bool]) -> tuple[int, int]:
    """Return how many items are the same at the beginning of two lists, and how many of the rest at the end."""

    def count(*lists: Sequence[Any]) -> int:
        return len(list(takewhile(lambda pair: is_same(*pair), zip(*lists, strict=False))))

    first = count(one, other)
    return first, count(one[first:][::-1], other[first:][::-1])


class FoundError(Struct, frozen=True):
    """What went wrong: the text of kro or the API server, and the same in plain words."""

    text: str
    plain: str


_MOST_SHOWN = 200
_BEFORE_DIFFERENCE = 20


def error_mismatches(expected: JsonValue, errors: Sequence[FoundError], path: Path) -> Iterator[InputProblem]:
    """Yield where the errors are not the expected ones: each expected text is in one, and none is unexpected."""
    texts = [str(each) for each in as_list(expected)]
    for index, text in enumerate(texts):
        if not any(text in error.text for error in errors):
            yield _found_errors((*path, index), f"an error that says {text!r}", errors)
    for error in errors:
        if not any(text in error.text for text in texts):
            yield _found_errors(path, "no other error" if texts else "no error", [error])


def _found_errors(path: Path, expected: str, errors: Sequence[FoundError]) -> InputProblem:
    found, texts = ("; ".join(each) for each in ([each.plain for each in errors], [each.text for each in errors]))
    message = f"expected {expected}, found {found or 'no error'}"
    return InputProblem(path, message, kro_message=texts if texts != found else "")


def errors_of(simulation: Simulation) -> list[FoundError]:
    """Return what went wrong in the end."""
    result, outcome = simulation.final.result, simulation.final.outcome
    errors = [_of_node(each, each.reason) for each in result.nodes if each.reason and state_word(each) == "error"]
    errors += [_of_node(each, each.unready) for each in result.nodes if each.unready and each.unready_is_error]
    errors += [FoundError(each, each) for each in result.conditions.failures]
    if result.status_error:
        errors.append(FoundError(result.status_error.text, result.status_error.plain or result.status_error.text))
    if not errors and simulation.state.value == "ERROR":
        errors.append(FoundError(outcome.text, pass_reason(result.nodes, outcome)))
    return list({each.text: each for each in errors}.values())


def _of_node(node: NodeResult, reason: Reason) -> FoundError:
    return FoundError(reason.text, f"{node.id} in error: {short_reason(node)}")


def mismatches(expect: JsonObject, simulation: Simulation, path: Path) -> Iterator[InputProblem]:
    """Yield where the outcome is not what a test expects; `path` leads to `expect` in the test file."""
    yield from error_mismatches(expect.get("errors"), errors_of(simulation), (*path, "errors"))
    state = expect.get("state")
    if state is not None and state != simulation.state.value:
        outcome = simulation.final.outcome
        reason = pass_reason(simulation.final.result.nodes, outcome)
        message = f"expected {state}, found {simulation.state.value}{f': {reason}' if reason else ''}"
        yield InputProblem((*path, "state"), message, kro_message=outcome.text)
    nodes = {each.id: each for each in simulation.final.result.nodes}
    objects = created_objects(simulation)
    exactly = expect.get("exactly") is True
    if exactly:
        yield from _unexpected(expect, nodes, objects, path)
    for id_, wanted in as_object(expect.get("nodes")).items():
        here = (*path, "nodes", id_)
        if id_ in nodes:
            yield from _node_mismatches(wanted, nodes[id_], here)
        else:
            yield InputProblem(here, unknown_node(id_, nodes), in_key=True)
    for id_, wanted in as_object(expect.get("objects")).items():
        here = (*path, "objects", id_)
        if id_ in nodes:
            yield from _object_mismatches(wanted, nodes[id_], objects[id_], here, exactly=exactly)
        else:
            yield InputProblem(here, unknown_node(id_, nodes), in_key=True)
    yield from _status_mismatches(expect, simulation, (*path, "status"))
    yield from _condition_mismatches(expect, simulation, (*path, "conditions"))


def _node_mismatches(wanted: JsonValue, found: NodeResult, path: Path) -> Iterator[InputProblem]:
    described = as_object(wanted)
    state = described.get("state") if isinstance(wanted, dict) else wanted
    word, reason = state_word(found), short_reason(found)
    if state is not None and state != word:
        where = (*path, "state") if isinstance(wanted, dict) else path
        yield InputProblem(where, f"expected {found.id} to be {state}, found {word}{f': {reason}' if reason else ''}")
    text = described.get("reason")
    said = found.why.text if found.why else ""
    if text is not None and str(text) not in reason and str(text) not in said:
        shown = repr(reason) if reason else "none"
        yield InputProblem((*path, "reason"), f"expected the reason {str(text)!r}, found {shown}", kro_message=said)


def _unexpected(
    expect: JsonObject, nodes: Mapping[str, NodeResult], objects: Mapping[str, list[JsonValue]], path: Path
) -> Iterator[InputProblem]:
    """Yield the nodes and objects that an exact test does not name."""
    for key in ("nodes", "objects"):
        named = as_object(expect.get(key))
        for id_, node in nodes.items():
            if id_ not in named and (key == "nodes" or (objects[id_] and not node.is_external)):
                found = state_word(node) if key == "nodes" else _counted(len(objects[id_]), "object")
                yield InputProblem((*path, key, id_), f"expected no {id_}, found {found}")


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def created_objects(simulation: Simulation) -> dict[str, list[JsonValue]]:
    """Return the objects of each node as tests compare them: without what kro itself adds."""
    found: dict[str, list[JsonValue]] = {
        each.id: [unmanaged(value) for value in each.desired if each.is_external]
        for each in simulation.final.result.nodes
    }
    for id_, value in simulation.applied:
        found[id_].append(unmanaged(value))
    return found


def _object_mismatches(
    wanted: JsonValue, found: NodeResult, objects: list[JsonValue], path: Path, *, exactly: bool
) -> Iterator[InputProblem]:
    """Compare one object, or a list of all objects of the node in their order."""
    if isinstance(wanted, list):
        yield from part_mismatches(wanted, objects, path, exactly=exactly)
    elif len(objects) == 1:
        yield from part_mismatches(wanted, objects[0], path, exactly=exactly)
    else:
        reason = short_reason(found)
        detail = (
            "; expect a list" if objects else f": {found.id} is {state_word(found)}{f': {reason}' if reason else ''}"
        )
        yield InputProblem(
            path, f"expected 1 object of {found.id}, found {len(objects) or 'none'}{detail}", in_key=True
        )


def _status_mismatches(expect: JsonObject, simulation: Simulation, path: Path) -> Iterator[InputProblem]:
    """Compare the status; a field that has no value is reported with the reason."""
    result = simulation.final.result
    missing = {(*path, *each.path): missing_reason(each, result.nodes) for each in result.missing_fields}
    wanted, exactly = as_object(expect.get("status")), expect.get("exactly") is True
    for each in part_mismatches(wanted, status_to_compare(expect, simulation), path, exactly=exactly):
        reason = missing.get(each.path)
        name = each.path[-1] if each.path else "status"
        yield InputProblem(each.path, f"expected {name}, found no value: {reason}", in_key=True) if reason else each


def status_to_compare(expect: JsonObject, simulation: Simulation) -> JsonObject:
    """Return the status that expectations are compared with: exact ones need not name kro's own fields."""
    if expect.get("exactly") is not True:
        return simulation.status
    wanted = as_object(expect.get("status"))
    kept = ("state", "conditions")
    return {name: value for name, value in simulation.status.items() if name in wanted or name not in kept}


def _condition_mismatches(expect: JsonObject, simulation: Simulation, path: Path) -> Iterator[InputProblem]:
    """Compare the conditions by their type."""
    found = {as_object(each).get("type"): each for each in as_list(simulation.status.get("conditions"))}
    for index, wanted in enumerate(as_list(expect.get("conditions"))):
        name = as_object(wanted).get("type")
        if name in found:
            yield from part_mismatches(wanted, found[name], (*path, index))
        else:
            types = ", ".join(str(each) for each in found) or "none"
            yield InputProblem((*path, index), f"expected a condition of type {name!r}, found {types}")


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
                yield InputProblem((*path, name), f"expected {name}, found only these fields: {known}", in_key=True)
        for name in found if exactly else ():
            if name not in wanted:
                yield InputProblem((*path, name), f"expected no {name}, found {_shown(found[name])}")
    elif isinstance(wanted, list) and isinstance(found, list):
        if len(wanted) != len(found):
            yield InputProblem(path, f"expected {_counted(len(wanted), 'item')}, found {len(found)}")
            return
        for index, (one, other) in enumerate(zip(wanted, found, strict=True)):
            yield from part_mismatches(one, other, (*path, index), exactly=exactly)
    elif wanted != found or isinstance(wanted, bool) is not isinstance(found, bool):
        is_absent = wanted is None and isinstance(path[-1] if path else None, str)
        if isinstance(wanted, str) and isinstance(found, str):
            message = _differing_texts(wanted, found)
        else:
            message = f"expected {f'no {path[-1]}' if is_absent else _shown(wanted)}, found {_shown(found)}"
        # All lines of a text that is a block would be marked, and are not what is wrong.
        yield InputProblem(path, message, in_key=isinstance(wanted, str) and "\n" in wanted)


def _differing_texts(wanted: str, found: str) -> str:
    """Return where two texts differ: the line, or the part of a long text."""
    if "\n" in wanted or "\n" in found:
        return _differing_lines(wanted.split("\n"), found.split("\n"))
    start, _ = common_ends(wanted, found, operator.eq)
    if len(wanted) > _MOST_SHOWN and start > _BEFORE_DIFFERENCE:
        wanted, found = (f"...{each[start - _BEFORE_DIFFERENCE :]}" for each in (wanted, found))
    return f"expected {_shown(wanted)}, found {_shown(found)}"


def _differing_lines(wanted: list[str], found: list[str]) -> str:
    number = next((at for at, (one, other) in enumerate(zip(wanted, found, strict=False)) if one != other), None)
    if number is not None:
        return f"expected line {number + 1} to be {_shown(wanted[number])}, found {_shown(found[number])}"
    number = min(len(wanted), len(found))
    more = wanted if len(wanted) > number else found
    if len(more) == number + 1 and not more[number]:
        wants, has = ("a", "none") if more is wanted else ("no", "one")
        return f"expected {wants} line end after the last line, found {has}"
    if more is wanted:
        return f"expected line {number + 1} to be {_shown(wanted[number])}, found no more lines"
    return f"expected no line {number + 1}, found {_shown(found[number])}"


def _shown(value: Any) -> str:
    return shortened(json.dumps(value, ensure_ascii=False), _MOST_SHOWN)
