"""Reduces observed state to what matters: what differs from the simulated cluster, and what expressions read.

Editing the status of an object begins with all that was simulated, which is a hundred lines for a kind of a cloud, and
mostly changes one of them. A saved test should hold that one, and its name should mention it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from kro_ls.runtime.cluster.scenario import Observed
from kro_ls.runtime.cluster.simulation import simulate
from kro_ls.runtime.nodes.compiled import compile_graph
from kro_ls.runtime.nodes.node_objects import MISSING, at
from kro_ls.runtime.values.graph_demands import graph_demands

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.model.paths import Path
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.runtime.cluster.simulation import Simulation
    from kro_ls.runtime.passes.results import NodeResult
    from kro_ls.runtime.values.demands import Demand

_IDENTITY = ("apiVersion", "kind", "metadata")


class ReducedObserved(Struct, frozen=True):
    """Observed state by node id, and by node id the values that differ from the simulated ones, None for removed ones.

    A node without objects has no entry in `changes`.
    """

    observed: Mapping[str, Observed]
    changes: Mapping[str, tuple[tuple[Path, Any], ...]]


def reduce_observed(
    rgd: RgdAnalysis, outcome: Simulation, result_of: Callable[[Simulation], object]
) -> ReducedObserved:
    """Return the observed state of an outcome's scenario, reduced as far as `result_of` the outcome stays the same."""
    scenario, instance = outcome.scenario, outcome.steps[0].result.instance
    if not scenario.observed:
        return ReducedObserved({}, {})
    usual = simulate(rgd, instance, replace(scenario, observed={}))
    nodes = {each.id: each for each in usual.final.result.nodes}
    demands = graph_demands(compile_graph(rgd))
    changes = {id_: _changes(each, nodes[id_]) for id_, each in scenario.observed.items() if each.objects}
    reduced = {id_: _reduced(each, nodes[id_], demands.get(id_)) for id_, each in scenario.observed.items()}
    again = simulate(rgd, instance, replace(scenario, observed=reduced))
    is_same = result_of(again) == result_of(outcome)
    return ReducedObserved(reduced if is_same else scenario.observed, changes)


def leaves(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Yield the values in nested objects, each with its path; lists are values, and so are empty objects."""
    if isinstance(value, dict) and value:
        for name, inner in value.items():
            yield from leaves(inner, (*path, name))
    elif path:
        yield path, value


def _changes(observed: Observed, node: NodeResult) -> tuple[tuple[Path, Any], ...]:
    usual = _simulated(node, 0)
    given = observed.objects[0]
    changed: list[tuple[Path, Any]] = []
    for path, value in leaves(given):
        if at(usual, path) != value:
            changed += _inside(value, at(usual, path), path)
    removed = [path for path, _ in leaves(usual) if at(given, path) is MISSING and not _is_replaced(given, path)]
    applied = node.desired[0] if node.desired else {}
    gone = [(path, None) for path in removed if at(applied, path) is MISSING]
    return tuple(changed + (gone if _repeats(given, usual) else []))


def _inside(value: Any, usual: Any, path: Path) -> Iterator[tuple[Path, Any]]:
    """Yield what is different in a value; of a list that has as many items as the usual one, what is inside of them."""
    if isinstance(value, list) and isinstance(usual, list) and len(value) == len(usual):
        for index, (item, before) in enumerate(zip(value, usual, strict=True)):
            if item != before:
                yield from _inside(item, before, (*path, index))
    elif isinstance(value, dict) and isinstance(usual, dict) and value.keys() == usual.keys():
        for name, inner in value.items():
            if inner != usual[name]:
                yield from _inside(inner, usual[name], (*path, name))
    else:
        yield path, value


def _repeats(given: JsonObject, usual: JsonObject) -> bool:
    """Whether most of the simulated values are repeated. Then those that are not were removed."""
    usual_paths = [path for path, _ in leaves(usual)]
    return 2 * sum(at(given, path) is not MISSING for path in usual_paths) > len(usual_paths)


def _is_replaced(given: JsonObject, path: Path) -> bool:
    """Whether something stands in the place of an object around a path, which is a change of its own."""
    above = (at(given, path[:length]) for length in range(1, len(path)))
    return any(each is not MISSING and not isinstance(each, dict) for each in above)


def _simulated(node: NodeResult, index: int) -> JsonObject:
    objects = node.observed or ()
    found = objects[index] if index < len(objects) else {}
    return {name: value for name, value in found.items() if name not in _IDENTITY}


def _reduced(observed: Observed, node: NodeResult, demand: Demand | None) -> Observed:
    """Return the observed objects without what is neither read nor changed, and without what kro applies itself."""
    objects = []
    for index, each in enumerate(observed.objects):
        applied = node.desired[index] if index < len(node.desired) else {}
        objects.append(_part(each, _simulated(node, index), {} if node.is_external else applied, demand) or each)
    return Observed(tuple(objects), observed.for_all)


def _part(given: JsonObject, usual: Any, applied: Any, demand: Demand | None) -> JsonObject:
    part: JsonObject = {}
    for name, value in given.items():
        if at(applied, (name,)) == value:
            continue
        asked = demand.fields.get(name) if demand else None
        before = at(usual, (name,))
        if isinstance(value, dict) and value and isinstance(before, dict) and (asked is None or asked.fields):
            inner = _part(value, before, at(applied, (name,)), asked)
            if inner:
                part[name] = inner
        elif asked is not None or value != before:
            part[name] = value
    return part
