"""Instances: their stored form, the objects that kro renders, readiness, status and conditions."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from kro_ls.analysis.analysis import RgdAnalysis
from kro_ls.runtime.cluster.instance import admit_instance
from kro_ls.runtime.passes.results import NodeResult, NodeState, Pass
from tests.conformance.comparison import Case, Comparison, cases, first_difference
from tests.conformance.schemas import diagnose_file
from tests.fixtures.one_pass import render


def compare(directory: Path, file: Path) -> Iterator[Comparison]:
    """Compare each instance of the file; its RGD is in `rgds/`. Of varying results, only the states are compared."""
    for case in cases(file):
        (rgd,) = diagnose_file(directory, directory / "rgds" / case["rgdFile"]).analysis.rgds
        yield from compare_case(case, rgd)


def compare_case(case: Case, rgd: RgdAnalysis) -> Iterator[Comparison]:
    """Compare one instance of an RGD."""
    admission = admit_instance(rgd, case["instance"])
    yield from _compare_instance(case, admission.instance, [each.text for each in admission.errors])
    if "instanceErrors" not in case["expected"]:
        yield from _compare_pass(case, render(rgd, admission.instance, case["observed"]))


def _compare_instance(case: Case, instance: object, errors: list[str]) -> Iterator[Comparison]:
    name, expected = case["name"], case["expected"]
    difference = first_difference(instance, expected["instance"])
    yield Comparison("instance", name, difference is None, difference or "")
    # The recorded texts start with the root's path, and forbid every key of a map, which the API server does not.
    recorded = [text.removeprefix("[].") for text in expected.get("instanceErrors", [])]
    wanted = sorted(text for text in recorded if not text.endswith(" is a forbidden property"))
    yield Comparison("instanceErrors", name, sorted(errors) == wanted, f"ours {errors}, not {wanted}")


def _compare_pass(case: Case, found: Pass) -> Iterator[Comparison]:
    name, expected = case["name"], case["expected"]
    nodes = expected.get("nodes") or []
    ours = [(each.id, each.state.value) for each in found.nodes]
    wanted = [(node["id"], node["state"]) for node in nodes]
    reasons = [each.reason.text for each in found.nodes if each.reason]
    yield Comparison("states", name, ours == wanted, f"ours {ours}, not {wanted}; {reasons}")
    if expected.get("varies") or ours != wanted:
        return
    for result, node in zip(found.nodes, nodes, strict=True):
        if result.state is NodeState.RENDERED:
            yield from _compare_node(f"{name} {result.id}", result, node)
    difference = first_difference(found.status, expected.get("status") or {})
    yield Comparison("status", name, difference is None, f"{difference}; ours {found.status_error}")
    conditions = [
        {"ConditionType": each.type, "Status": each.status, "Reason": each.reason, "Message": each.message}
        for each in found.conditions.conditions
    ]
    difference = first_difference(conditions, expected.get("conditions") or [])
    yield Comparison("conditions", name, difference is None, difference or "")


def _compare_node(name: str, result: NodeResult, node: Case) -> Iterator[Comparison]:
    difference = first_difference(list(result.desired), node.get("desired") or [])
    yield Comparison("desired", name, difference is None, difference or "")
    ready = node["ready"] == "ready"
    detail = f"ours {result.unready.text if result.unready else 'ready'}, not {node['ready']}"
    yield Comparison("ready", name, result.is_ready == ready, detail)
