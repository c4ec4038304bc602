"""Completes half-typed expressions inside `${...}`, by the types of what stands before the cursor.

Some values are known beforehand: those of an enum in a comparison, keys in an index, fields of a condition.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.cel.syntax import ast
from kro_ls.cel.syntax.ast import Operator
from kro_ls.cel.syntax.identifiers import escape, field_name
from kro_ls.cel.types.types import Kind
from kro_ls.cursor.likely.likelihood import Likelihood
from kro_ls.cursor.schemas.expressions import schema_of, template_keys
from kro_ls.cursor.typed_expression import unwrapped
from kro_ls.features.completion.items import FUNCTION_KEY, Completions, best_items, data_of, lookup, offered_at
from kro_ls.features.completion.members import OptionalFields, complete_member
from kro_ls.features.completion.names import complete_name
from kro_ls.features.documentation.functions import describe_declaration, describe_macro
from kro_ls.features.documentation.kinds import describe_resource
from kro_ls.features.documentation.schema_texts import describe_schema
from kro_ls.features.lsp_types import CompletionItem
from kro_ls.kro.controller import CONDITION_FIELDS
from kro_ls.kro.environment import FUNCTIONS, MACROS
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.scalars.resolution import ScalarStyle

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kro_ls.cel.syntax.ast import Node
    from kro_ls.cursor.cursor import Cursor
    from kro_ls.cursor.open.expression import OpenExpression
    from kro_ls.openapi.json_values import JsonValue
    from kro_ls.workspace.documents import Document

_COMPARISONS = (Operator.EQUALS, Operator.NOT_EQUALS)
_SPECIAL = frozenset("\"'\\\n$")
"""Characters that would need escapes in CEL or YAML, which no name of a value should."""


def complete_expression(cursor: Cursor, expression: OpenExpression, *, snippets: bool) -> Completions:
    """Return what can be typed at the end of an expression at the cursor, nothing after a literal.

    Only the expression up to the cursor is checked, in the scope of its part.
    """
    end = cursor.offset
    values = list(_literals(cursor, expression))
    if expression.quote:
        return Completions(values, Span(end - len(expression.string), end), is_incomplete=True)
    name = expression.name
    if name is None:
        return Completions([], Span(end, end))
    start = end - len(name.word)
    data = lookup(cursor.document, start)
    likelihood = Likelihood(expression, name.receiver, expression.owner.placed.to_chunk(end))
    if name.receiver is None:
        offers = complete_name(expression, name, likelihood, data, snippets=snippets)
    else:
        optional = OptionalFields(cursor, expression, name.receiver, start)
        offers = complete_member(expression, name.receiver, likelihood, optional, data, snippets=snippets)
    items = best_items(list(offers), likelihood, name.word)
    return Completions([*values, *items], Span(start, end), is_incomplete=True)


def _literals(cursor: Cursor, expression: OpenExpression) -> Iterator[CompletionItem]:
    """Yield the values that fit at the end of an expression, as literals or, in a string, as text."""
    for name in _condition_fields(expression.nodes) if not expression.quote else ():
        yield CompletionItem(name, kind=types.CompletionItemKind.Field, detail="string", insert_text=f"{name}: ")
    for value in _values(expression):
        if isinstance(value, str) and not _SPECIAL & set(value):
            if expression.quote:
                inserted = value + _closing_quote(cursor, expression)
            else:
                inserted = f"'{value}'" if expression.style is ScalarStyle.DOUBLE_QUOTED else f'"{value}"'
            yield CompletionItem(value, kind=types.CompletionItemKind.EnumMember, insert_text=inserted)
        elif isinstance(value, (bool, int, float)) and not expression.quote:
            yield CompletionItem(json.dumps(value), kind=types.CompletionItemKind.EnumMember)


def _condition_fields(path: tuple[Node, ...]) -> Iterator[str]:
    """Yield the keys that are not there yet in the map literal that `runtime.newCondition` takes."""
    if len(path) < 3 or not isinstance(path[-2], ast.MapLiteral):
        return
    call, literal, cursor = path[-3], path[-2], path[-1]
    is_condition = isinstance(call, ast.Call) and call.target is not None and call.function == "newCondition"
    if is_condition and any(entry.key is cursor or _is_empty(entry) for entry in literal.entries):
        written = {entry.key.name for entry in literal.entries if isinstance(entry.key, ast.Identifier)}
        yield from (name for name in CONDITION_FIELDS if name not in written)


def _is_empty(entry: ast.MapEntry) -> bool:
    return isinstance(entry.key, ast.Hole) and isinstance(entry.value, ast.Hole)


def _values(expression: OpenExpression) -> tuple[JsonValue, ...]:
    typed, path = expression.typed, expression.nodes
    if len(path) < 2 or not isinstance(path[-1], (ast.Hole, ast.Identifier)):
        return ()
    is_listed = isinstance(path[-2], ast.ListLiteral)
    operand = path[-2] if is_listed else path[-1]
    operator = path[path.index(operand) - 1]
    if not isinstance(operator, ast.Call) or operator.target is not None or len(operator.arguments) != 2:
        return ()
    left, right = operator.arguments
    if operator.function == Operator.IN if is_listed else operator.function in _COMPARISONS:
        schema = schema_of(typed, left if operand is right else right)
        return schema.enum if schema else ()
    if operator.function in ast.INDICES and operand is right and not is_listed:
        owner = unwrapped(typed.type_of(left))
        return template_keys(expression.owner, left) if owner.kind is Kind.MAP or owner.is_dynamic else ()
    return ()


def _closing_quote(cursor: Cursor, expression: OpenExpression) -> str:
    """Return what closes the string in the YAML that it stands in; nothing where that is there already."""
    written = expression.quote
    if expression.style is ScalarStyle.DOUBLE_QUOTED and written == '"':
        written = '\\"'
    elif expression.style is ScalarStyle.SINGLE_QUOTED and written == "'":
        written = "''"
    return "" if cursor.document.text.content.startswith(written, cursor.offset) else written


def describe_expression_item(item: types.CompletionItem, documents: Mapping[str, Document]) -> str:
    """Return the documentation of an item that `complete_expression` made, as Markdown; empty where there is none."""
    name = str(data_of(item).get(FUNCTION_KEY))
    if name in MACROS:
        return describe_macro(MACROS[name])
    if name in FUNCTIONS:
        return describe_declaration(FUNCTIONS[name])
    cursor = offered_at(item, documents)
    if cursor is None:
        return ""
    if item.kind == types.CompletionItemKind.Struct:
        return _describe_resource(cursor, item.label)
    return _describe_field(cursor, item.label) if item.kind == types.CompletionItemKind.Field else ""


def _describe_resource(cursor: Cursor, name: str) -> str:
    expression = cursor.open_expression
    placed = expression.owner.rgd.resources.get(name) if expression else None
    return describe_resource(expression.owner.rgd, placed.resource) if expression and placed else ""


def _describe_field(cursor: Cursor, name: str) -> str:
    """Return what the schema says of a field of what stands before the dot at the cursor."""
    expression = cursor.open_expression
    receiver = expression.name.receiver if expression and expression.name else None
    owner = schema_of(expression.typed, receiver) if expression and receiver else None
    fields = owner.properties if owner else {}
    schema = next((fields[each] for each in fields if escape(each) == field_name(name)), None)
    return describe_schema(schema) if schema else ""
