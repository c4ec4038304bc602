"""Names with a declaration and uses: those in expressions, and custom types, which SimpleSchema uses.

Expressions use resource ids, iterators, variables of macros, and kro's own names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.analysis.model.model import Resource
from kro_ls.analysis.model.sections import written_field
from kro_ls.analysis.names.references import Meaning, Reference, meaning, references
from kro_ls.analysis.types.variables import simple_schema
from kro_ls.cursor.parts import PlacedPart, parts, resource_part
from kro_ls.graphs import declaring_graph
from kro_ls.yaml_positions.nodes import Scalar
from kro_ls.yaml_positions.scalars.source_map import text_span

if TYPE_CHECKING:
    from kro_ls.analysis.model.expressions import Expression
    from kro_ls.analysis.model.model import SchemaSection
    from kro_ls.analysis.names.inspection import LocalVariable
    from kro_ls.cursor.located import LocatedExpression, SchemaField
    from kro_ls.yaml_positions.positions import Span


class Occurrence(Struct, frozen=True):
    """One place where a name is written, in document offsets."""

    span: Span
    is_declaration: bool


def _occurrences(declaration: Span | None, uses: list[Span]) -> tuple[Occurrence, ...]:
    declared = [Occurrence(declaration, is_declaration=True)] if declaration else []
    return (*declared, *(Occurrence(span, is_declaration=False) for span in uses))


_OWNED = (Meaning.RESOURCE, Meaning.ITERATOR, Meaning.EACH)
"""Meanings with which one name stands for something else in another part."""


class Symbol(Struct, frozen=True):
    """A name that expressions use.

    `owner` is the part that the name belongs to: the resource that declares it, or the part of the macro. `variable` is
    a macro's, with the macro's expression; then there is no `meaning`.
    """

    name: str
    meaning: Meaning | None
    owner: PlacedPart
    variable: tuple[Expression, LocalVariable] | None = None

    @property
    def declaration(self) -> Span | None:
        """Where the name is declared, in document offsets; None for kro's own names."""
        owner = self.owner
        if self.variable:
            expression, variable = self.variable
            return owner.span(expression.span(*variable.span))
        if isinstance(owner.part, Resource):
            if self.meaning is Meaning.ITERATOR and not owner.part.collection.iterator:
                keys = (each.key for each in owner.part.named_iterators if each.name == self.name)
                return next((owner.span(key.span) for key in keys), None)
            if self.meaning in (Meaning.RESOURCE, Meaning.EACH) and owner.part.id_node:
                return owner.span(owner.part.id_node.span)
        if self.meaning is Meaning.SCHEMA and owner.rgd.rgd.schema:
            return owner.rgd.rgd.schema.key_span
        return None

    @property
    def occurrences(self) -> tuple[Occurrence, ...]:
        """Every place where the name is written, its declaration first."""
        return _occurrences(self.declaration, self._uses())

    def _uses(self) -> list[Span]:
        if self.variable:
            expression, variable = self.variable
            return [self.owner.span(expression.span(use.start, use.end)) for use in variable.uses]
        searched = [self.owner] if self.meaning in (Meaning.ITERATOR, Meaning.EACH) else parts(self.owner.rgd)
        return [
            owner.span(reference.span)
            for owner in searched
            for reference in references(owner.part)
            if reference.name == self.name and self._is_same(_symbol_of(owner, reference))
        ]

    def _is_same(self, other: Symbol) -> bool:
        owned = self.meaning in _OWNED
        return self.meaning is other.meaning and (not owned or self.owner.part is other.owner.part)


def declared_symbol_at(owner: PlacedPart, offset: int) -> Symbol | None:
    """Return the resource or the iterator whose declaration is at an offset of a part's text."""
    part = owner.part
    if not isinstance(part, Resource):
        return None
    if part.id is not None and part.id_node and part.id_node.start <= offset <= part.id_node.end:
        return Symbol(part.id, Meaning.RESOURCE, owner)
    for dimension in part.named_iterators:
        if dimension.key.start <= offset <= dimension.key.end:
            return Symbol(dimension.name, Meaning.ITERATOR, owner)
    return None


def used_symbol_at(located: LocatedExpression) -> Symbol | None:
    """Return the variable of a macro, or the free name, at a place of an expression."""
    owner, expression, offset = located.owner, located.expression, located.offset
    for variable in expression.inspection.variables:
        spans = [variable.span, *((use.start, use.end) for use in variable.uses)]
        if any(start <= offset <= end for start, end in spans):
            return Symbol(variable.name, None, owner, (expression, variable))
    for reference in references(owner.part):
        node = reference.use.node
        if reference.expression is expression and node.start <= offset <= node.end:
            return _symbol_of(owner, reference)
    return None


def _symbol_of(owner: PlacedPart, reference: Reference) -> Symbol:
    """Return what a free name of a part stands for; the part owns a name that nothing declares."""
    declaring = declaring_graph(owner.rgd, reference.name)
    what = meaning(reference.name, owner.part, declaring.resources if declaring else ())
    if what in (Meaning.RESOURCE, Meaning.SELF) and declaring:
        return Symbol(reference.name, Meaning.RESOURCE, resource_part(declaring, declaring.resources[reference.name]))
    return Symbol(reference.name, what, owner)


class CustomType(Struct, frozen=True):
    """A custom type of an RGD, by its name."""

    name: str
    owner: PlacedPart
    section: SchemaSection

    @property
    def declaration(self) -> Span | None:
        """Where the type's name is declared, quotes left out, in document offsets."""
        written = written_field(self.section, "types", (self.name,))
        key = written.entry.key if written else None
        if not isinstance(key, Scalar):
            return None
        return self.owner.span(text_span(self.section.chunk_text, key))

    @property
    def occurrences(self) -> tuple[Occurrence, ...]:
        """Every place where the type's name is written, its declaration first, then in the order of the text."""
        return _occurrences(self.declaration, sorted(self._uses(), key=lambda span: span.start))

    def _uses(self) -> set[Span]:
        found = set()
        for reference in simple_schema(self.section).type_references:
            written = written_field(self.section, reference.root, reference.path)
            if reference.name == self.name and written:
                found.add(self.owner.span(written.span_in_text(reference.span)))
        return found


def custom_type_of(field: SchemaField) -> CustomType | None:
    """Return the custom type that is declared or used at the place of a field; also one that nothing declares."""
    if field.in_key:
        declared = field.root == "types" and len(field.path) == 1
        return CustomType(field.path[0], field.owner, field.written.section) if declared else None
    for reference in field.schema.type_references:
        if (reference.root, reference.path) == (field.root, field.path):
            span = field.written.span_in_text(reference.span)
            if span.start <= field.offset <= span.end:
                return CustomType(reference.name, field.owner, field.written.section)
    return None
