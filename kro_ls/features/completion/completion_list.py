"""Completes what is being typed: chooses the source by what stands at the cursor, and makes LSP's list of its items."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lsprotocol import types
from msgspec.structs import replace

from kro_ls.cursor.open.expression import expression_place
from kro_ls.features.completion.cel import complete_expression, describe_expression_item
from kro_ls.features.completion.items import FIELD_KEY, FUNCTION_KEY
from kro_ls.features.completion.simple_schema import complete_simple_schema, is_written
from kro_ls.features.completion.snippets import escaped
from kro_ls.features.completion.test_files import complete_tested
from kro_ls.features.completion.yaml import complete_yaml, describe_yaml_item
from kro_ls.features.convert import to_range
from kro_ls.features.lsp_types import CompletionItem, CompletionList, ItemDefaults, TextEdit
from kro_ls.kro.places import Place
from kro_ls.kro.versions.history import FUNCTIONS, MARKERS, STATUS_SCHEMA, TYPES, first_with_field
from kro_ls.kro.versions.version import NEWEST
from kro_ls.workspace.file_schemas import TEST_ENDINGS
from kro_ls.yaml_positions.positions import Span

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kro_ls.cursor.cursor import Cursor
    from kro_ls.features.completion.items import Completions
    from kro_ls.kro.versions.version import Version
    from kro_ls.workspace.documents import Document

_ENDS_LINE = re.compile(r"[\s})\]\"']*(?:\n|\Z)")
"""What may follow a word with which a line ends: what an editor closes by itself."""

_REST_OF_WORD = re.compile(r"\w*")

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
        fields = without_newer(complete_simple_schema(document, cursor.open_field, snippets=snippets), cursor)
        if fields:
            done = any(is_written(item, document, offset) for item in fields)
            return CompletionList(is_incomplete=True, items=[] if done else fields)
    found = (
        complete_expression(cursor, expression, snippets=snippets)
        if expression
        else _in_yaml(cursor, snippets=snippets)
    )
    if found is None:
        return CompletionList(is_incomplete=False, items=[])
    typed = document.text.content[found.replaced.start : offset]
    if (found.is_incomplete and _is_complete(found, document, offset)) or not _may_become(typed, found.items):
        return CompletionList(is_incomplete=True, items=[])
    replaced = to_range(document, _word_around(found.replaced, document) if whole_words else found.replaced)
    whole = (_in_one_piece(item) if snippets else item for item in without_newer(found.items, cursor))
    shared = None if shared_range else replaced
    items = [_placed(item, rank, shared) for rank, item in enumerate(whole)]
    return CompletionList(found.is_incomplete, items, ItemDefaults(replaced) if shared_range else None)


def _in_yaml(cursor: Cursor, *, snippets: bool) -> Completions | None:
    tested = complete_tested(cursor) if cursor.document.uri.endswith(TEST_ENDINGS) else None
    return tested or complete_yaml(cursor, snippets=snippets)


def _word_around(replaced: Span, document: Document) -> Span:
    rest = _REST_OF_WORD.match(document.text.content, replaced.end)
    return Span(replaced.start, rest.end() if rest else replaced.end)


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


def without_newer(items: list[CompletionItem], cursor: Cursor) -> list[CompletionItem]:
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
        return FUNCTIONS.get(str(data[FUNCTION_KEY]))
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


def resolve(item: types.CompletionItem, documents: Mapping[str, Document]) -> types.CompletionItem:
    """Add the documentation, which is left out of the list; `documents` are the open ones by their URIs."""
    text = describe_expression_item(item, documents) or describe_yaml_item(item, documents)
    if text:
        item.documentation = types.MarkupContent(types.MarkupKind.Markdown, text)
    return item
