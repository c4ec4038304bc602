"""Completes expressions inside `${...}`, half-typed as they are, by the types of what stands before the cursor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.cel.syntax.identifiers import escape, field_name
from kro_ls.cursor.likely.likelihood import Likelihood
from kro_ls.cursor.likely.wanted import Wanted
from kro_ls.cursor.schemas.expressions import schema_of
from kro_ls.features.completion.items import FUNCTION_KEY, Completions, data_of, lookup, offered_at
from kro_ls.features.completion.members import complete_member
from kro_ls.features.completion.names import complete_name
from kro_ls.features.completion.optional_fields import OptionalFields
from kro_ls.features.completion.ranked import best_items
from kro_ls.features.completion.values import complete_value
from kro_ls.features.documentation.functions import describe_declaration, describe_macro
from kro_ls.features.documentation.resources import describe_resource
from kro_ls.features.documentation.schemas import describe_schema
from kro_ls.kro.environment import FUNCTIONS, MACROS
from kro_ls.yaml_positions.positions import Span

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kro_ls.cursor.cursor import Cursor
    from kro_ls.workspace.documents import Document


def complete_expression(cursor: Cursor, *, snippets: bool) -> Completions | None:
    """Return what can be typed at the cursor, nothing after a literal; None outside of expressions.

    Only the expression up to the cursor is checked, in the scope of its part.
    """
    expression, end = cursor.open_expression, cursor.offset
    if expression is None:
        return None
    values = list(complete_value(cursor, expression))
    if expression.quote:
        return Completions(values, Span(end - len(expression.string), end), is_incomplete=True)
    name = expression.name
    if name is None:
        return Completions([], Span(end, end))
    start = end - len(name.word)
    data = lookup(cursor.document, start)
    wanted = Wanted(expression.owner, expression.place, expression.path)
    likelihood = Likelihood(expression, wanted, name.receiver, expression.owner.placed.to_chunk(end))
    if name.receiver is None:
        offers = complete_name(expression, name, likelihood, data, snippets=snippets)
    else:
        optional = OptionalFields(cursor, expression, name.receiver, start)
        offers = complete_member(expression, name.receiver, likelihood, optional, data, snippets=snippets)
    items = best_items(list(offers), likelihood, name.word)
    return Completions([*values, *items], Span(start, end), is_incomplete=True)


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
