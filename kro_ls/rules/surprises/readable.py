"""Whether all expressions of a definition can be read: one that cannot may use anything."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.definition_queries import IS_DAMAGED, SECTION
from kro_ls.analysis.facts import is_readable, table
from kro_ls.analysis.model.sections import CutSection
from kro_ls.analysis.names.references import foreign_names
from kro_ls.queries.cells import cached
from kro_ls.queries.engine import Query

if TYPE_CHECKING:
    from kro_ls.analysis.model.model import SchemaSection
    from kro_ls.analysis.model.sections import SectionEntry
    from kro_ls.queries.cells import Block
    from kro_ls.queries.engine import Reader


_NO_IDS = frozenset({"each", "runtime"})


@Query
def is_all_readable(reader: Reader) -> bool:
    """Whether every expression could be read and its names are declared."""
    if IS_DAMAGED(reader) or not table(reader).is_readable:
        return False
    section, facts = SECTION(reader), table(reader)
    used = foreign_names(section) if section else frozenset[str]()
    unknown = facts.undeclared | facts.undeclared_in(used)
    return unknown <= _NO_IDS and _is_section_readable(section)


def _is_section_readable(section: SchemaSection | None) -> bool:
    if isinstance(section, CutSection):
        outputs = all(map(_are_outputs_readable, section.outputs.blocks))
        return outputs and is_readable(section.head)
    return section is None or is_readable(section)


@cached
def _are_outputs_readable(block: Block[SectionEntry]) -> bool:
    return all(map(is_readable, block))
