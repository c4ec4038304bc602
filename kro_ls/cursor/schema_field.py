"""The field of SimpleSchema at a place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.analysis.model.model import SchemaSection
from kro_ls.analysis.model.sections import WrittenField, written_field
from kro_ls.analysis.simpleschema.place_at import place_at
from kro_ls.analysis.types.variables import simple_schema
from kro_ls.yaml_positions.source_map import source_map

if TYPE_CHECKING:
    from kro_ls.analysis.simpleschema.place_at import Place
    from kro_ls.analysis.simpleschema.results import FieldDefinition, FieldPath, Root, SchemaResult
    from kro_ls.cursor.parts import PlacedPart
    from kro_ls.cursor.yaml_place import YamlPlace

_ROOTS: tuple[Root, Root] = ("spec", "types")


class SchemaField(Struct, frozen=True):
    """A field of `spec.schema.spec` or a type of `spec.schema.types`; between fields, the one that is typed on.

    `offset` is the place in the text of the schema section; `in_key` tells whether it is on the field's key.
    """

    owner: PlacedPart
    root: Root
    path: FieldPath
    written: WrittenField
    offset: int
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
        offset = source_map(self.written.section.chunk_text, scalar).to_value(self.offset)
        return None if offset is None else place_at(scalar.text, offset)


def schema_field_at(owner: PlacedPart, place: YamlPlace, document_offset: int) -> SchemaField | None:
    """Return the field or custom type at a place of a part, None outside of SimpleSchema."""
    offset = owner.to_part(document_offset)
    if offset is None or not isinstance(owner.part, SchemaSection):
        return None
    root = next((each for each in _ROOTS if place.path[:3] == ("spec", "schema", each)), None)
    names = tuple(step for step in place.path[3:] if isinstance(step, str))
    written = written_field(owner.part, root, names) if root and len(names) == len(place.path) - 3 else None
    return SchemaField(owner, root, names, written, offset, place.in_key) if root and written else None
