"""Finds what is wrong with the schema section of an RGD: of a large one in each part that was edited."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

from kro_ls.analysis.memory import remembered
from kro_ls.analysis.model.sections import SPEC, STATUS, CutSection, SectionEntry
from kro_ls.rules.overview import present
from kro_ls.rules.registry import CHECKS
from kro_ls.rules.rule import SchemaAs
from kro_ls.yaml_positions.blocks import Blocks, difference

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.model.model import PlacedSchema, SchemaSection
    from kro_ls.analysis.model.sections import SectionPart
    from kro_ls.analysis.scope import Scope
    from kro_ls.analysis.scoped import ScopedParts
    from kro_ls.rules.shared_check import CodedFinding, SharedCheck
    from kro_ls.yaml_positions.runs import PlacedChunk

Found: TypeAlias = "tuple[CodedFinding, ...]"

_CHECKS = {how: tuple(each for each in CHECKS if each.check_schema and each.schema_as is how) for how in SchemaAs}
_ALL = tuple(each for each in CHECKS if each.check_schema)


class SectionFindings(Struct, frozen=True, eq=False):
    """What is wrong with a section, found in the `whole` or in one of its parts, each with positions in that.

    `scope` is that of the section, of the head where it is cut; `scope_of_fields` that of the entries of its `spec`.
    """

    section: SchemaSection | None = None
    scope: Scope | None = None
    whole: Found = ()
    head: Found = ()
    scope_of_fields: Scope | None = None
    fields: Blocks[Found] = Blocks()
    outputs: Blocks[Found] = Blocks()
    scoped: ScopedParts[SectionEntry] | None = None

    def placed(
        self, schema: PlacedSchema, is_wanted: Callable[[CodedFinding], bool]
    ) -> Iterator[tuple[PlacedChunk, CodedFinding]]:
        """Yield the findings that are wanted with the chunks that their positions are in."""
        yield from ((schema.placed, found) for found in self.whole if is_wanted(found))
        section = self.section
        if not isinstance(section, CutSection) or self.scoped is None:
            return
        if self.head:
            placed_head = section.placed_head(schema.placed)
            yield from ((placed_head, found) for found in self.head if is_wanted(found))
        for key, entries in ((SPEC, self.fields), (STATUS, self.outputs)):
            for number, found in present(entries):
                if is_wanted(found):
                    yield section.placed_entry(schema.placed, key, number), found


def find_in_section(rgd: RgdAnalysis, before: SectionFindings | None) -> SectionFindings:
    """Return what is wrong with the schema section; what was found `before` an edit stands where nothing changed."""
    section = rgd.rgd.schema.section if rgd.rgd.schema else None
    if isinstance(section, CutSection) and not _lacks_resources(rgd):
        return _find_in_parts(section, rgd, before if before and before.scoped else None)
    scope = rgd.surroundings.scope_of_section
    if before and before.scoped is None and before.section is section and before.scope == scope:
        return before
    return SectionFindings(section, scope, check_section(section, scope) if section and scope else ())


def _lacks_resources(rgd: RgdAnalysis) -> bool:
    """Whether the status names resources that are still to be written: it is told of all of them at once."""
    if not rgd.surroundings.declarations.resources_unfinished:
        return False
    return bool(rgd.table.numbers.undeclared(rgd.section_foreign_names))


def check_section(section: SchemaSection, scope: Scope) -> Found:
    """Return what is wrong with a schema section by itself, found in the whole of it."""
    return _find(_ALL, section, scope)


def _find_in_parts(section: CutSection, rgd: RgdAnalysis, before: SectionFindings | None) -> SectionFindings:
    surroundings = rgd.surroundings
    scope = surroundings.scope(section.head)
    scope_of_fields = surroundings.scope(section.fields[0]) if section.fields else None
    is_known = before is not None and before.section is section and before.scope == scope
    return SectionFindings(
        section,
        scope,
        before.whole if before and is_known else _find_in_whole(section, scope),
        _find_in_part(section.head, scope),
        scope_of_fields,
        _find_in_fields(section, scope_of_fields, before),
        _find_in_outputs(rgd.outputs, before) if rgd.outputs else Blocks(),
        rgd.outputs,
    )


def _find_in_whole(section: CutSection, scope: Scope) -> Found:
    """Return what only shows in the whole; what the head would show as well is looked for there first."""
    found = _find(_CHECKS[SchemaAs.WHOLE], section, scope)
    return (*found, *_find(_CHECKS[SchemaAs.HEAD], section, scope)) if _shows_fault(section.head, scope) else found


@remembered
def _shows_fault(head: SectionPart, scope: Scope) -> bool:
    return bool(_find(_CHECKS[SchemaAs.HEAD], head, scope))


def _find_in_fields(section: CutSection, scope: Scope | None, before: SectionFindings | None) -> Blocks[Found]:
    if scope is None:
        return Blocks()
    known = before if before and before.scope_of_fields == scope else None
    old = known.section.fields if known and isinstance(known.section, CutSection) else Blocks[SectionEntry]()
    start, before_end, end = difference(old, section.fields)
    new = [_find_in_part(field, scope) for field in section.fields[start:end]]
    return (known.fields if known else Blocks[Found]()).replaced(start, before_end, new)


def _find_in_outputs(scoped: ScopedParts[SectionEntry], before: SectionFindings | None) -> Blocks[Found]:
    (start, before_end, end), numbers = scoped.since(before.scoped if before else None)
    new = {number: _find_in_part(scoped.parts[number], scoped.scopes[number]) for number in numbers}
    found = before.outputs if before else Blocks[Found]()
    return found.replaced(start, before_end, [new[each] for each in range(start, end)]).updated(new)


def _find_in_part(part: SectionPart, scope: Scope) -> Found:
    kept: tuple[Scope, Found] | None = part.memory.get(_find_in_part)
    if kept is None or kept[0] != scope:
        kept = part.memory[_find_in_part] = scope, _find(_CHECKS[SchemaAs.PARTS], part, scope)
    return kept[1]


def _find(checks: tuple[SharedCheck, ...], section: SchemaSection, scope: Scope) -> Found:
    return tuple(found for check in checks if check.check_schema for found in check.check_schema(section, scope))
