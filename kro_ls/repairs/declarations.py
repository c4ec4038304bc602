"""Declares a new field in the schema of an RGD."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.yaml_positions.access import entry_of, resolved
from kro_ls.yaml_positions.nodes import Mapping
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.writing import Replacement

if TYPE_CHECKING:
    from kro_ls.analysis.analysis import RgdAnalysis


def declaration(rgd: RgdAnalysis | None, name: str, text: str) -> Replacement | None:
    """Return the edit that adds `name: text` to `spec.schema.spec`, None where that has no lines of its own."""
    schema = rgd.rgd.schema if rgd else None
    spec = entry_of(schema.section.node, "spec") if schema else None
    fields = resolved(spec.value) if spec else None
    if schema is None or not isinstance(fields, Mapping) or fields.flow or not fields.entries:
        return None
    chunk = schema.placed.chunk.text
    first, last = fields.entries[0], fields.entries[-1]
    _, indent = line_of(chunk, first.start)
    if indent.strip(" "):
        return None
    end = last.key.end + len(chunk[last.key.end : max(last.end, last.key.end)].rstrip())
    line_end = chunk.find("\n", end)
    at = len(chunk) if line_end < 0 else line_end
    at -= chunk.endswith("\r", 0, at)
    line_break = "\r\n" if "\r\n" in chunk else "\n"
    return Replacement(schema.placed.document_span(Span(at, at)), f"{line_break}{indent}{name}: {text}")


def line_of(text: str, offset: int) -> tuple[int, str]:
    """Return where the line of an offset begins, and the text before the offset in it."""
    start = text.rfind("\n", 0, offset) + 1
    return start, text[start:offset]


def fields_of_instance(rgd: RgdAnalysis | None) -> tuple[str, ...]:
    """Return the names of the fields that `spec.schema.spec` declares."""
    schema = rgd.rgd.schema if rgd else None
    spec = entry_of(schema.section.node, "spec") if schema else None
    fields = resolved(spec.value) if spec else None
    return tuple(entry.name for entry in fields.entries if entry.name) if isinstance(fields, Mapping) else ()
