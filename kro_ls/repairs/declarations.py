"""Declares fields in the schema of an RGD, and changes those that expressions need and an instance may leave out."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING, Final, NamedTuple

from kro_ls.analysis.model.sections import written_field
from kro_ls.analysis.names.inspection import selected_path
from kro_ls.analysis.types.variables import simple_schema
from kro_ls.cel.syntax import ast
from kro_ls.rules.diagnostics import Fix
from kro_ls.yaml_positions.nodes import Mapping, entries, entry_of, resolved
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.scalars.writing import Replacement, replace_in_scalar

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.model.model import PlacedSchema
    from kro_ls.analysis.model.sections import WrittenField
    from kro_ls.analysis.simpleschema.results import FieldDefinition
    from kro_ls.repairs.place import Place


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


_DEFAULTS: Final = {"string": '""', "integer": "0", "number": "0.5", "boolean": "false", "array": "[]", "object": "{}"}


def declared_field(place: Place) -> Iterator[Fix]:
    """Yield the fixes that make the field required or give it a default."""
    schema = place.rgd.rgd.schema if place.rgd else None
    definition = _definition(place, schema) if schema else None
    written = written_field(schema.section, definition.root, definition.path) if schema and definition else None
    if schema is None or definition is None or written is None:
        return
    name = definition.path[-1]
    if written.text is None:
        yield from _moved_to_types(schema, written)
        return
    for title, marker in (
        (f"Mark '{name}' as required where it is declared", "required=true"),
        (f"Give '{name}' a default where it is declared", f"default={_default(definition)}"),
    ):
        end = len(written.text.text)
        added = f" {marker}" if definition.syntax and definition.syntax.markers else f" | {marker}"
        chunk = schema.placed.chunk.text
        edit = replace_in_scalar(chunk, written.text, Span(end, end), added, in_flow=written.in_flow)
        if edit:
            yield Fix(title, (Replacement(schema.placed.document_span(edit.span), edit.text),))


def _default(definition: FieldDefinition) -> str:
    allowed = definition.schema.get("enum")
    if isinstance(allowed, list) and allowed:
        return str(allowed[0])
    return _DEFAULTS.get(str(definition.schema.get("type")), '""')


def _definition(place: Place, schema: PlacedSchema) -> FieldDefinition | None:
    """Return the definition of the field that the diagnostic is about: at its key, or at a read of it."""
    result = simple_schema(schema.section)
    if place.expression is None:
        for definition in result.definitions.values():
            written = written_field(schema.section, definition.root, definition.path)
            if written and schema.placed.document_span(written.entry.key.span) == place.span:
                return definition
        return None
    for node in ast.walk(place.expression.inspection.parsed.root):
        if isinstance(node, ast.Select) and place.source(*node.field_span) == place.span:
            path = selected_path(node)
            return result.definition_of(path[2:]) if path[:2] == ("schema", "spec") else None
    return None


def _moved_to_types(schema: PlacedSchema, written: WrittenField) -> Iterator[Fix]:
    """Yield the fix that turns an inline object, which takes no markers, into a named type."""
    entry, value, chunk = written.entry, written.value, schema.placed.chunk.text
    if not isinstance(value, Mapping) or value.flow or entry.name is None or value is not entry.value:
        return
    type_name = entry.name[0].upper() + entry.name[1:]
    types = entry_of(schema.section.node, "types")
    spec = entry_of(schema.section.node, "spec")
    if spec is None or (types and entry_of(types.value, type_name)):
        return
    start = chunk.find("\n", entry.key.end) + 1
    end = start + len(chunk[start : value.end].rstrip())
    lines = chunk[start:end].split("\n")
    column = min(len(list(takewhile(" ".__eq__, line))) for line in lines if line.strip())
    _, indent = line_of(chunk, spec.key.start)
    below = indent + "  "
    moved = [f"{below}{type_name}:", *(f"{below}  {line[column:]}" if line.strip() else "" for line in lines)]
    text = "\n".join(moved) + "\n"
    known = resolved(types.value) if types else None
    if types is None:
        at, text = line_of(chunk, spec.key.start)[0], f"{indent}types:\n{text}"
    elif isinstance(known, Mapping) and not known.flow and known.entries:
        at, below = line_of(chunk, known.entries[0].start)
        text = "\n".join(below + line[len(moved[0]) - len(moved[0].lstrip()) :] for line in moved) + "\n"
    else:
        return
    span = schema.placed.document_span(Span(entry.key.end, end))
    for title, marker in (("mark it as required", "required=true"), ("give it a default", "default={}")):
        edits = (
            Replacement(span, f": {type_name} | {marker}"),
            Replacement(schema.placed.document_span(Span(at, at)), text),
        )
        yield Fix(f"Move '{entry.name}' to 'types', where it has a name, and {title}", edits)
