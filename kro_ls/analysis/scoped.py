"""The parts of an RGD with the scope of each. After an edit only the scopes are made anew that it can concern."""

from __future__ import annotations

from functools import cached_property
from itertools import compress
from operator import is_not
from typing import TYPE_CHECKING, Generic, TypeVar

from msgspec import Struct

from kro_ls.analysis.model.model import Resource, SchemaSection
from kro_ls.analysis.sets import union
from kro_ls.analysis.types.instance import changed_fields, unknown_fields
from kro_ls.yaml_positions.blocks import Blocks, Difference, difference

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kro_ls.analysis.facts import Facts, FactTable
    from kro_ls.analysis.scope import Scope
    from kro_ls.analysis.summary import Summary
    from kro_ls.analysis.surroundings import Surroundings

Part = TypeVar("Part", bound=Resource | SchemaSection)


class Renewed(Struct, frozen=True, eq=False):
    """What became of the scopes `before` an edit: where parts are other ones, and who else has another scope."""

    before: Blocks[Scope]
    edited: Difference
    rescoped: tuple[int, ...]


class ScopedParts(Struct, Generic[Part], frozen=True, eq=False):
    """Parts of one kind with the scope of each, the facts of each, and the surroundings that the scopes come from."""

    parts: Blocks[Part]
    scopes: Blocks[Scope]
    table: FactTable
    surroundings: Surroundings
    renewed: Renewed | None = None

    def since(self, before: ScopedParts[Part] | None) -> tuple[Difference, list[int]]:
        """Return where parts are other ones than before, and the numbers of those and of all with other scopes."""
        if before and self.renewed and self.renewed.before is before.scopes:
            edited = self.renewed.edited
            return edited, [*range(edited.start, edited.end), *self.renewed.rescoped]
        edited = difference(before.parts if before else Blocks(), self.parts)
        start, before_end, end = edited
        new = list(range(start, end))
        for first, scopes_before, scopes in (
            (0, before.scopes[:start] if before else (), self.scopes[:start]),
            (end, before.scopes[before_end:] if before else (), self.scopes[end:]),
        ):
            new += compress(range(first, len(self.scopes)), map(is_not, scopes_before, scopes))
        return edited, new


class Changes:
    """The surroundings of the parts, and those before an edit."""

    def __init__(self, now: Surroundings, before: Surroundings | None = None) -> None:
        self.now = now
        self.before = before

    @cached_property
    def fields(self) -> frozenset[str] | None:
        """The fields of the instance that have changed, as `changed_fields` gives them."""
        return changed_fields(self.before.instance if self.before else None, self.now.instance)


def scoped_parts(
    parts: Blocks[Part], table: FactTable, changes: Changes, before: ScopedParts[Part] | None
) -> ScopedParts[Part]:
    """Return parts with their scopes; those that are as `before` an edit are the same objects."""
    now = changes.now
    if before is None or changes.before is None:
        return ScopedParts(parts, Blocks.of(map(now.scope, parts)), table, now)
    start, before_end, end = edited = difference(before.parts, parts)
    scopes = before.scopes.replaced(start, before_end, map(now.scope, parts[start:end]))
    edited_numbers = range(start, end)
    affected = set(_affected(table, now, changes.before)).difference(edited_numbers)
    readers = set(_affected_by_instance(table, now, changes.before, changes)).difference(edited_numbers, affected)
    found = dict(zip(affected, map(now.scope, parts.at(affected)), strict=True))
    found |= zip(readers, map(now.scope_with_instance, parts.at(readers), scopes.at(readers)), strict=True)
    known = scopes.at(found)
    rescoped = {number: scope for (number, scope), kept in zip(found.items(), known, strict=True) if scope != kept}
    renewed = Renewed(before.scopes, edited, tuple(rescoped))
    return ScopedParts(parts, scopes.updated(rescoped), table, now, renewed)


def _affected(readers: FactTable, now: Surroundings, before: Surroundings) -> Iterator[int]:
    """Yield the numbers of the parts whose scope may be another one than before, though they were not edited.

    What has become of the instance is not looked at.
    """
    if now is before:
        return
    declarations, declarations_before = now.declarations, before.declarations
    table, table_before = declarations.table, declarations_before.table
    if (
        now.schemas.object_meta is not before.schemas.object_meta
        or declarations.cluster_scoped != declarations_before.cluster_scoped
        or declarations.outer != declarations_before.outer
        or declarations.omit_enabled != declarations_before.omit_enabled
    ):
        yield from range(len(readers.facts))
        return
    yield from readers.numbers_mentioning(table.changed_names(table_before))
    changed_kinds = before.changed_kinds(now.schemas)
    if changed_kinds:
        concerned = [number for number, facts in enumerate(table.facts) if facts.kind in changed_kinds]
        yield from concerned if readers is table else ()
        yield from readers.numbers_mentioning(
            frozenset(name for number in concerned if (name := table.facts[number].id))
        )
    has_other_anonymous = declarations.anonymous_resources != declarations_before.anonymous_resources
    if has_other_anonymous:
        yield from readers.numbers_using_themselves()
    has_other_ids = table is not table_before and table.ids != table_before.ids
    if readers is table:
        if has_other_anonymous or has_other_ids:
            yield from table.numbers_using(table_before.undeclared)
    elif (
        has_other_anonymous
        or has_other_ids
        or declarations.resources_unfinished != declarations_before.resources_unfinished
    ):
        yield from readers.numbers_using(readers.undeclared_among(table_before.numbers))


def _affected_by_instance(
    readers: FactTable, now: Surroundings, before: Surroundings, changes: Changes
) -> Iterable[int]:
    """Return the numbers of the parts that read a field which changed, or all of the instance, as it was before.

    Who reads a field that the instance lacks has all of it.
    """
    is_damaged, was_damaged = now.declarations.schema_damaged, before.declarations.schema_damaged
    if now.instance is before.instance and is_damaged == was_damaged:
        return ()
    changed = changes.fields
    read = union([block.summary.fields for block in readers.blocks if block.summary.fields])
    concerned = None if changed is None else changed | unknown_fields(before.instance, read)

    def concerns(reader: Facts | Summary) -> bool:
        if concerned is None:
            return bool(reader.reads)
        return reader.fields is None or not concerned.isdisjoint(reader.fields)

    return readers.numbers_where([concerns(block.summary) for block in readers.blocks], concerns)
