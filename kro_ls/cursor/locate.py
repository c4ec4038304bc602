"""Finds what stands at an offset of an analysed text: the part, the expression, the name and what it refers to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kro_ls.analysis.model.model import PlacedResource, Resource, SchemaSection
from kro_ls.analysis.names.references import Meaning, Reference, meaning, references

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.analysis import Analysis, RgdAnalysis
    from kro_ls.analysis.model.expressions import Expression
    from kro_ls.analysis.names.inspection import LocalVariable
    from kro_ls.yaml_positions.positions import Span
    from kro_ls.yaml_positions.runs import PlacedChunk


@dataclass(frozen=True, slots=True)
class PlacedPart:
    """A resource or the schema section of an RGD, where it stands in the document."""

    rgd: RgdAnalysis
    placed: PlacedChunk
    part: Resource | SchemaSection

    def span(self, span: Span) -> Span:
        """Return a span of the part's text in document offsets."""
        return self.placed.document_span(span)


@dataclass(frozen=True, slots=True)
class Symbol:
    """A name with a declaration: a resource id, an iterator or a macro's variable.

    `owner` is the part that the name belongs to: the resource that declares it, or the part of the macro.
    """

    name: str
    meaning: Meaning | None
    owner: PlacedPart
    variable: tuple[Expression, LocalVariable] | None = None


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One place where a symbol is written, in document offsets."""

    span: Span
    is_declaration: bool


def parts(rgd: RgdAnalysis) -> Iterator[PlacedPart]:
    """Yield the schema section and the resources of an RGD."""
    if rgd.rgd.schema:
        yield PlacedPart(rgd, rgd.rgd.schema.placed, rgd.rgd.schema.section)
    for placed in rgd.rgd.resources:
        yield PlacedPart(rgd, placed.placed, placed.resource)


def rgd_at(analysis: Analysis, offset: int) -> RgdAnalysis | None:
    """Return the RGD whose document holds a document offset."""
    for rgd in analysis.rgds:
        if rgd.rgd.document.start <= offset <= rgd.rgd.document.end:
            return rgd
    return None


def part_at(rgd: RgdAnalysis, offset: int) -> tuple[PlacedPart, int] | None:
    """Return the part that holds a document offset, and the offset in the part's text."""
    for placed_part in parts(rgd):
        local = placed_part.placed.to_chunk(offset)
        node = placed_part.part.node
        # A part with a chunk of its own has the blank lines around it, too.
        if local is not None and (placed_part.placed.path or node.start <= local <= node.end):
            return placed_part, local
    return None


def expression_at(part: Resource | SchemaSection, offset: int) -> tuple[Expression, int] | None:
    """Return the expression at an offset of the part's text, and the offset in its CEL text."""
    for expression in part.expressions:
        if expression.scalar.start <= offset <= expression.scalar.end:
            cel_offset = expression.offset(offset)
            if cel_offset is not None:
                return expression, cel_offset
    return None


def reference_at(part: Resource | SchemaSection, offset: int) -> Reference | None:
    """Return the free name that touches an offset of the part's text."""
    found = expression_at(part, offset)
    if found is None:
        return None
    expression, cel_offset = found
    for reference in references(part):
        node = reference.use.node
        if reference.expression is expression and node.start <= cel_offset <= node.end:
            return reference
    return None


def symbol_at(analysis: Analysis, offset: int) -> Symbol | None:
    """Return the symbol that is declared or used at a document offset."""
    rgd = rgd_at(analysis, offset)
    found = part_at(rgd, offset) if rgd else None
    if rgd is None or found is None:
        return None
    placed_part, local = found
    return _declared_at(placed_part, local) or _variable_at(placed_part, local) or _referenced_at(placed_part, local)


def _declared_at(placed_part: PlacedPart, offset: int) -> Symbol | None:
    part = placed_part.part
    if not isinstance(part, Resource):
        return None
    if part.id is not None and part.id_node and part.id_node.start <= offset <= part.id_node.end:
        return Symbol(part.id, Meaning.RESOURCE, placed_part)
    for dimension in part.dimensions:
        if dimension.key.start <= offset <= dimension.key.end:
            return Symbol(dimension.name, Meaning.ITERATOR, placed_part)
    return None


def _variable_at(placed_part: PlacedPart, offset: int) -> Symbol | None:
    found = expression_at(placed_part.part, offset)
    if found is None:
        return None
    expression, cel_offset = found
    for variable in expression.inspection.variables:
        spans = [variable.span, *((use.start, use.end) for use in variable.uses)]
        if any(start <= cel_offset <= end for start, end in spans):
            return Symbol(variable.name, None, placed_part, (expression, variable))
    return None


def _referenced_at(placed_part: PlacedPart, offset: int) -> Symbol | None:
    reference = reference_at(placed_part.part, offset)
    if reference is None:
        return None
    return symbol_of(placed_part, reference)


def symbol_of(placed_part: PlacedPart, reference: Reference) -> Symbol:
    """Return the symbol that a free name of a part stands for; the part owns a name that nothing declares."""
    what = meaning(reference.name, placed_part.part, placed_part.rgd.resources)
    if what in (Meaning.RESOURCE, Meaning.SELF):
        declaring = placed_part.rgd.resources.get(reference.name)
        if declaring:
            return Symbol(reference.name, Meaning.RESOURCE, _placed_part(placed_part.rgd, declaring))
    return Symbol(reference.name, what, placed_part)


def _placed_part(rgd: RgdAnalysis, placed: PlacedResource) -> PlacedPart:
    return PlacedPart(rgd, placed.placed, placed.resource)


def declaration(symbol: Symbol) -> Span | None:
    """Return where the symbol is declared, in document offsets; None for kro's own names."""
    owner = symbol.owner
    if symbol.variable:
        expression, variable = symbol.variable
        return owner.span(expression.span(*variable.span))
    if isinstance(owner.part, Resource):
        if symbol.meaning is Meaning.RESOURCE and owner.part.id_node:
            return owner.span(owner.part.id_node.span)
        if symbol.meaning is Meaning.ITERATOR:
            for dimension in owner.part.dimensions:
                if dimension.name == symbol.name:
                    return owner.span(dimension.key.span)
        if symbol.meaning is Meaning.EACH and owner.part.id_node:
            return owner.span(owner.part.id_node.span)
    if symbol.meaning is Meaning.SCHEMA and owner.rgd.rgd.schema:
        return owner.rgd.rgd.schema.key_span
    return None


def occurrences(symbol: Symbol) -> tuple[Occurrence, ...]:
    """Return every place where the symbol is written, its declaration first."""
    declared = declaration(symbol)
    found = [Occurrence(declared, is_declaration=True)] if declared else []
    if symbol.variable:
        expression, variable = symbol.variable
        spans = (expression.span(use.start, use.end) for use in variable.uses)
        return (*found, *(Occurrence(symbol.owner.span(span), is_declaration=False) for span in spans))
    searched = [symbol.owner] if symbol.meaning in (Meaning.ITERATOR, Meaning.EACH) else parts(symbol.owner.rgd)
    for placed_part in searched:
        found.extend(
            Occurrence(placed_part.span(reference.span), is_declaration=False)
            for reference in references(placed_part.part)
            if reference.name == symbol.name and _same(symbol_of(placed_part, reference), symbol)
        )
    return tuple(found)


def _same(left: Symbol, right: Symbol) -> bool:
    owned = left.meaning in (Meaning.RESOURCE, Meaning.ITERATOR, Meaning.EACH)
    return left.meaning is right.meaning and (not owned or left.owner.part is right.owner.part)
