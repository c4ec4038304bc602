"""The whole of an RGD, for what has to be known of all its parts at once.

What is worked out for each resource stands in columns, which are carried on from one version of the document to the
next: only for a resource that was edited, or whose scope is another one, a value is worked out anew.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from kro_ls.yaml_positions.blocks import Blocks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.memory import Memory
    from kro_ls.analysis.model.model import Resource
    from kro_ls.analysis.scope import Scope

Value = TypeVar("Value")
Shared = TypeVar("Shared")


class Column(NamedTuple, Generic[Value]):
    """What a function gave for each resource, with the argument that was the same for all."""

    shared: object
    values: Blocks[Value]


class Overview:
    """One RGD as a whole. `before` is the overview of an earlier version."""

    def __init__(self, rgd: RgdAnalysis, before: Overview | None = None) -> None:
        self.rgd = rgd
        self.columns: dict[object, Column[Any]] = {}
        self.memory: Memory = {}
        self._columns_before = before.columns if before else {}
        self.edited, self._new = rgd.scoped.since(before.rgd.scoped if before else None)
        """Which resources are other ones than before, and which of all have to be looked at again."""

    def column(self, function: Callable[[Resource, Scope, Shared], Value], shared: Shared) -> Blocks[Value]:
        """Return what a function gives for each resource.

        It must depend on its arguments alone; `shared` is the same for all resources, and compared by value.
        """
        found = self.columns.get(function)
        if found is None or found.shared != shared:
            found = self.columns[function] = Column(shared, self._values(function, shared))
        return found.values

    def _values(self, function: Callable[[Resource, Scope, Shared], Value], shared: Shared) -> Blocks[Value]:
        scoped = self.rgd.scoped
        before = self._columns_before.get(function)
        if before is None or before.shared != shared:
            return Blocks.of(
                function(resource, scope, shared) for resource, scope in zip(scoped.parts, scoped.scopes, strict=True)
            )
        start, before_end, end = self.edited
        new = zip(self._new, scoped.parts.at(self._new), scoped.scopes.at(self._new), strict=True)
        found = {number: function(resource, scope, shared) for number, resource, scope in new}
        known: Blocks[Value] = before.values.replaced(start, before_end, [found[each] for each in range(start, end)])
        return known.updated(found)

    def forget_before(self) -> None:
        """Let go of the columns of the version before, when all that is wanted has been asked for."""
        self._columns_before = {}

    @cached_property
    def is_readable(self) -> bool:
        """Whether every expression could be read and its names are known: if not, anything may be meant."""
        rgd = self.rgd
        if rgd.rgd.document.damaged or not rgd.table.summary.is_readable:
            return False
        unknown = rgd.table.undeclared | rgd.table.numbers.undeclared(rgd.section_foreign_names)
        return unknown <= _KNOWN and rgd.is_section_readable


_KNOWN = frozenset({"each", "runtime"})


def present(column: Blocks[tuple[Value, ...]]) -> Iterator[tuple[int, Value]]:
    """Yield the values of a column of tuples, most of them empty, each with the number of its resource."""
    for start, block in column.filled():
        for number, values in enumerate(block, start):
            for value in values:
                yield number, value
