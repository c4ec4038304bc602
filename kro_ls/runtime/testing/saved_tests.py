"""Saves a scenario as a test of a test file, which expects the whole outcome and is named after what it is about.

Editing the status of an object starts with all that was simulated, which is a hundred lines for a cloud resource, and
usually changes one of them. So observed state is reduced to what differs from the simulation and what expressions read.
"""

from __future__ import annotations

import json
from itertools import islice
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from kro_ls.analysis.model.paths import format_path
from kro_ls.openapi.json_values import as_object, as_text, copy_json
from kro_ls.openapi.validation.structural_values import apply_defaults
from kro_ls.runtime.cluster.instance import instance_kind
from kro_ls.runtime.cluster.preview_data import objects_of
from kro_ls.runtime.cluster.scenario import Observed
from kro_ls.runtime.cluster.simulation import Simulation, simulate
from kro_ls.runtime.nodes.compiled import compile_graph
from kro_ls.runtime.nodes.node_objects import MISSING, at
from kro_ls.runtime.passes.reasons import state_word
from kro_ls.runtime.testing.expectations import errors_of
from kro_ls.runtime.values.graph_demands import graph_demands
from kro_ls.runtime.values.sample_instance import sample_instance
from kro_ls.shortening import shortened

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.model.paths import Path
    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.runtime.cluster.scenario import Scenario
    from kro_ls.runtime.passes.results import NodeResult
    from kro_ls.runtime.values.demands import Demand


_MOST_VALUES = 3
_LONGEST_VALUE = 24


def saved_test(
    rgd: RgdAnalysis,
    instance: JsonObject,
    outcome: Simulation | Sequence[str],
    scenario: Scenario,
    then: JsonObject | None = None,
) -> dict[str, Any]:
    """Return a test that passes, without its name.

    `outcome` are the refusals where the API server refuses the instance. `then` is the instance as it is edited later.
    What the API server fills in is left out.
    """
    test: dict[str, Any] = {"instance": _written(rgd, instance)}
    observed = _reduced(rgd, outcome).observed if isinstance(outcome, Simulation) else scenario.observed
    if observed:
        test["observed"] = {id_: _objects(each) for id_, each in observed.items()}
    if scenario.held:
        test["notReady"] = sorted(scenario.held)
    if then is not None:
        test["then"] = _written(rgd, then)
    test["expect"] = _expected(rgd, outcome)
    return test


def scenario_name(
    rgd: RgdAnalysis,
    instance: JsonObject,
    outcome: Simulation | Sequence[str],
    scenario: Scenario,
    then: JsonObject | None = None,
) -> str:
    """Return a name for the test of a scenario: its unusual values, and the observed state."""
    changes = _named_values(_differences(rgd, instance, None)) or ["a sample instance"]
    conditions = [f"{id_} held back" for id_ in sorted(scenario.held)]
    conditions += [f"{id_} missing" for id_, each in scenario.observed.items() if not each.objects]
    changes_of = _reduced(rgd, outcome).changes if isinstance(outcome, Simulation) else {}
    conditions += [f"{id_} with {_named(each)}" for id_, each in changes_of.items() if each]
    about = _joined([*changes, *conditions])
    if then is not None:
        about += f", edited to {_named(_differences(rgd, then, instance)) or 'the same'}"
    return f"{about} {_verdict(outcome)}"


def unique_name(name: str, taken: Sequence[str]) -> str:
    """Return a name that no other test of a file has."""
    numbers = (name if number == 1 else f"{name} ({number})" for number in range(1, len(taken) + 2))
    return next(each for each in numbers if each not in taken)


def _verdict(outcome: Simulation | Sequence[str]) -> str:
    if not isinstance(outcome, Simulation):
        return "is refused"
    return {"ACTIVE": "becomes ACTIVE", "IN_PROGRESS": "stays IN_PROGRESS"}.get(outcome.state.value, "ends in ERROR")


def _reduced(rgd: RgdAnalysis, outcome: Simulation) -> ReducedObserved:
    return reduce_observed(rgd, outcome, lambda again: _expected(rgd, again))


def _objects(given: Observed) -> JsonValue:
    return dict(given.objects[0]) if given.for_all else list(given.objects) or None


def _expected(rgd: RgdAnalysis, outcome: Simulation | Sequence[str]) -> dict[str, Any]:
    if not isinstance(outcome, Simulation):
        return {"errors": list(outcome)}
    nodes = {each.id: state_word(each) for each in outcome.final.result.nodes}
    objects: dict[str, Any] = {}
    for id_, value in objects_of(rgd, outcome, with_metadata=False):
        objects.setdefault(id_, []).append(value)
    status = {name: value for name, value in outcome.status.items() if name not in ("state", "conditions")}
    expected: dict[str, Any] = {"state": outcome.state.value, "exactly": True, "nodes": nodes}
    if objects:
        expected["objects"] = {id_: found[0] if len(found) == 1 else found for id_, found in objects.items()}
    if status:
        expected["status"] = status
    errors = errors_of(outcome)
    if errors:
        expected["errors"] = [each.text for each in errors]
    return expected


# What an author writes: without what the API server fills in.


def _written(rgd: RgdAnalysis, instance: JsonObject) -> JsonObject:
    kind = instance_kind(rgd)
    schema = as_object(as_object(kind.schema.get("properties")).get("spec")) if kind else {}
    made = {name: value for name, value in instance.items() if name != "status"}
    if isinstance(instance.get("spec"), dict):
        made["spec"] = _without_defaults(instance["spec"], schema)
    return made


def _without_defaults(value: Any, schema: JsonObject) -> Any:
    if isinstance(value, list):
        return [_without_defaults(each, as_object(schema.get("items"))) for each in value]
    if not isinstance(value, dict):
        return value
    properties, others = (as_object(schema.get(key)) for key in ("properties", "additionalProperties"))
    return {
        name: _without_defaults(inner, as_object(properties.get(name)) or others)
        for name, inner in value.items()
        if name not in properties or not _is_default(inner, as_object(properties[name]))
    }


def _is_default(value: Any, schema: JsonObject) -> bool:
    """Whether the API server fills in this value where a field is absent, with the defaults inside of it."""
    default = copy_json(schema.get("default"))
    if default is None:
        return False
    given = copy_json(value)
    for each in (given, default):
        apply_defaults(each, schema)
    return json.dumps(given, sort_keys=True) == json.dumps(default, sort_keys=True)  # unlike ==, 1 is not true


# Names


def _differences(rgd: RgdAnalysis, instance: JsonObject, other: JsonObject | None) -> list[tuple[Path, Any]]:
    """Return the values of `spec` that are not those of another instance, or else neither defaults nor samples."""
    if other is not None:
        spec, before = instance.get("spec"), other.get("spec")
        changed = [(path, value) for path, value in leaves(spec) if at(before, path) != value]
        return [*changed, *((path, None) for path, _ in leaves(before) if at(spec, path) is MISSING)]
    kind = instance_kind(rgd)
    schema = as_object(as_object(kind.schema.get("properties")).get("spec")) if kind else {}
    sample = sample_instance(rgd).get("spec")
    found = []
    for path, value in leaves(instance.get("spec")):
        usual = _default_at(schema, path)
        has_default = usual is not MISSING
        if value != (usual if has_default else at(sample, path)):
            found.append((not has_default, path, value))
    return [(path, value) for _, path, value in sorted(found, key=lambda each: each[0])]


def _named(values: Sequence[tuple[Path, Any]]) -> str:
    return _joined(_named_values(values))


def _named_values(values: Sequence[tuple[Path, Any]]) -> list[str]:
    shown = [_named_value(format_path(path), value) for path, value in islice(values, _MOST_VALUES)]
    more = len(values) - len(shown)
    return [*shown, f"{more} more"] if more else shown


def _named_value(name: str, value: Any) -> str:
    """Return a field in the name of a test; of a long list or an object only its size."""
    if value is None:
        return f"no {name}"
    text = " ".join((as_text(value) or json.dumps(value, ensure_ascii=False)).split())
    if isinstance(value, list | dict) and len(text) > _LONGEST_VALUE:
        return f"{len(value)} {name}"
    return f"{name}={shortened(text, _LONGEST_VALUE)}"


def _joined(parts: Sequence[str]) -> str:
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def _default_at(schema: JsonObject, path: Path) -> Any:
    """Return the default of a field, also where it stands in that of an object around it."""
    for number, step in enumerate(path):
        schema = as_object(as_object(schema.get("properties")).get(str(step)))
        if "default" in schema:
            found = at(schema["default"], path[number + 1 :])
            if found is not MISSING:
                return found
    return MISSING


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
    reduced = {id_: _reduced_objects(each, nodes[id_], demands.get(id_)) for id_, each in scenario.observed.items()}
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


def _reduced_objects(observed: Observed, node: NodeResult, demand: Demand | None) -> Observed:
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
