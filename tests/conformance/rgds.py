"""Whole RGDs: the verdict, the order and the dependencies."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from kro_ls.analysis.analysis import Analysis, RgdAnalysis, analyze
from kro_ls.analysis.diagnostics import Severity
from kro_ls.analysis.graph import apply_waves
from kro_ls.yaml_positions.text import Text
from tests.conformance.comparison import Case, Comparison, cases


def compare(directory: Path, file: Path) -> Iterator[Comparison]:
    """Compare each RGD of the file; the RGDs themselves are in `rgds/`."""
    for case in cases(file):
        content = (directory / "rgds" / case["file"]).read_text(encoding="utf-8")
        yield from _compare_case(case, analyze(Text(content)))


def _compare_case(case: Case, analysis: Analysis) -> Iterator[Comparison]:
    name = case["file"]
    errors = [each for each in analysis.diagnostics if each.severity is Severity.ERROR]
    verdict = not errors
    detail = "; ".join(f"{each.code}: {each.message}" for each in errors[:3]) or "; ".join(case.get("errors") or [])
    yield Comparison("accepted", name, verdict == case["accepted"], detail)
    if not case["accepted"]:
        return
    yield Comparison("noErrorOnAccepted", name, verdict, detail)
    if "topologicalOrder" in case and analysis.rgds:
        yield from _compare_graph(case, analysis.rgds[0])


def _compare_graph(case: Case, rgd: RgdAnalysis) -> Iterator[Comparison]:
    name = case["file"]
    order = list(rgd.graph.order)
    wanted_order = case["topologicalOrder"] or []
    yield Comparison("topologicalOrder", name, order == wanted_order, f"ours {order}, kro's {wanted_order}")
    waves = apply_waves(rgd.graph)
    yield Comparison(
        "applyOrder", name, waves == (case["applyOrder"] or {}), f"ours {waves}, kro's {case['applyOrder']}"
    )
    dependencies = {resource: sorted(needs) for resource, needs in rgd.graph.dependencies}
    wanted = {node["id"]: sorted(node["dependencies"] or []) for node in case.get("nodes") or []}
    yield Comparison("dependencies", name, dependencies == wanted, f"ours {dependencies}, kro's {wanted}")
    types = {each.resource.id: each.resource.type.value for each in rgd.rgd.resources}
    wanted_types = {node["id"]: node["type"] for node in case.get("nodes") or []}
    yield Comparison("type", name, types == wanted_types, f"ours {types}, kro's {wanted_types}")
