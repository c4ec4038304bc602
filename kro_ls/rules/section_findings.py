"""Finds what is wrong with the schema section of an RGD: of a large one in each part that was edited."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

from kro_ls.analysis.definition import SECTION, declarations, is_unfinished
from kro_ls.analysis.model.sections import SPEC, STATUS, CutSection, SectionEntry, in_section
from kro_ls.analysis.names.references import foreign_names
from kro_ls.analysis.scope import scope_of
from kro_ls.queries.cells import cached
from kro_ls.queries.engine import OwnedQuery, Query
from kro_ls.rules.registry import CHECKS
from kro_ls.rules.rule import SchemaAs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kro_ls.analysis.model.model import PlacedSchema, SchemaSection
    from kro_ls.analysis.model.sections import SectionPart
    from kro_ls.analysis.scope import Scope
    from kro_ls.queries.engine import Reader
    from kro_ls.rules.shared_check import CodedFinding, SharedCheck
    from kro_ls.yaml_positions.blocks import Block
    from kro_ls.yaml_positions.runs import PlacedChunk

Found: TypeAlias = "tuple[CodedFinding, ...]"

_CHECKS = {how: tuple(each for each in CHECKS if each.check_schema and each.schema_as is how) for how in SchemaAs}
_ALL = tuple(each for each in CHECKS if each.check_schema)


class SectionFindings(Struct, frozen=True):
    """What is wrong with a section, found in the `whole` or in one of its parts, each with positions in that.

    Of `fields` and `outputs`, the findings in each entry of `spec` and of `status` that is not in the head.
    """

    whole: Found = ()
    head: Found = ()
    fields: tuple[Found, ...] = ()
    outputs: tuple[Found, ...] = ()

    def placed(
        self, schema: PlacedSchema, is_wanted: Callable[[CodedFinding], bool]
    ) -> Iterator[tuple[PlacedChunk, CodedFinding]]:
        """Yield the findings that are wanted with the chunks that their positions are in."""
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


@Query
def section_findings(reader: Reader) -> SectionFindings:
    """Return what is wrong with the schema section."""
    section = SECTION(reader)
    if section is None:
        return SectionFindings()
    if isinstance(section, CutSection) and not _lacks_resources(reader, section):
        return SectionFindings(
            _in_whole(reader, section),
            _in_part(section.head, scope_of(reader, section.head)),
            tuple(chain.from_iterable([_in_fields(reader, block) for block in section.fields.blocks])),
            tuple(chain.from_iterable([_in_outputs(reader, block) for block in section.outputs.blocks])),
        )
    return SectionFindings(check_section(section, scope_of(reader, section)))


def _lacks_resources(reader: Reader, section: CutSection) -> bool:
    """Whether the status names resources that are still to be written: it is told of all of them at once."""
    return is_unfinished(reader) and any(
        declarations.entry(reader, name) is None for name in in_section(section, foreign_names)
    )


def check_section(section: SchemaSection, scope: Scope) -> Found:
    """Return what is wrong with a schema section by itself, found in the whole of it."""
    return _find(_ALL, section, scope)


@OwnedQuery
def _in_whole(reader: Reader, section: CutSection) -> Found:
    """Return what only shows in the whole; what the head would show as well is looked for there first."""
    scope = scope_of(reader, section.head)
    found = _find(_CHECKS[SchemaAs.WHOLE], section, scope)
    return (*found, *_find(_CHECKS[SchemaAs.HEAD], section, scope)) if _shows_fault(section.head, scope) else found


@cached
def _shows_fault(head: SectionPart, scope: Scope) -> bool:
    return bool(_find(_CHECKS[SchemaAs.HEAD], head, scope))


@OwnedQuery
def _in_fields(reader: Reader, block: Block[SectionEntry]) -> tuple[Found, ...]:
    """Return what is wrong with entries of `spec`: they have no expressions, so all have one scope."""
    scope = scope_of(reader, block[0])
    return tuple([_in_part(each, scope) for each in block])


@OwnedQuery
def _in_outputs(reader: Reader, block: Block[SectionEntry]) -> tuple[Found, ...]:
    return tuple([_in_part(each, scope_of(reader, each)) for each in block])


@cached
def _in_part(part: SectionPart, scope: Scope) -> Found:
    return _find(_CHECKS[SchemaAs.PARTS], part, scope)


def _find(checks: tuple[SharedCheck, ...], section: SchemaSection, scope: Scope) -> Found:
    return tuple(found for check in checks if check.check_schema for found in check.check_schema(section, scope))
