"""Makes fields of what stands in expressions: of a literal, of a whole expression, and fields of the status.

An expression cannot become a value of the schema, which has no expressions. So an instance is let override it, or it is
shown in the status. Nothing that kro has could hold it once for several templates: they cannot read the status.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.analysis.model.model import Resource
from kro_ls.cel.syntax import ast
from kro_ls.cel.types.types import Kind
from kro_ls.cursor.types.typed_expression import unwrapped
from kro_ls.features.actions.new_fields import TYPES, declared, default, free_name
from kro_ls.features.actions.refactorings import Refactoring
from kro_ls.kro.places import Place
from kro_ls.repairs.declarations import status_declaration
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.writing import Replacement, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.cursor.cursor import Cursor
    from kro_ls.cursor.located_expression import LocatedExpression

_TYPES = {Kind.STRING: "string", Kind.INT: "integer", Kind.BOOL: "boolean", Kind.DOUBLE: "float"}
_NAME = re.compile(r"[-_./ ]*([A-Za-z][A-Za-z0-9_-]{0,20})[-_./ ]*")


def expression_refactorings(cursor: Cursor) -> Iterator[Refactoring]:
    """Yield what can be made of the literal and of the expression at the cursor."""
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
    """Yield that an instance may say something else than an expression gives."""
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
    """Yield that the status has what an expression reads of resources."""
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
