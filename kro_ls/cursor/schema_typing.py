"""The SimpleSchema text that is being typed at an offset, and how to change it, also where YAML cannot read it yet."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kro_ls.analysis.simpleschema.cursor import Place, place_at
from kro_ls.cursor.schema_locate import schema_field_at
from kro_ls.rules.diagnostics import Replacement
from kro_ls.rules.fixes import quoted
from kro_ls.rules.scalar_edits import can_be_plain, replace_in_scalar
from kro_ls.yaml_positions.nodes import Mapping, Scalar, ScalarStyle, Sequence
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.source_map import source_map

if TYPE_CHECKING:
    from kro_ls.analysis.analysis import Analysis
    from kro_ls.cursor.schema_locate import SchemaField

_COLON = re.compile(r"[ \t]*:[ \t]*")
_BRACKETS = re.compile(r":[ \t]+\[\]")
_NO_TEXT = tuple("&!*#|>{'\"")


@dataclass(frozen=True, slots=True)
class TypedField:
    """A field being typed.

    `text` is the field's text, or what stands in its line if that is no scalar that YAML can read: then `scalar` is
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


def typed_field(analysis: Analysis, offset: int) -> TypedField | None:
    """Return the field whose text is typed at a document offset, or None outside of such texts."""
    field = _behind_brackets(analysis, offset) or schema_field_at(analysis, offset)
    if field is None or field.in_key or isinstance(field.written.value, Mapping):
        return None
    scalar = field.written.entry.value
    if isinstance(scalar, Scalar) and (scalar.style is not ScalarStyle.PLAIN or not scalar.damaged):
        source = source_map(field.written.section.chunk_text, scalar)
        in_text = source.to_value(field.local_offset) if scalar.start < scalar.end else None
        if in_text is not None and isinstance(scalar.value, str):
            return TypedField(field, scalar.text, in_text, scalar.start, scalar)
    return _typed_in_line(field)


def _behind_brackets(analysis: Analysis, offset: int) -> SchemaField | None:
    """Return the field of a `[]string` without quotes, of which YAML takes only the brackets for its value."""
    line_start = analysis.text.line_start(analysis.text.position(offset).line)
    brackets = _BRACKETS.search(analysis.text.content, line_start, offset)
    field = schema_field_at(analysis, brackets.end() - 1) if brackets else None
    if field is None or not isinstance(field.written.value, Sequence):
        return None
    local_offset = field.placed_part.placed.to_chunk(offset)
    return None if local_offset is None else replace(field, local_offset=local_offset)


def _typed_in_line(field: SchemaField) -> TypedField | None:
    content = field.written.section.chunk_text
    key = field.written.entry.key
    colon = _COLON.match(content, key.end)
    if colon is None or "\n" in content[key.end : field.local_offset]:
        return None
    start = min(colon.end(), field.local_offset)
    end = field.local_offset
    if start <= key.end or content.startswith(_NO_TEXT, start):
        return None
    if not field.written.in_flow:
        line_end = content.find("\n", end)
        end = max(end, len(content[: line_end if line_end >= 0 else len(content)].rstrip()))
    return TypedField(field, content[start:end], field.local_offset - start, start, None)
