"""Comparisons of kro-ls with a cluster, each with the paths at which they differ."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

from kro_ls.analysis.analysis import RgdAnalysis
from kro_ls.analysis.crd.generated_crd import generated_crd
from kro_ls.openapi.index import SchemaIndex
from kro_ls.rules.diagnosis import Diagnosis, diagnose_text
from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.settings import Settings
from kro_ls.runtime.cluster.deletion import deletion
from kro_ls.runtime.cluster.instance import admit_instance
from kro_ls.runtime.cluster.preview_data import objects_of
from kro_ls.runtime.cluster.scenario import Scenario, read_observed
from kro_ls.runtime.cluster.simulation import Simulation, simulate
from kro_ls.runtime.nodes.compiled import compile_graph
from kro_ls.yaml_positions.documents.stream import parse_stream
from kro_ls.yaml_positions.text import Text
from tests.cluster.client import Object
from tests.cluster.definition_edits import definition_edits, is_refused_by_diff
from tests.cluster.recordings import Recording, Stage
from tests.conformance.schemas import chained_schemas, schemas

ABSENT = "<absent>"
CLOSED_WORLD = Settings(severities=(("unknown-kind", Severity.ERROR),))
ADDED_BY_API_SERVER = ("conversion", "names.listKind", "names.singular")

UNFORESEEN = {
    "<time>": re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"),
    "<uid>": re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"),
    "<new replica set>": re.compile(r'ReplicaSet "[^"]+" has successfully progressed\.'),
    "<applyset>": re.compile(r"applyset-[\w-]{43}-v1"),
}
"""Parts of values that depend on when and where a cluster ran."""

Difference: TypeAlias = tuple[str, tuple[Any, Any]]
"""A path, the value of kro-ls there, and that of the cluster."""


@dataclass(frozen=True, slots=True)
class Compared:
    """One comparison of a case, which agrees if it has no differences."""

    kind: str
    case: str
    differences: dict[str, tuple[Any, Any]]

    @property
    def agrees(self) -> bool:
        """Whether kro-ls and the cluster agree."""
        return not self.differences


def compare(recording: Recording, conformance: Path, of: str = "") -> Iterator[Compared]:
    """Compare everything in a recording; `of` names its set, for the names of the cases."""
    if of:
        recording = replace(recording, name=f"{of}/{recording.name}")
    rgd = analysed(recording.definition, conformance, chained=not recording.refused, closed=bool(recording.refused))
    accepted = (
        {} if (rgd is None) == bool(recording.refused) else {"accepted": (rgd is not None, recording.refused or True)}
    )
    yield Compared("verdicts", recording.name, accepted)
    if rgd is None or recording.refused:
        return
    yield from _compare_generated(rgd, recording)
    yield from _compare_edits(recording)
    previous: Stage | None = None
    simulation: Simulation | None = None
    for stage in recording.stages:
        case = f"{recording.name} {stage.at}"
        simulation = rest_state(rgd, stage, simulation if stage.is_edit else None)
        yield Compared(_kind_of_state(stage), case, dict(state_differences(simulation, stage.status)))
        yield from _compare_applied(rgd, simulation, case, previous, stage)
        if stage.is_edit and previous is not None:
            found = dict(_edit_differences(rgd, previous, stage))
            yield Compared("objects created and deleted by an edit", case, found)
        previous = stage
    settled = [each for each in recording.stages if not each.is_edit and each.at != "stuck"]
    if settled:
        simulation = simulated_cluster(rgd, settled[-1])
        ours, theirs = (comparable_status(foreseen(each)) for each in (simulation.status, settled[-1].status))
        found = dict(differences(ours, theirs))
        yield Compared("previews without the cluster", recording.name, found)
        yield from _compare_fields(recording.name, ours, theirs)
        yield Compared("order of creation", recording.name, dict(_order_differences(simulation, settled)))


def _compare_fields(name: str, ours: Object, theirs: Object) -> Iterator[Compared]:
    """Compare each status field of a plain preview."""
    for field in sorted({*ours, *theirs} - {"state", "conditions"}):
        found = dict(differences(ours.get(field, ABSENT), theirs.get(field, ABSENT), field))
        yield Compared("status fields without the cluster", f"{name} {field}", found)


def _compare_generated(rgd: RgdAnalysis, recording: Recording) -> Iterator[Compared]:
    """Compare the CRD, whether the API server accepts the sample instance, and the deleted objects."""
    if recording.crd is not None:
        made: Any = generated_crd(rgd) or {}
        yield Compared("generated CRDs", recording.name, dict(_crd_differences(made.get("spec"), recording.crd)))
        refused = recording.sample_refused
        yield Compared("sample instances", recording.name, {"accepted": (True, refused)} if refused else {})
    if recording.deleted is not None:
        stage = recording.stages[-1]
        namespace = _namespace(stage.instance)
        waves = [objects for _, objects in deletion(rgd, rest_state(rgd, stage)).waves]
        groups = {identity(each.value, namespace): number for number, wave in enumerate(waves) for each in wave}
        found = dict(order_differences(recording.deleted, groups))
        found |= dict.fromkeys(groups.keys() - set(recording.deleted), ("deleted", ABSENT))
        yield Compared("order of deletion", recording.name, found)


def _compare_edits(recording: Recording) -> Iterator[Compared]:
    """Compare the results of edits of the definition with those of `kro-ls diff`."""
    old: Any = parse_stream(Text(recording.definition)).documents[0].to_python()
    for what, new in definition_edits(old):
        refused = (recording.edits or {}).get(what)
        if refused is not None:
            ours = is_refused_by_diff(old, new)
            found = {} if ours == bool(refused) else {"refused": (ours, refused)}
            yield Compared("edits of definitions", f"{recording.name} {what}", found)


def _crd_differences(ours: Any, theirs: Any) -> Iterator[Difference]:
    """Yield the differences from the CRD in the cluster, except for what the API server adds to each."""
    for path, (our, their) in differences(ours, theirs):
        if our != ABSENT or path not in ADDED_BY_API_SERVER:
            yield path, (our, their)


def _kind_of_state(stage: Stage) -> str:
    if stage.at == "stuck":
        return "stuck instances"
    return "states after an edit" if stage.is_edit else "states of rest"


def simulated_cluster(rgd: RgdAnalysis, stage: Stage, *then: Any) -> Simulation:
    """Preview an instance without the cluster's objects, except external ones, which only the user knows.

    `then` are instances that replace it.
    """
    external = {each.id for each in compile_graph(rgd).nodes if each.is_external}
    observed, _ = read_observed({id_: each for id_, each in stage.observed.items() if id_ in external}, external)
    scenario = Scenario(observed, then=then, namespaces=namespaces_in(stage))
    return simulate(rgd, admit_instance(rgd, stage.instance).instance, scenario)


def rest_state(rgd: RgdAnalysis, stage: Stage, before: Simulation | None = None) -> Simulation:
    """Preview a state of rest with the cluster's objects as the observed ones; an edit changes the state `before`."""
    observed, problems = read_observed(stage.observed, [each.id for each in compile_graph(rgd).nodes])
    assert not problems, problems
    scenario = Scenario(observed, namespaces=namespaces_in(stage))
    return simulate(rgd, admit_instance(rgd, stage.instance).instance, scenario, before=before)


def namespaces_in(stage: Stage) -> frozenset[str]:
    """Return the namespaces that the cluster had, according to the objects in them."""
    found = (each if isinstance(each, list) else [each] for each in stage.observed.values() if each)
    return frozenset(_namespace(each) for objects in found for each in objects)


def state_differences(simulation: Simulation, status: Object) -> Iterator[Difference]:
    """Yield the differences of the status: its fields, the state, and conditions without their times."""
    ours, theirs = comparable_status(simulation.status), comparable_status(status)
    yield from differences(ours, theirs)


def comparable_status(status: Any) -> Object:
    """Return a status with its conditions by type, without parts that depend on time."""
    conditions = {
        each["type"]: {key: each[key] for key in ("status", "reason", "message") if each.get(key)}
        for each in status.get("conditions") or ()
        if isinstance(each, dict)
    }
    return {**status, "conditions": conditions}


def _compare_applied(
    rgd: RgdAnalysis, simulation: Simulation, case: str, previous: Stage | None, stage: Stage
) -> Iterator[Compared]:
    """Compare each object that kro sent with that of the preview, including labels and annotations."""
    namespace = _namespace(stage.instance)
    ours = {identity(each, namespace): each for _, each in objects_of(rgd, simulation, with_metadata=True)}
    for value in stage.applied:
        name = identity(value, namespace)
        if name in ours:
            wanted = {**value, "metadata": {**value["metadata"]}}
            wanted["metadata"].pop("ownerReferences", None)
            found = dict(differences(_placed(ours[name], wanted), wanted))
            yield Compared("applied objects", f"{case}: {name}", found)
        elif previous is None or value not in previous.applied:  # otherwise it was applied before and is gone
            yield Compared("applied objects", f"{case}: {name}", {"": (ABSENT, "applied")})


def _order_differences(simulation: Simulation, stages: list[Stage]) -> Iterator[Difference]:
    """Yield the objects that kro created before others that a pass of the preview creates earlier."""
    namespace = _namespace(stages[-1].instance)
    passes = {identity(each, namespace): step.number for step in simulation.steps for _, each in step.created}
    names = dict.fromkeys(identity(each, namespace) for stage in stages for each in stage.applied)
    yield from order_differences(list(names), passes)


def order_differences(names: list[str], groups: dict[str, int]) -> Iterator[Difference]:
    """Yield the names that precede one of a lower group, or are in no group; `names` are in order."""
    for index, name in enumerate(names):
        later = [groups[each] for each in names[index + 1 :] if each in groups]
        if name not in groups:
            yield name, (ABSENT, index)
        elif later and min(later) < groups[name]:
            yield name, (groups[name], min(later))


def _edit_differences(rgd: RgdAnalysis, before: Stage, after: Stage) -> Iterator[Difference]:
    """Yield the objects that an edit creates or deletes only in the cluster or only in the preview."""
    then = admit_instance(rgd, after.instance).instance
    simulation = simulated_cluster(rgd, before, then)
    namespace = _namespace(before.instance)
    first = next(index for index, each in enumerate(simulation.steps) if each.result.instance["spec"] == then["spec"])
    steps = simulation.steps[first:]
    created = {identity(value, namespace) for step in steps for _, value in step.created}
    deleted = {identity(value, namespace) for step in steps for _, value in step.deleted}
    there, then_there = _managed(before, namespace), _managed(after, namespace)
    yield from _named_differences("created", created, then_there - there)
    yield from _named_differences("deleted", deleted, there - then_there)


def foreseen(value: Any) -> Any:
    """Return a value with placeholders for its unpredictable parts."""
    if isinstance(value, dict):
        return {key: foreseen(each) for key, each in value.items()}
    if isinstance(value, list):
        return [foreseen(each) for each in value]
    if isinstance(value, str):
        return next((name for name, pattern in UNFORESEEN.items() if pattern.fullmatch(value)), value)
    return value


def _named_differences(what: str, ours: set[str], theirs: set[str]) -> Iterator[Difference]:
    for name in sorted(ours ^ theirs):
        yield f"{what} {name}", (name in ours, name in theirs)


def _managed(stage: Stage, namespace: str) -> set[str]:
    """Return the existing objects that kro applied."""
    objects = [each for value in stage.observed.values() for each in (value if isinstance(value, list) else [value])]
    owned = [each for each in objects if each and "kro.run/owned" in (each["metadata"].get("labels") or {})]
    return {identity(each, namespace) for each in owned}


def identity(value: Any, namespace: str) -> str:
    """Return the identity of an object; its default namespace is that of the instance, if its kind is namespaced."""
    metadata = value["metadata"]
    place = metadata.get("namespace") or namespace
    where = "" if place == namespace else f"{place}/"
    return f"{value['apiVersion']} {value['kind']} {where}{metadata['name']}"


def _placed(ours: Any, wanted: Any) -> Any:
    """Return our object in the namespace of theirs, if it names none itself."""
    if "namespace" in wanted["metadata"] and "namespace" not in ours["metadata"]:
        return {**ours, "metadata": {**ours["metadata"], "namespace": wanted["metadata"]["namespace"]}}
    return ours


def _namespace(instance: Any) -> str:
    return str(instance["metadata"].get("namespace") or "default")


def differences(ours: Any, theirs: Any, path: str = "") -> Iterator[Difference]:
    """Yield each path at which two values differ, with both values; 1 equals 1.0, but not true."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        for key in sorted({*ours, *theirs}):
            yield from differences(ours.get(key, ABSENT), theirs.get(key, ABSENT), f"{path}.{key}" if path else key)
    elif isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        for index, (our, their) in enumerate(zip(ours, theirs, strict=True)):
            yield from differences(our, their, f"{path}[{index}]")
    elif ours != theirs or isinstance(ours, bool) is not isinstance(theirs, bool):
        yield path, (ours, theirs)


def analysed(definition: str, conformance: Path, *, chained: bool = False, closed: bool = False) -> RgdAnalysis | None:
    """Return the analysis of a definition, None if it is refused.

    `chained` adds the kinds of the conformance set's definitions; `closed` refuses uses of unknown kinds.
    """
    for index in (schemas(conformance), *((chained_schemas(conformance),) if chained else ())):
        diagnosis = _diagnosis(definition, CLOSED_WORLD if closed else Settings(), index)
        if not any(each.severity is Severity.ERROR for each in diagnosis.diagnostics):
            return diagnosis.analysis.rgds[0]
    return None


@cache
def _diagnosis(definition: str, settings: Settings, index: SchemaIndex) -> Diagnosis:
    return diagnose_text(Text(definition), settings, index)
