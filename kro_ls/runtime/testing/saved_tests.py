"""A scenario as a test of a test file, which expects all that came of it and is named after what it is about."""

from __future__ import annotations

import json
from itertools import islice
from typing import TYPE_CHECKING, Any

from kro_ls.analysis.model.paths import format_path
from kro_ls.openapi.json_values import as_object, as_text, copy_json
from kro_ls.openapi.validation.structural_values import apply_defaults
from kro_ls.runtime.cluster.instance import instance_kind
from kro_ls.runtime.cluster.preview import objects_of
from kro_ls.runtime.cluster.simulation import Simulation
from kro_ls.runtime.nodes.node_objects import MISSING, at
from kro_ls.runtime.passes.reasons import state_word
from kro_ls.runtime.testing.expectations import errors_of
from kro_ls.runtime.testing.reduced_observed import ReducedObserved, leaves, reduce_observed
from kro_ls.runtime.values.sample_instance import sample_instance
from kro_ls.shortening import shortened

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.model.paths import Path
    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.runtime.cluster.scenario import Observed, Scenario

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
