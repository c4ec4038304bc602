"""What a function gives for each resource of a definition, such as the findings in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeAlias, TypeVar

from kro_ls.analysis.definition import PARTS, RGD, SECTION, table
from kro_ls.analysis.facts import is_readable
from kro_ls.analysis.model.sections import CutSection, in_section
from kro_ls.analysis.names.references import foreign_names
from kro_ls.queries.engine import OwnedQuery, Query

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kro_ls.analysis.model.model import Resource, SchemaSection
    from kro_ls.analysis.model.sections import SectionEntry
    from kro_ls.queries.engine import Reader
    from kro_ls.yaml_positions.blocks import Block


Value = TypeVar("Value")

Values: TypeAlias = "tuple[tuple[int, tuple[Value, ...]], ...]"
"""Values of resources that follow one another, with the number of the first; where all are empty, they are left out."""


class Column(Generic[Value]):
    """A query for each resource. Most values are empty, and most edits change one of them."""

    def __init__(self, function: Callable[[Reader, Resource], Value]) -> None:
        of_resource = OwnedQuery(function)

        @OwnedQuery
        def of_block(reader: Reader, block: Block[Resource]) -> tuple[Value, ...]:
            values = tuple(of_resource.each(reader, block))
            return values if any(values) else ()

        @Query
        def of_all(reader: Reader) -> Values[Value]:
            parts = PARTS(reader)
            values = zip(parts.starts, of_block.each(reader, parts.blocks), strict=False)
            return tuple([(start, each) for start, each in values if each])

        self._query = of_all

    def __call__(self, reader: Reader) -> Values[Value]:
        """Return the values."""
        return self._query(reader)

    def present(self, reader: Reader) -> Iterator[tuple[int, Value]]:
        """Yield the values that are not empty, each with the number of its resource."""
        for start, values in self(reader):
            for number, value in enumerate(values, start):
                if value:
                    yield number, value


_KNOWN = frozenset({"each", "runtime"})


@Query
def is_all_readable(reader: Reader) -> bool:
    """Return whether every expression could be read and its names are known."""
    if RGD(reader).document.damaged or not table(reader).is_readable:
        return False
    section, facts = SECTION(reader), table(reader)
    unknown = facts.undeclared | in_section(section, foreign_names).difference(facts.numbers)
    return unknown <= _KNOWN and _is_section_readable(reader, section)


def _is_section_readable(reader: Reader, section: SchemaSection | None) -> bool:
    if isinstance(section, CutSection):
        outputs = all(_are_outputs_readable(reader, block) for block in section.outputs.blocks)
        return outputs and is_readable(section.head)
    return section is None or is_readable(section)


@OwnedQuery
def _are_outputs_readable(_reader: Reader, block: Block[SectionEntry]) -> bool:
    return all(map(is_readable, block))
