"""Whole RGDs: the verdict, the order and the dependencies, and what kro prints where it refuses one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from kro_ls.analysis.analysis import RgdAnalysis
from kro_ls.analysis.crd.generated_crd import Json, generated_crd
from kro_ls.analysis.names.longest_chains import apply_waves
from kro_ls.analysis.types.checking import check_part
from kro_ls.cursor.parts import parts
from kro_ls.rules.diagnosis import Diagnosis
from kro_ls.rules.diagnostics import Diagnostic, Severity
from tests.conformance import kro_messages
from tests.conformance.comparison import Case, Comparison, cases, first_difference
from tests.conformance.schemas import diagnose_file


def compare(directory: Path, file: Path) -> Iterator[Comparison]:
    """Compare each RGD of the file; the RGDs themselves are in `rgds/`."""
    for case in cases(file):
        diagnosis = diagnose_file(directory, directory / "rgds" / case["file"])
        yield from compare_case(case, diagnosis)
        if not case["accepted"]:
            yield from kro_messages.compare_case(case, _errors(diagnosis))


def compare_chained(directory: Path, file: Path) -> Iterator[Comparison]:
    """Compare RGDs that need the kinds which the other RGDs generate."""
    for case in cases(file):
        yield from compare_case(case, diagnose_file(directory, directory / "rgds" / case["file"], chained=True))


def compare_case(case: Case, diagnosis: Diagnosis) -> Iterator[Comparison]:
    """Compare one RGD, the `file` of the case."""
    name = case["file"]
    errors = _errors(diagnosis)
    verdict = not errors
    theirs = [*(case.get("errors") or ()), *(case.get("admissionErrors") or ())]
    detail = "; ".join(f"{each.code}: {each.message}" for each in errors[:3]) or "; ".join(theirs)
    yield Comparison("accepted", name, verdict == case["accepted"], detail)
    if not case["accepted"]:
        return
    yield Comparison("noErrorOnAccepted", name, verdict, detail)
    analysis = diagnosis.analysis
    if analysis.rgds:
        yield from _compare_graph(case, analysis.rgds[0])
        if "crd" in case:
            yield from _compare_crd(case, analysis.rgds[0])
        yield from _compare_types(case, analysis.rgds[0])


def _errors(diagnosis: Diagnosis) -> list[Diagnostic]:
    return [each for each in diagnosis.diagnostics if each.severity is Severity.ERROR]


def _compare_graph(case: Case, rgd: RgdAnalysis) -> Iterator[Comparison]:
    name = case["file"]
    order = list(rgd.graph.order)
    wanted_order = case.get("topologicalOrder") or []
    yield Comparison("topologicalOrder", name, order == wanted_order, f"ours {order}, kro's {wanted_order}")
    if "applyOrder" in case or not case.get("nodes"):  # kro has known the waves since 0.9.4
        waves = apply_waves(rgd.graph)
        yield Comparison(
            "applyOrder", name, waves == (case.get("applyOrder") or {}), f"ours {waves}, kro's {case.get('applyOrder')}"
        )
    dependencies = {resource: sorted(needs) for resource, needs in rgd.graph.dependencies}
    # Up to 0.9.0 kro lists a dependency once for each place that makes it.
    wanted = {node["id"]: sorted({*(node["dependencies"] or [])}) for node in case.get("nodes") or []}
    yield Comparison("dependencies", name, dependencies == wanted, f"ours {dependencies}, kro's {wanted}")
    types = {each.resource.id: each.resource.type.value for each in rgd.rgd.resources}
    wanted_types = {node["id"]: node["type"] for node in case.get("nodes") or []}
    yield Comparison("type", name, types == wanted_types, f"ours {types}, kro's {wanted_types}")


def _compare_crd(case: Case, rgd: RgdAnalysis) -> Iterator[Comparison]:
    ours, wanted = generated_crd(rgd) or {}, case["crd"]
    difference = first_difference(_comparable(ours), _comparable(wanted))
    yield Comparison("crd", case["file"], difference is None, difference or "")


def _comparable(crd: Json) -> Json:
    return {"metadata": {"name": crd.get("metadata", {}).get("name")}, "spec": crd.get("spec")}


def _compare_types(case: Case, rgd: RgdAnalysis) -> Iterator[Comparison]:
    ours: dict[str, set[str]] = {}
    for placed_part in parts(rgd):
        scope = rgd.scope(placed_part.part)
        for checked in check_part(placed_part.part, scope.bindings, scope.kind):
            ours.setdefault(checked.expression.text, set()).add(str(checked.result.type))
    wanted = case.get("expressionTypes") or {}
    different = [
        f"{text}: ours {sorted(ours.get(text, ()))}, kro's {types}"
        for text, types in wanted.items()
        if ours.get(text) != set(types.split(" | "))
    ]
    yield Comparison("expressionTypes", case["file"], not different, "; ".join(different[:3]))
