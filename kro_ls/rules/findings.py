"""Runs the checks over each RGD of an analysis: over its resources, its schema section and the whole.

A large schema section is cut into parts, and those that an edit leaves unchanged are not checked again.
"""

from __future__ import annotations

from itertools import chain, repeat
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

from kro_ls.analysis.analysis import RgdAnalysis
from kro_ls.analysis.definition_queries import SECTION, declarations, is_unfinished
from kro_ls.analysis.model.sections import SPEC, STATUS, CutSection, SectionEntry
from kro_ls.analysis.names.references import foreign_names
from kro_ls.analysis.scope import scope_of
from kro_ls.graphs import frames_in
from kro_ls.queries.cells import cached
from kro_ls.queries.engine import OwnedQuery, Query
from kro_ls.rules.registry import RULES, SHARED_CHECKS
from kro_ls.rules.resource_findings import EXPRESSION_CHECK, IN_COMPLETE_RESOURCES, IN_RESOURCES, check_once
from kro_ls.rules.rule import SchemaAs, SharedCheck

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from kro_ls.analysis.analysis import Analysis
    from kro_ls.analysis.model.model import PlacedSchema, SchemaSection
    from kro_ls.analysis.model.sections import SectionPart
    from kro_ls.analysis.scope import Scope
    from kro_ls.queries.engine import Reader
    from kro_ls.rules.columns import Values
    from kro_ls.rules.rule import CodedFinding, CodedFindings, PlacedFinding, Rule
    from kro_ls.yaml_positions.documents.blocks import Block
    from kro_ls.yaml_positions.documents.runs import PlacedChunk


Found: TypeAlias = "tuple[CodedFinding, ...]"


def _own_check(rule: Rule) -> SharedCheck:
    """Return a rule's checks of the schema section and of the whole as a `SharedCheck`."""
    code, of_schema, of_document = rule.code, rule.check_schema, rule.check_document
    return SharedCheck(
        (rule,),
        check_schema=of_schema and (lambda section, scope: zip(repeat(code), of_schema(section, scope))),
        check_document=of_document and (lambda rgd: ((part, code, finding) for part, finding in of_document(rgd))),
        schema_as=rule.schema_as,
    )


_CHECKS = (*map(_own_check, RULES), *SHARED_CHECKS, EXPRESSION_CHECK)

_Checks: TypeAlias = "tuple[Callable[[SchemaSection, Scope], CodedFindings], ...]"

_SECTION_CHECKS = [(each.schema_as, each.check_schema) for each in _CHECKS if each.check_schema]
_CHECKS_AS: dict[SchemaAs, _Checks] = {
    how: tuple(check for schema_as, check in _SECTION_CHECKS if schema_as is how) for how in SchemaAs
}


class SectionFindings(Struct, frozen=True):
    """The findings in a schema section. Their spans are relative to the `whole`, or to the part that they are in.

    `fields` and `outputs` have the findings of each entry of `spec` and of `status` outside of the head.
    """

    whole: Found = ()
    head: Found = ()
    fields: tuple[Found, ...] = ()
    outputs: tuple[Found, ...] = ()

    def placed(
        self, schema: PlacedSchema, is_wanted: Callable[[CodedFinding], bool]
    ) -> Iterator[tuple[PlacedChunk, CodedFinding]]:
        """Yield the wanted findings, each with the chunk that its span is relative to."""
        yield from ((schema.placed, found) for found in self.whole if is_wanted(found))
        section = schema.section
        if not isinstance(section, CutSection):
            return
        if self.head:
            placed_head = section.placed_head(schema.placed)
            yield from ((placed_head, found) for found in self.head if is_wanted(found))
        for key, entries in ((SPEC, self.fields), (STATUS, self.outputs)):
            for number, findings in enumerate(entries):
                for found in findings:
                    if is_wanted(found):
                        yield section.placed_entry(schema.placed, key, number), found


class RgdFindings(Struct, frozen=True, eq=False):
    """The findings in one RGD: in each resource, in the schema section, and in the whole, by check."""

    resources: Values[Found]
    section: SectionFindings
    whole: tuple[tuple[PlacedFinding, ...], ...] = ()


@Query
def section_findings(reader: Reader) -> SectionFindings:
    """Return the findings in the schema section."""
    section = SECTION(reader)
    if section is None:
        return SectionFindings()
    if isinstance(section, CutSection) and not _lacks_resources(reader, section):
        return SectionFindings(
            _in_whole_section(reader, section),
            _in_part(section.head, scope_of(reader, section.head)),
            tuple(chain.from_iterable([_in_fields(reader, block) for block in section.fields.blocks])),
            tuple(chain.from_iterable([_in_outputs(reader, block) for block in section.outputs.blocks])),
        )
    return SectionFindings(check_section(section, scope_of(reader, section)))


def _lacks_resources(reader: Reader, section: CutSection) -> bool:
    """Whether the status names resources that are still to be written: one finding reports all of them."""
    return is_unfinished(reader) and any(declarations.entry(reader, name) is None for name in foreign_names(section))


def check_section(section: SchemaSection, scope: Scope) -> Found:
    """Return the findings in a schema section that is not cut into parts."""
    return _find_in_section(tuple(check for _, check in _SECTION_CHECKS), section, scope)


@OwnedQuery
def _in_whole_section(reader: Reader, section: CutSection) -> Found:
    """Return the findings that only show in the whole. The checks of the head see it if they find something there."""
    scope = scope_of(reader, section.head)
    found = _find_in_section(_CHECKS_AS[SchemaAs.WHOLE], section, scope)
    in_head = _find_in_section(_CHECKS_AS[SchemaAs.HEAD], section, scope) if _shows_fault(section.head, scope) else ()
    return (*found, *in_head)


@cached
def _shows_fault(head: SectionPart, scope: Scope) -> bool:
    return bool(_find_in_section(_CHECKS_AS[SchemaAs.HEAD], head, scope))


@OwnedQuery
def _in_fields(reader: Reader, block: Block[SectionEntry]) -> tuple[Found, ...]:
    """Return the findings in entries of `spec`. They have no expressions, so all have the same scope."""
    scope = scope_of(reader, block[0])
    return tuple([_in_part(each, scope) for each in block])


@OwnedQuery
def _in_outputs(reader: Reader, block: Block[SectionEntry]) -> tuple[Found, ...]:
    return tuple([_in_part(each, scope_of(reader, each)) for each in block])


@cached
def _in_part(part: SectionPart, scope: Scope) -> Found:
    return _find_in_section(_CHECKS_AS[SchemaAs.PARTS], part, scope)


def _find_in_section(checks: _Checks, section: SchemaSection, scope: Scope) -> Found:
    return tuple(found for check in checks for found in check(section, scope))


def _in_whole(check: Callable[[RgdAnalysis], Iterator[PlacedFinding]]) -> Query[[], tuple[PlacedFinding, ...]]:
    @Query
    def in_whole(reader: Reader) -> tuple[PlacedFinding, ...]:
        return tuple(check(RgdAnalysis(reader)))

    return in_whole


_IN_WHOLE = tuple((check.codes, _in_whole(check.check_document)) for check in _CHECKS if check.check_document)
"""The checks of the whole as queries, each with the codes that it may find."""


def find(analysis: Analysis) -> list[RgdFindings]:
    """Return the findings in each RGD."""
    readers = [rgd.reader for rgd in frames_in(analysis)]
    return [
        RgdFindings(IN_RESOURCES(each), section_findings(each), tuple([in_whole(each) for _, in_whole in _IN_WHOLE]))
        for each in readers
    ]


def find_one_by_one(analysis: Analysis) -> Iterator[None]:
    """Compute what `find` returns, which is cached, and yield after each query, so that others get their turn."""
    queries: list[Callable[[Reader], object]] = [IN_RESOURCES, section_findings]
    queries += (in_whole for _, in_whole in _IN_WHOLE)
    for rgd in frames_in(analysis):
        for query in queries:
            query(rgd.reader)
            yield


def find_in_beginning(analysis: Analysis) -> list[RgdFindings]:
    """Return the findings in an unfinished text: in those parts that use no name which may be declared later."""
    findings = []
    for rgd in frames_in(analysis):
        is_complete = rgd.section is not None and not rgd.scope(rgd.section).candidates
        section = section_findings(rgd.reader) if is_complete else SectionFindings()
        findings.append(RgdFindings(IN_COMPLETE_RESOURCES(rgd.reader), section))
    return findings


def find_at(analysis: Analysis, offsets: Collection[int], codes: frozenset[str]) -> list[RgdFindings]:
    """Return the findings in the parts of each RGD at some offsets; at least all that have one of the codes.

    Those in resources are not cached, because the next edit does not start from this analysis.
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
