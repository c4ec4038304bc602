"""Makes fields of the schema from values of templates and expressions, and values from fields.

The schema has no expressions, so an expression cannot become one of its values. Instead an instance may override it, or
the status shows it.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final

from lsprotocol import types

from kro_ls.analysis.model.model import Resource
from kro_ls.analysis.model.sections import written_field
from kro_ls.cel.syntax import ast
from kro_ls.cel.types.types import Kind
from kro_ls.cursor.parts import parts
from kro_ls.cursor.typed_expression import unwrapped
from kro_ls.features.actions.refactoring import Refactoring
from kro_ls.kro.identifiers import to_lower_camel_case
from kro_ls.kro.places import Place
from kro_ls.repairs.declarations import declaration, fields_of_instance, status_declaration
from kro_ls.yaml_positions.nodes import Scalar
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.scalars.resolution import ScalarStyle
from kro_ls.yaml_positions.scalars.writing import Replacement, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.cursor.cursor import Cursor
    from kro_ls.cursor.located import LocatedExpression
    from kro_ls.cursor.parts import PlacedPart

TYPES: Final[dict[type, str]] = {str: "string", bool: "boolean", int: "integer", float: "float"}
"""The types of SimpleSchema by those of values."""
_PLAIN_DEFAULT = re.compile(r"[\w./:-]+")
_NOT_VALUES = frozenset({"apiVersion", "kind"})
_TYPES = {Kind.STRING: "string", Kind.INT: "integer", Kind.BOOL: "boolean", Kind.DOUBLE: "float"}
_NAME = re.compile(r"[-_./ ]*([A-Za-z][A-Za-z0-9_-]{0,20})[-_./ ]*")


def schema_refactorings(cursor: Cursor) -> Iterator[Refactoring]:
    """Yield refactorings that turn a literal into a field, and the field at the cursor into its default."""
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
    """Yield a refactoring that replaces every read of a field by its default and removes the field."""
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


def expression_refactorings(cursor: Cursor) -> Iterator[Refactoring]:
    """Yield the refactorings of the literal and of the expression at the cursor."""
    located = cursor.expression
    if located and cursor.rgd:
        yield from _extracted_literal(cursor, located)
        whole = located.expression.compiled.standalone and located.expression.place is Place.TEMPLATE
        if whole and not located.typed.result.errors:  # a wrong expression would be wrong in two places
            yield from _overridden(cursor, located)
            yield from _in_status(cursor, located)


def _extracted_literal(cursor: Cursor, located: LocatedExpression) -> Iterator[Refactoring]:
    node = located.nodes[-1] if located.nodes else None
    type_ = TYPES.get(type(node.value)) if isinstance(node, ast.Literal) else None
    if not isinstance(node, ast.Literal) or type_ is None or node.kind is ast.LiteralKind.UINT:
        return
    word = _NAME.fullmatch(node.value) if isinstance(node.value, str) else None
    name = free_name(cursor.rgd, word[1] if word else _key(cursor))
    marker = default(node.value)
    line = declared(cursor.rgd, name, f"{type_} | {marker}") if marker else None
    if line:
        edits = (Replacement(located.span(node.start, node.end), f"schema.spec.{name}"), line)
        title = f"Extract to 'schema.spec.{name}', with this value as its default"
        yield Refactoring(types.CodeActionKind.RefactorExtract, title, edits)


def _overridden(cursor: Cursor, located: LocatedExpression) -> Iterator[Refactoring]:
    """Yield a refactoring that lets an instance override the result of an expression."""
    root, part = located.root, located.owner.part
    type_ = _TYPES.get(unwrapped(located.typed.result.type).kind)
    used = {use.name for use in located.expression.inspection.names}
    if type_ is None or isinstance(root, ast.Literal) or (isinstance(part, Resource) and used & part.iterators):
        return
    if isinstance(root, ast.Select) and used == {"schema"}:
        return  # which is a field already
    name = free_name(cursor.rgd, _key(cursor))
    line = declared(cursor.rgd, name, type_)
    start, end = located.span(root.start, root.start), located.span(root.end, root.end)
    if line:
        edits = (Replacement(Span(start.start, start.start), f"schema.spec.?{name}.orValue("), Replacement(end, ")"))
        title = f"Let an instance override it by 'schema.spec.{name}'"
        yield Refactoring(types.CodeActionKind.RefactorExtract, title, (*edits, line))


def _in_status(cursor: Cursor, located: LocatedExpression) -> Iterator[Refactoring]:
    """Yield a refactoring that shows in the status what an expression reads from resources."""
    used = {use.name for use in located.expression.inspection.names}
    if cursor.rgd is None or not used or not used <= set(cursor.rgd.resources):
        return
    text = located.expression.text.strip()
    schema = cursor.rgd.rgd.schema
    shown = {each.text.strip() for each in schema.section.expressions} if schema else set()
    name = located.root.field if isinstance(located.root, ast.Select) else _key(cursor)
    line = status_declaration(cursor.rgd, name, quoted(f"${{{text}}}")) if text not in shown else None
    if line and "\n" not in text:
        title = f"Show it in the status as '{line.name}'"
        yield Refactoring(types.CodeActionKind.RefactorExtract, title, (line.replacement,))


def _key(cursor: Cursor) -> str:
    """Return the name of the YAML field whose value is at the cursor."""
    path = cursor.yaml.path[4:] if cursor.yaml else ()
    return next((step for step in reversed(path) if isinstance(step, str)), "value")


def declared(rgd: RgdAnalysis | None, name: str, text: str) -> Replacement | None:
    """Return the edit that declares a field by a line of SimpleSchema."""
    escaped = text.replace("'", "''")
    return declaration(rgd, name, f"'{escaped}'" if "#" in text or ": " in text else text)


def default(value: object) -> str | None:
    """Return the marker that makes a value the default, None where it cannot be written."""
    if not isinstance(value, str):
        return f"default={json.dumps(value)}"
    if '"' in value or "\\" in value or not value.isprintable():
        return None
    return f"default={value}" if _PLAIN_DEFAULT.fullmatch(value) else f'default="{value}"'


def free_name(rgd: RgdAnalysis | None, name: str) -> str:
    """Return a name for a field that the schema does not have yet."""
    name = to_lower_camel_case(name) or "value"
    taken = fields_of_instance(rgd)
    return next(each for each in (name, *(f"{name}{number}" for number in range(2, 1000))) if each not in taken)
