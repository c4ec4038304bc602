"""The text of a SimpleSchema field that is being typed, and how to change it, even if YAML cannot read it yet."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.analysis.simpleschema.place_at import Place, place_at
from kro_ls.cursor.located import schema_field_at
from kro_ls.cursor.parts import part_at, yaml_place_at
from kro_ls.yaml_positions.nodes import Mapping, Scalar, Sequence
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.scalars.resolution import ScalarStyle
from kro_ls.yaml_positions.scalars.source_map import source_map
from kro_ls.yaml_positions.scalars.writing import Replacement, can_be_plain, quoted, replace_in_scalar

if TYPE_CHECKING:
    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.cursor.located import SchemaField
    from kro_ls.yaml_positions.text import Text

_COLON = re.compile(r"[ \t]*:[ \t]*")
_BRACKETS = re.compile(r":[ \t]+\[\]")
_NO_TEXT = tuple("&!*#|>{'\"")


class OpenField(Struct, frozen=True):
    """A field whose text is being typed.

    `text` is the field's text, or what stands in its line if YAML cannot read a scalar there: then `scalar` is
    None. `start` is where the text begins in the section. `offset` is the cursor's in the text.
    """

    field: SchemaField
    text: str
    offset: int
    start: int
    scalar: Scalar | None

    @property
    def place(self) -> Place:
        """What may be written at the cursor."""
        return place_at(self.text, self.offset)

    def source_span(self, span: Span) -> Span:
        """Return a span of the text in the text of the section."""
        if self.scalar is not None:
            return source_map(self.field.written.section.chunk_text, self.scalar).source_span(span)
        return Span(self.start + span.start, self.start + span.end)

    def edit(self, span: Span, text: str) -> Replacement | None:
        """Return the edit of the section's text that puts `text` in place of a span; None where there is none."""
        written = self.field.written
        if self.scalar is not None:
            return replace_in_scalar(written.section.chunk_text, self.scalar, span, text, in_flow=written.in_flow)
        result = self.text[: span.start] + text + self.text[span.end :]
        space = "" if written.section.chunk_text[self.start - 1].isspace() else " "
        if can_be_plain(result.strip(), in_flow=written.in_flow):
            return Replacement(self.source_span(span), space + text)
        return Replacement(Span(self.start, self.start + len(self.text)), space + quoted(result.strip()))


def open_field(rgd: RgdAnalysis, field: SchemaField | None, text: Text, document_offset: int) -> OpenField | None:
    """Return the field whose text is typed at a document offset of an RGD, or None outside of such texts.

    `field` is the one at that offset, and `text` the text of all documents.
    """
    field = _before_brackets(rgd, text, document_offset) or field
    offset = field.owner.placed.to_chunk(document_offset) if field else None
    if field is None or offset is None or field.in_key or isinstance(field.written.value, Mapping):
        return None
    scalar = field.written.entry.value
    if isinstance(scalar, Scalar) and (scalar.style is not ScalarStyle.PLAIN or not scalar.damaged):
        source = source_map(field.written.section.chunk_text, scalar)
        in_text = source.to_value(offset) if scalar.start < scalar.end else None
        if in_text is not None and isinstance(scalar.value, str):
            return OpenField(field, scalar.text, in_text, scalar.start, scalar)
    return _open_in_line(field, offset)


def _before_brackets(rgd: RgdAnalysis, text: Text, offset: int) -> SchemaField | None:
    """Return the field of a `[]string` without quotes, of which YAML takes only the brackets for its value."""
    line_start = text.line_start(text.position(offset).line)
    brackets = _BRACKETS.search(text.content, line_start, offset)
    if brackets is None:
        return None
    closing = brackets.end() - 1
    owner, place = part_at(rgd, closing), yaml_place_at(rgd.rgd.document, closing)
    field = schema_field_at(owner, place, closing) if owner and place else None
    return field if field and isinstance(field.written.value, Sequence) else None


def _open_in_line(field: SchemaField, offset: int) -> OpenField | None:
    content = field.written.section.chunk_text
    key = field.written.entry.key
    colon = _COLON.match(content, key.end)
    if colon is None or "\n" in content[key.end : offset]:
        return None
    start = min(colon.end(), offset)
    end = offset
    if start <= key.end or content.startswith(_NO_TEXT, start):
        return None
    if not field.written.in_flow:
        line_end = content.find("\n", end)
        end = max(end, len(content[: line_end if line_end >= 0 else len(content)].rstrip()))
    return OpenField(field, content[start:end], offset - start, start, None)
