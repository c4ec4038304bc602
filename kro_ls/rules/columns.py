"""A query for each resource of a definition, such as the findings in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeAlias, TypeVar

from kro_ls.analysis.facts import PARTS
from kro_ls.queries.engine import OwnedQuery, Query

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kro_ls.analysis.model.model import Resource
    from kro_ls.queries.cells import Block
    from kro_ls.queries.engine import Reader


Value = TypeVar("Value")

Values: TypeAlias = "tuple[tuple[int, tuple[Value, ...]], ...]"
"""Values of consecutive resources, with the number of the first; those that are all empty are left out."""


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
