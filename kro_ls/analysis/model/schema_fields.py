"""Where the fields and custom types of an RGD's SimpleSchema stand in the text of the schema section."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.analysis.model.sections import CutSection
from kro_ls.yaml_positions.access import entry_of, field, resolved
from kro_ls.yaml_positions.nodes import Mapping, Scalar
from kro_ls.yaml_positions.source_map import source_map

if TYPE_CHECKING:
    from kro_ls.analysis.model.model import SchemaSection
    from kro_ls.analysis.simpleschema.results import FieldPath, Root
    from kro_ls.yaml_positions.nodes import Entry, Node
    from kro_ls.yaml_positions.positions import Span


class WrittenField(Struct, frozen=True, eq=False):
    """A field, or a custom type, as it is written: its key and value, and whether it is inside `{...}`."""

    section: SchemaSection
    entry: Entry
    in_flow: bool

    @property
    def value(self) -> Node | None:
        """The value, an alias followed; None for an alias without a target."""
        return resolved(self.entry.value)

    @property
    def text(self) -> Scalar | None:
        """The value where it is a text, such as `string | required=true`."""
        value = self.value
        return value if isinstance(value, Scalar) and isinstance(value.value, str) else None

    def span_in_text(self, span: Span) -> Span:
        """Return a span of the field's text (offsets of the decoded string) in the text of the section."""
        scalar = self.text
        return source_map(self.section.chunk_text, scalar).source_span(span) if scalar else self.entry.key.span


def key_span(section: SchemaSection, path: FieldPath) -> Span | None:
    """Return where the key of a field of `spec` is written in the text of the section."""
    if not isinstance(section, CutSection):
        written = written_field(section, "spec", path)
        return written.entry.key.span if written else None
    part, placed = section.part_of_field(path[0])
    written = written_field(part, "spec", path)
    return placed.document_span(written.entry.key.span) if written else None


def written_field(section: SchemaSection, root: Root, path: FieldPath) -> WrittenField | None:
    """Return where a field of `spec` or a type of `types` is written; None for the roots themselves."""
    node = field(section.node, root)
    in_flow = isinstance(section.node, Mapping) and section.node.flow
    entry: Entry | None = None
    for name in path:
        if not isinstance(node, Mapping):
            return None
        entry = entry_of(node, name)
        if entry is None:
            return None
        in_flow = in_flow or node.flow
        node = resolved(entry.value)
    return WrittenField(section, entry, in_flow) if entry else None
