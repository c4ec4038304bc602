"""Declares a new field in the schema of an RGD."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from kro_ls.yaml_positions.access import entries, entry_of, resolved
from kro_ls.yaml_positions.nodes import Mapping
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.writing import Replacement

if TYPE_CHECKING:
    from kro_ls.analysis.analysis import RgdAnalysis


_OF_KRO = ("conditions", "state")
"""Status fields that kro writes itself."""


class StatusLine(NamedTuple):
    """A new field of the status: its name, and the edit that adds it."""

    name: str
    replacement: Replacement


def declaration(rgd: RgdAnalysis | None, name: str, text: str) -> Replacement | None:
    """Return the edit that adds `name: text` to `spec.schema.spec`, None where that has no lines of its own."""
    return _added(rgd, "spec", f"{name}: {text}")


def status_declaration(rgd: RgdAnalysis, name: str, text: str) -> StatusLine | None:
    """Return the field that adds a value to `spec.schema.status`, which may have to be added as well.

    None if the schema is written in flow style. If the name is taken, the field gets a similar one.
    """
    schema = rgd.rgd.schema
    status = entry_of(schema.section.node, "status") if schema else None
    taken = {*_OF_KRO, *(entry.name for entry in entries(status.value if status else None))}
    name = next(each for each in (name, *(f"{name}{number}" for number in range(2, 1000))) if each not in taken)
    if status:
        added = _added(rgd, "status", f"{name}: {text}")
    else:
        added = _added(rgd, "spec", f"status:{{line}}  {name}: {text}", beside=True)
    return StatusLine(name, added) if added else None


def _added(rgd: RgdAnalysis | None, section: str, text: str, *, beside: bool = False) -> Replacement | None:
    """Return the edit that adds a line at the end of a section of the schema, or after it in the column of its key."""
    schema = rgd.rgd.schema if rgd else None
    entry = entry_of(schema.section.node, section) if schema else None
    fields = resolved(entry.value) if entry else None
    if schema is None or entry is None or not isinstance(fields, Mapping) or fields.flow or not fields.entries:
        return None
    chunk = schema.placed.chunk.text
    first, last = fields.entries[0], fields.entries[-1]
    _, indent = line_of(chunk, entry.key.start if beside else first.start)
    if indent.strip(" "):
        return None
    end = last.key.end + len(chunk[last.key.end : max(last.end, last.key.end)].rstrip())
    line_end = chunk.find("\n", end)
    at = len(chunk) if line_end < 0 else line_end
    at -= chunk.endswith("\r", 0, at)
    line_break = "\r\n" if "\r\n" in chunk else "\n"
    line = f"{line_break}{indent}"
    return Replacement(schema.placed.document_span(Span(at, at)), line + text.replace("{line}", line, 1))


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
