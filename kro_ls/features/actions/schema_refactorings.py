"""Makes fields of the schema from values of templates, and values from fields."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.analysis.model.model import Resource
from kro_ls.analysis.model.sections import written_field
from kro_ls.cel.syntax import ast
from kro_ls.cursor.parts import parts
from kro_ls.features.actions.new_fields import TYPES, declared, default, free_name
from kro_ls.features.actions.refactorings import Refactoring
from kro_ls.kro.places import Place
from kro_ls.yaml_positions.nodes import Scalar, ScalarStyle
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.writing import Replacement, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.cursor.cursor import Cursor
    from kro_ls.cursor.parts import PlacedPart

_NOT_VALUES = frozenset({"apiVersion", "kind"})


def schema_refactorings(cursor: Cursor) -> Iterator[Refactoring]:
    """Yield that a literal becomes a field, and that the field at the cursor becomes what its default is."""
    yield from _extracted(cursor)
    yield from _inlined(cursor)


def _extracted(cursor: Cursor) -> Iterator[Refactoring]:
    place, part = cursor.yaml, cursor.part
    scalar = place.located.node if place and not place.in_key else None
    if place is None or part is None or not isinstance(part.part, Resource) or not isinstance(scalar, Scalar):
        return
    steps = place.path[3:]
    span = place.located.placed.document_span(scalar.span)
    is_literal = scalar.value is not None and "${" not in scalar.text and "\n" not in scalar.text
    if place.path[3:4] != ("template",) or steps[-1] in _NOT_VALUES or not span.contains(cursor.offset):
        return
    type_ = TYPES.get(type(scalar.value))
    if not is_literal or type_ is None or scalar.style in (ScalarStyle.LITERAL, ScalarStyle.FOLDED):
        return
    name = free_name(cursor.rgd, next((str(step) for step in reversed(steps) if isinstance(step, str)), "value"))
    for title, marker in (
        (f"Extract to 'schema.spec.{name}', with this value as its default", default(scalar.value)),
        (f"Extract to 'schema.spec.{name}', which is required", "required=true"),
    ):
        line = declared(cursor.rgd, name, f"{type_} | {marker}") if marker else None
        if line:
            edits = (Replacement(span, quoted(f"${{schema.spec.{name}}}")), line)
            yield Refactoring(types.CodeActionKind.RefactorExtract, title, edits)


def _inlined(cursor: Cursor) -> Iterator[Refactoring]:
    """Yield that all who read a field with a default have the default instead, and the field goes."""
    rgd, field = cursor.rgd, cursor.instance_field
    schema = rgd.rgd.schema if rgd else None
    definition = field.definition if field else None
    if definition is None and cursor.schema_field:
        definition = cursor.schema_field.definition
    if rgd is None or schema is None or definition is None or definition.root != "spec" or len(definition.path) != 1:
        return
    if not definition.has_default or isinstance(definition.default, dict | list):
        return
    name = definition.path[0]
    written = written_field(schema.section, definition.root, definition.path)
    edits: list[Replacement] = []
    for part in parts(rgd):
        found = list(_uses(part, name, definition.default))
        if None in found:
            return
        edits += [each for each in found if each]
    if written and not written.in_flow and edits:
        chunk = schema.placed.chunk.text
        start = chunk.rfind("\n", 0, written.entry.key.start) + 1
        end = chunk.find("\n", written.entry.value.end) + 1
        removed = Replacement(schema.placed.document_span(Span(start, end or len(chunk))), "")
        title = f"Inline '{name}': {json.dumps(definition.default)}"
        yield Refactoring(types.CodeActionKind.RefactorInline, title, (*edits, removed))


def _uses(part: PlacedPart, name: str, value: object) -> Iterator[Replacement | None]:
    """Yield the edit of each read of a field, None for one that must stay."""
    literal = json.dumps(value)
    for expression in part.part.expressions:
        root = expression.inspection.parsed.root
        for node in ast.walk(root):
            if isinstance(node, ast.Identifier) and node.name == "schema" and expression.place is Place.CONDITION:
                yield None
            if not isinstance(node, ast.Select) or not _is_field(node, name):
                continue
            if node.optional or node.test_only or node.operand.end > node.field_span[0]:
                yield None
                continue
            span = part.span(expression.span(node.start, node.end))
            if node is root and expression.compiled.standalone and expression.place is Place.TEMPLATE:
                yield Replacement(part.span(expression.whole), literal)
            elif expression.scalar.style is ScalarStyle.DOUBLE_QUOTED:
                yield Replacement(span, literal.replace("\\", "\\\\").replace('"', '\\"'))
            elif expression.scalar.style is ScalarStyle.SINGLE_QUOTED:
                yield Replacement(span, literal.replace("'", "''"))
            else:
                yield Replacement(span, literal) if ": " not in literal and " #" not in literal else None


def _is_field(node: ast.Select, name: str) -> bool:
    above = node.operand
    return (
        node.field == name
        and isinstance(above, ast.Select)
        and above.field == "spec"
        and isinstance(above.operand, ast.Identifier)
        and above.operand.name == "schema"
    )
