"""Fixes at the declaration of a field that expressions need and an instance may leave out."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING, Final

from kro_ls.analysis.model.sections import written_field
from kro_ls.analysis.types.variables import simple_schema
from kro_ls.cel.syntax import ast
from kro_ls.repairs.declarations import line_of
from kro_ls.rules.diagnostics import Fix
from kro_ls.yaml_positions.access import entry_of, resolved
from kro_ls.yaml_positions.nodes import Mapping
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.writing import Replacement, replace_in_scalar

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.model.model import PlacedSchema
    from kro_ls.analysis.model.sections import WrittenField
    from kro_ls.analysis.simpleschema.results import FieldDefinition
    from kro_ls.repairs.place import Place

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
            path = _path(node)
            return result.definition_of(path[2:]) if path[:2] == ("schema", "spec") else None
    return None


def _path(node: ast.Node) -> tuple[str, ...]:
    names: list[str] = []
    while isinstance(node, ast.Select):
        names.append(node.field)
        node = node.operand
    return (node.name, *reversed(names)) if isinstance(node, ast.Identifier) else ()


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
