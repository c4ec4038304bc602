"""Completes expressions inside `${...}`, half-typed as they are, by the types of what stands before the cursor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.cel.syntax.names import escape, field_name
from kro_ls.cursor.expected_types import expected_in_place, expected_types
from kro_ls.cursor.open_expression import open_expression, typed_name
from kro_ls.cursor.typed_text import typed_text
from kro_ls.cursor.value_schemas import schema_of
from kro_ls.features.completion.items import FUNCTION_KEY, Completions, Lookup
from kro_ls.features.completion.members import complete_member
from kro_ls.features.completion.names import complete_name
from kro_ls.features.completion.values import complete_value
from kro_ls.features.documentation import describe_declaration, describe_macro, describe_schema
from kro_ls.features.hover.names import describe_resource
from kro_ls.kro.environment import FUNCTIONS, MACROS
from kro_ls.yaml_positions.positions import Span

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kro_ls.workspace.documents import Document

_DOCUMENT_KEY = "uri"
_OFFSET_KEY = "offset"


def complete_expression(document: Document, offset: int, *, snippets: bool) -> Completions | None:
    """Return what can be typed at a document offset, nothing behind a literal; None outside of expressions.

    Only the expression up to the cursor is checked, in the scope of its part.
    """
    expression = open_expression(document.analysis, offset)
    if expression is None:
        return None
    typed = typed_text(expression.owner, expression.place, expression.text)
    values = list(complete_value(expression, typed, document.text.content, offset))
    if expression.quote:
        return Completions(values, Span(offset - len(expression.string), offset))
    name = typed_name(expression)
    if name is None:
        return Completions([], Span(offset, offset))
    whole = expected_in_place(expression.owner, expression.place, expression.path, standalone=expression.standalone)
    expected = expected_types(typed, len(expression.text), whole)
    start = offset - len(name.word)
    lookup: Lookup = {_DOCUMENT_KEY: document.uri, _OFFSET_KEY: start}
    if name.receiver is None:
        items = complete_name(expression, typed, name, expected, lookup, snippets=snippets)
    else:
        items = complete_member(expression, typed, name.receiver, expected, lookup, snippets=snippets)
    return Completions([*values, *items], Span(start, offset))


def describe_item(item: types.CompletionItem, documents: Mapping[str, Document]) -> str:
    """Return the documentation of an item that `complete_expression` made, as Markdown; empty where there is none."""
    data = item.data if isinstance(item.data, dict) else {}
    name = str(data.get(FUNCTION_KEY))
    if name in MACROS:
        return describe_macro(MACROS[name])
    if name in FUNCTIONS:
        return describe_declaration(FUNCTIONS[name])
    document, offset = documents.get(str(data.get(_DOCUMENT_KEY))), data.get(_OFFSET_KEY)
    if document is None or not isinstance(offset, int):
        return ""
    if item.kind == types.CompletionItemKind.Struct:
        return _describe_resource(document, offset, item.label)
    return _describe_field(document, offset, item.label) if item.kind == types.CompletionItemKind.Field else ""


def _describe_resource(document: Document, offset: int, name: str) -> str:
    expression = open_expression(document.analysis, offset)
    placed = expression.owner.rgd.resources.get(name) if expression else None
    return describe_resource(expression.owner.rgd, placed.resource) if expression and placed else ""


def _describe_field(document: Document, offset: int, name: str) -> str:
    """Return what the schema says of a field of what stands before the dot at an offset."""
    expression = open_expression(document.analysis, offset)
    named = typed_name(expression) if expression else None
    if expression is None or named is None or named.receiver is None:
        return ""
    typed = typed_text(expression.owner, expression.place, expression.text)
    owner = schema_of(typed, named.receiver)
    fields = owner.properties if owner else {}
    schema = next((fields[each] for each in fields if escape(each) == field_name(name)), None)
    return describe_schema(schema) if schema else ""
