"""Runs the rules over the RGDs of an analysis, or over parts of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.analysis import RgdAnalysis
from kro_ls.analysis.scope import scope_of
from kro_ls.graphs import frames_in
from kro_ls.queries.engine import Query
from kro_ls.rules.placing import RgdFindings
from kro_ls.rules.registry import CHECKS
from kro_ls.rules.resource_findings import IN_COMPLETE_RESOURCES, IN_RESOURCES, check_once
from kro_ls.rules.section_findings import SectionFindings, section_findings

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from kro_ls.analysis.analysis import Analysis
    from kro_ls.queries.engine import Reader
    from kro_ls.rules.shared_check import PlacedFinding
    from kro_ls.steps import Steps
    from kro_ls.yaml_positions.runs import PlacedChunk


def _in_whole(check: Callable[[RgdAnalysis], Iterator[PlacedFinding]]) -> Query[[], tuple[PlacedFinding, ...]]:
    @Query
    def in_whole(reader: Reader) -> tuple[PlacedFinding, ...]:
        return tuple(check(RgdAnalysis(reader)))

    return in_whole


_IN_WHOLE = tuple((check.codes, _in_whole(check.check_document)) for check in CHECKS if check.check_document)
"""What is wrong with the whole, by check, and the codes of what each may find."""


def find_in_steps(analysis: Analysis) -> Steps[list[RgdFindings]]:
    """Return what is wrong with each RGD, and yield on the way, so that others get their turn."""
    findings = []
    for rgd in frames_in(analysis):
        resources = IN_RESOURCES(rgd.reader)
        yield
        section, whole = section_findings(rgd.reader), []
        for _, in_whole in _IN_WHOLE:
            whole.append(in_whole(rgd.reader))
            yield
        findings.append(RgdFindings(resources, section, tuple(whole)))
    return findings


def find_in_beginning(analysis: Analysis) -> list[RgdFindings]:
    """Return what is wrong with the parts alone that use no name which may come later, for a text that goes on."""
    findings = []
    for rgd in frames_in(analysis):
        is_complete = rgd.section is not None and not rgd.scope(rgd.section).candidates
        section = section_findings(rgd.reader) if is_complete else SectionFindings()
        findings.append(RgdFindings(IN_COMPLETE_RESOURCES(rgd.reader), section))
    return findings


def find_at(analysis: Analysis, offsets: Collection[int], codes: frozenset[str]) -> list[RgdFindings]:
    """Return what is wrong in the parts of each RGD at some offsets; at least everything that has one of the codes.

    It is not kept: the surroundings are other ones than those that the next edit goes on from.
    """
    findings = []
    for rgd in frames_in(analysis):
        reader, schema = rgd.reader, rgd.rgd.schema
        resources = tuple(
            (number, (check_once(rgd.parts[number], scope_of(reader, rgd.parts[number]), codes),))
            for number, placed in enumerate(rgd.rgd.places)
            if _is_at(placed, offsets)
        )
        section = section_findings(reader) if schema and _is_at(schema.placed, offsets) else SectionFindings()
        whole = tuple([in_whole(reader) for found, in_whole in _IN_WHOLE if not codes.isdisjoint(found)])
        findings.append(RgdFindings(resources, section, whole))
    return findings


def _is_at(placed: PlacedChunk, offsets: Collection[int]) -> bool:
    return any(placed.start <= offset <= placed.end for offset in offsets)
