"""The names of custom types, which `spec.schema.types` declares and SimpleSchema uses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.analysis.model.sections import written_field
from kro_ls.analysis.types.variables import simple_schema
from kro_ls.cursor.names.occurrence import Occurrence
from kro_ls.yaml_positions.nodes import Scalar
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.source_map import source_map

if TYPE_CHECKING:
    from kro_ls.analysis.model.model import SchemaSection
    from kro_ls.cursor.parts import PlacedPart
    from kro_ls.cursor.schema_field import SchemaField


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
        return self.owner.span(source_map(self.section.chunk_text, key).source_span(Span(0, len(key.text))))

    @property
    def occurrences(self) -> tuple[Occurrence, ...]:
        """Every place where the type's name is written, its declaration first, then in the order of the text."""
        declared = self.declaration
        uses = sorted(self._uses(), key=lambda span: span.start)
        return (
            *([Occurrence(declared, is_declaration=True)] if declared else []),
            *(Occurrence(span, is_declaration=False) for span in uses),
        )

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
