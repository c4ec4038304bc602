"""Completes what is being typed: chooses the source by what stands at the cursor, and makes LSP's list of its items.

Half-typed expressions in `${...}` are completed here, by the types of what stands before the cursor. Some values are
known beforehand: those of an enum in a comparison, keys in an index, fields of a condition.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from lsprotocol import types
from msgspec.structs import replace

from kro_ls.cel.syntax import ast
from kro_ls.cel.syntax.ast import Operator
from kro_ls.cel.syntax.identifiers import escape, field_name
from kro_ls.cel.types.types import Kind
from kro_ls.cursor.likely.likelihood import Likelihood
from kro_ls.cursor.open.expression import expression_place
from kro_ls.cursor.schemas.expressions import schema_of, template_keys
from kro_ls.cursor.typed_expression import unwrapped
from kro_ls.features.completion.items import (
    FIELD_KEY,
    FUNCTION_KEY,
    Completions,
    best_items,
    data_of,
    lookup,
    offered_at,
)
from kro_ls.features.completion.members import OptionalFields, complete_member
from kro_ls.features.completion.names import complete_name
from kro_ls.features.completion.simple_schema import complete_simple_schema, is_written
from kro_ls.features.completion.snippets import escaped
from kro_ls.features.completion.test_files import complete_tested
from kro_ls.features.completion.yaml import complete_yaml, describe_yaml_item
from kro_ls.features.convert import to_range
from kro_ls.features.documentation.functions import describe_declaration, describe_macro
from kro_ls.features.documentation.kinds import describe_resource
from kro_ls.features.documentation.schema_texts import describe_schema
from kro_ls.features.lsp_types import CompletionItem, CompletionList, ItemDefaults, TextEdit
from kro_ls.kro.controller import CONDITION_FIELDS
from kro_ls.kro.environment import FUNCTIONS, MACROS
from kro_ls.kro.places import Place
from kro_ls.kro.versions.history import FUNCTIONS as FIRST_WITH_FUNCTION
from kro_ls.kro.versions.history import MARKERS, STATUS_SCHEMA, TYPES, first_with_field
from kro_ls.kro.versions.version import NEWEST
from kro_ls.workspace.file_schemas import TEST_ENDINGS
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.scalars.resolution import ScalarStyle

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kro_ls.cel.syntax.ast import Node
    from kro_ls.cursor.cursor import Cursor
    from kro_ls.cursor.open.expression import OpenExpression
    from kro_ls.kro.versions.version import Version
    from kro_ls.openapi.json_values import JsonValue
    from kro_ls.workspace.documents import Document


def completion(
    cursor: Cursor, *, snippets: bool, shared_range: bool = False, whole_words: bool = False
) -> CompletionList:
    """Return what can be typed at the cursor, best first.

    `snippets` says whether the client takes snippets, `shared_range` whether it takes one range for all items, which
    makes long lists much shorter. With `whole_words` the rest of the word at the cursor is replaced as well, as a
    client without a choice between inserting and replacing expects.
    """
    document, offset, expression = cursor.document, cursor.offset, cursor.open_expression
    if expression is None and cursor.open_field:
        fields = _without_newer(complete_simple_schema(document, cursor.open_field, snippets=snippets), cursor)
        if fields:
            done = any(is_written(item, document, offset) for item in fields)
            return CompletionList(is_incomplete=True, items=[] if done else fields)
    found = _in_expression(cursor, expression, snippets=snippets) if expression else _in_yaml(cursor, snippets=snippets)
    if found is None:
        return CompletionList(is_incomplete=False, items=[])
    typed = document.text.content[found.replaced.start : offset]
    if (found.is_incomplete and _is_complete(found, document, offset)) or not _may_become(typed, found.items):
        return CompletionList(is_incomplete=True, items=[])
    replaced = to_range(document, _word_around(found.replaced, document) if whole_words else found.replaced)
    whole = (_in_one_piece(item) if snippets else item for item in _without_newer(found.items, cursor))
    shared = None if shared_range else replaced
    items = [_placed(item, rank, shared) for rank, item in enumerate(whole)]
    return CompletionList(found.is_incomplete, items, ItemDefaults(replaced) if shared_range else None)


def _in_yaml(cursor: Cursor, *, snippets: bool) -> Completions | None:
    tested = complete_tested(cursor) if cursor.document.uri.endswith(TEST_ENDINGS) else None
    return tested or complete_yaml(cursor, snippets=snippets)


_REST_OF_WORD = re.compile(r"\w*")


def _word_around(replaced: Span, document: Document) -> Span:
    rest = _REST_OF_WORD.match(document.text.content, replaced.end)
    return Span(replaced.start, rest.end() if rest else replaced.end)


_ENDS_LINE = re.compile(r"[\s})\]\"']*(?:\n|\Z)")
"""What may follow a word with which a line ends: what an editor closes by itself."""


def _is_complete(found: Completions, document: Document, offset: int) -> bool:
    """Whether the word at the cursor is one of the items: Enter must then end the line, in every client.

    Clients accept the selected item, even one that equals what is typed or is longer.
    """
    if offset != found.replaced.end or found.replaced.start == offset:
        return False
    if not _ENDS_LINE.match(document.text.content, offset):
        return False
    typed = document.text.content[found.replaced.start : offset]
    return any((item.insert_text or item.label) == typed for item in found.items)


def _may_become(typed: str, items: list[CompletionItem]) -> bool:
    """Whether an item has all the letters that are typed, in any order: clients forgive some mistakes.

    Neovim would show a list without any if it comes late, and Enter would take its first item.
    """
    letters = frozenset(filter(str.isalnum, typed.lower()))
    return not letters or any(letters.issubset((item.filter_text or item.label).lower()) for item in items)


def _in_one_piece(item: CompletionItem) -> CompletionItem:
    """Return an item whose text is inserted whole: Neovim inserts only the first word of a plain text with blanks."""
    text = item.insert_text or item.label
    if item.insert_text_format is types.InsertTextFormat.Snippet or " " not in text:
        return item
    return replace(item, insert_text=escaped(text), insert_text_format=types.InsertTextFormat.Snippet)


def _placed(item: CompletionItem, rank: int, replaced: types.Range | None) -> CompletionItem:
    """Return an item with its rank, and with what it replaces unless all items share one range."""
    if replaced is None:
        return replace(item, sort_text=f"{rank:04}", text_edit_text=item.insert_text, insert_text=None)
    edit = TextEdit(replaced, item.insert_text or item.label)
    return replace(item, sort_text=f"{rank:04}", text_edit=edit, insert_text=None)


def _without_newer(items: list[CompletionItem], cursor: Cursor) -> list[CompletionItem]:
    """Return the items that the document's version of kro has."""
    version = cursor.document.settings.version
    if version >= NEWEST:
        return items
    return [item for item in items if (first := _first(item, cursor)) is None or version >= first]


def _first(item: CompletionItem, cursor: Cursor) -> Version | None:
    data = item.data or {}
    if (item.label == "schema" or item.label.startswith("${schema.")) and _is_in_status(cursor):
        return STATUS_SCHEMA
    if FUNCTION_KEY in data:
        return FIRST_WITH_FUNCTION.get(str(data[FUNCTION_KEY]))
    place = cursor.open_yaml.schema if cursor.open_yaml and FIELD_KEY in data else None
    if place and place.owner == ():
        return first_with_field((*place.path, str(data[FIELD_KEY])))
    if cursor.open_field:
        names = MARKERS if item.kind is types.CompletionItemKind.Property else TYPES
        return names.get(item.label)
    return None


def _is_in_status(cursor: Cursor) -> bool:
    place = expression_place(cursor.yaml.path) if cursor.yaml else None
    return place is not None and place[0] is Place.STATUS


_BEGINS_VALUE = re.compile(r"[ ]*(?:- +)*(?:[\w./-]+: |(?<=- ))", re.ASCII)
"""A line that ends where a value or an item of a list begins, after one space."""


def is_asked_for(cursor: Cursor, character: str) -> bool:
    """Whether a character after which a client asks automatically begins a place for a value.

    A space does so after `key:`, after a dash and between the markers of a field; an equals sign after a marker's name.
    """
    if character == " ":
        content, end = cursor.document.text.content, cursor.offset
        line = content[content.rfind("\n", 0, end) + 1 : end]
        return _BEGINS_VALUE.fullmatch(line) is not None or cursor.open_field is not None
    return character != "=" or cursor.open_field is not None


def resolve(item: types.CompletionItem, documents: Mapping[str, Document]) -> types.CompletionItem:
    """Add the documentation, which is left out of the list; `documents` are the open ones by their URIs."""
    text = _describe_expression_item(item, documents) or describe_yaml_item(item, documents)
    if text:
        item.documentation = types.MarkupContent(types.MarkupKind.Markdown, text)
    return item


def _in_expression(cursor: Cursor, expression: OpenExpression, *, snippets: bool) -> Completions:
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


_COMPARISONS = (Operator.EQUALS, Operator.NOT_EQUALS)


_SPECIAL = frozenset("\"'\\\n$")
"""Characters that would need escapes in CEL or YAML, which no name of a value should."""


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


def _describe_expression_item(item: types.CompletionItem, documents: Mapping[str, Document]) -> str:
    """Return the documentation of an item that `_in_expression` made, as Markdown; empty where there is none."""
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
