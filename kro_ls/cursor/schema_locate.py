"""Finds what stands at an offset in SimpleSchema, and where custom types are declared and used."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kro_ls.analysis.model.model import SchemaSection
from kro_ls.analysis.model.schema_fields import WrittenField, written_field
from kro_ls.analysis.simpleschema.cursor import place_at
from kro_ls.analysis.types.variables import simple_schema
from kro_ls.cursor.locate import Occurrence, PlacedPart, part_at, rgd_at
from kro_ls.yaml_positions.nodes import Scalar
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.source_map import source_map

if TYPE_CHECKING:
    from kro_ls.analysis.analysis import Analysis
    from kro_ls.analysis.simpleschema.cursor import Place
    from kro_ls.analysis.simpleschema.results import FieldDefinition, FieldPath, Root, SchemaResult

_ROOTS: tuple[Root, Root] = ("spec", "types")


@dataclass(frozen=True, slots=True)
class SchemaField:
    """A field of `spec.schema.spec` or a type of `spec.schema.types` at an offset; `in_key` tells where it is hit.

    `local_offset` is the offset in the text of the schema section.
    """

    placed_part: PlacedPart
    root: Root
    path: FieldPath
    written: WrittenField
    local_offset: int
    in_key: bool

    @property
    def schema(self) -> SchemaResult:
        """What SimpleSchema makes of the whole section."""
        return simple_schema(self.written.section)

    @property
    def definition(self) -> FieldDefinition | None:
        """What is known of the field."""
        return self.schema.definitions.get((self.root, self.path))

    @property
    def place(self) -> Place | None:
        """The type, marker or value in the field's text at the offset, None on the key and in a value without text."""
        scalar = self.written.text
        if self.in_key or scalar is None:
            return None
        offset = source_map(self.written.section.chunk_text, scalar).to_value(self.local_offset)
        return None if offset is None else place_at(scalar.text, offset)


@dataclass(frozen=True, slots=True)
class CustomType:
    """A custom type of an RGD, by its name."""

    name: str
    owner: PlacedPart
    section: SchemaSection


def schema_field_at(analysis: Analysis, offset: int) -> SchemaField | None:
    """Return the field or custom type at a document offset; between fields, the one that would be typed on."""
    rgd = rgd_at(analysis, offset)
    found = part_at(rgd, offset) if rgd else None
    at = rgd.rgd.document.path_at(offset) if rgd else None
    if found is None or at is None or not isinstance(found[0].part, SchemaSection):
        return None
    placed_part, local_offset = found
    path, _, in_key = at
    root = next((each for each in _ROOTS if path[:3] == ("spec", "schema", each)), None)
    names = tuple(step for step in path[3:] if isinstance(step, str))
    written = written_field(found[0].part, root, names) if root and len(names) == len(path) - 3 else None
    return SchemaField(placed_part, root, names, written, local_offset, in_key) if root and written else None


def custom_type_at(analysis: Analysis, offset: int) -> CustomType | None:
    """Return the custom type that is declared or used at a document offset; also one that nothing declares."""
    at = schema_field_at(analysis, offset)
    if at is None:
        return None
    if at.in_key:
        declared = at.root == "types" and len(at.path) == 1
        return CustomType(at.path[0], at.placed_part, at.written.section) if declared else None
    for reference in at.schema.type_references:
        if (reference.root, reference.path) == (at.root, at.path):
            span = at.written.span_in_text(reference.span)
            if span.start <= at.local_offset <= span.end:
                return CustomType(reference.name, at.placed_part, at.written.section)
    return None


def custom_type_declaration(custom_type: CustomType) -> Span | None:
    """Return where the type's name is declared, quotes left out, in document offsets."""
    written = written_field(custom_type.section, "types", (custom_type.name,))
    key = written.entry.key if written else None
    if not isinstance(key, Scalar):
        return None
    name = source_map(custom_type.section.chunk_text, key).source_span(Span(0, len(key.text)))
    return custom_type.owner.span(name)


def custom_type_occurrences(custom_type: CustomType) -> tuple[Occurrence, ...]:
    """Return every place where the type's name is written, its declaration first, then in the order of the text."""
    declared = custom_type_declaration(custom_type)
    uses: dict[Span, None] = {}
    for reference in simple_schema(custom_type.section).type_references:
        if reference.name == custom_type.name:
            written = written_field(custom_type.section, reference.root, reference.path)
            if written:
                uses[custom_type.owner.span(written.span_in_text(reference.span))] = None
    found = [Occurrence(declared, is_declaration=True)] if declared else []
    spans = sorted(uses, key=lambda span: span.start)
    return (*found, *(Occurrence(span, is_declaration=False) for span in spans))
