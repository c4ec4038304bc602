"""Completes what is being typed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lsprotocol import types
from msgspec.structs import replace

from kro_ls.features.completion.expressions import complete_expression, describe_expression_item
from kro_ls.features.completion.newer import without_newer
from kro_ls.features.completion.simple_schema import complete_simple_schema, is_written
from kro_ls.features.completion.snippets import escaped
from kro_ls.features.completion.test_files import complete_tested
from kro_ls.features.completion.yaml import complete_yaml, describe_yaml_item
from kro_ls.features.convert import to_range
from kro_ls.features.lsp_types import CompletionItem, CompletionList, ItemDefaults, TextEdit
from kro_ls.yaml_positions.positions import Span

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import TypeAlias

    from kro_ls.cursor.cursor import Cursor
    from kro_ls.features.completion.items import Completions
    from kro_ls.workspace.documents import Document

    Source: TypeAlias = Callable[..., Completions | None]

_SOURCES: tuple[Source, ...] = (complete_expression, complete_yaml)
"""Each is called with a cursor and `snippets`; the first that has an answer counts."""


_ENDS_LINE = re.compile(r"[\s})\]\"']*(?:\n|\Z)")
"""What may follow a word with which a line ends: what an editor closes by itself."""

_REST_OF_WORD = re.compile(r"\w*")

_BEGINS_VALUE = re.compile(r"[ ]*(?:- +)*(?:[\w./-]+: |(?<=- ))", re.ASCII)
"""A line that ends where a value or an item of a list begins, after one space."""


def is_asked_for(cursor: Cursor, character: str) -> bool:
    """Whether a character that a client asks after by itself begins a place for a value.

    A space does after `key:`, after a dash and between the markers of a field, an equals sign after a marker's name.
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

    `snippets` tells whether the client takes snippets, `shared_range` whether what is replaced can be told once for
    all items, which makes long lists much shorter. With `whole_words` the rest of the word that the cursor stands in is
    replaced as well, which a client without a choice between inserting and replacing takes for granted.
    """
    document, offset = cursor.document, cursor.offset
    fields = without_newer(complete_simple_schema(cursor, snippets=snippets), cursor)
    if fields:
        done = any(is_written(item, document, offset) for item in fields)
        return CompletionList(is_incomplete=True, items=[] if done else fields)
    found = complete_tested(cursor)
    for source in _SOURCES:
        found = found or source(cursor, snippets=snippets)
        if found:
            typed = document.text.content[found.replaced.start : offset]
            if (found.is_incomplete and _is_complete(found, document, offset)) or not _may_become(typed, found.items):
                return CompletionList(is_incomplete=True, items=[])
            replaced = to_range(document, _word_around(found.replaced, document) if whole_words else found.replaced)
            whole = (_in_one_piece(item) if snippets else item for item in without_newer(found.items, cursor))
            shared = None if shared_range else replaced
            items = [_placed(item, rank, shared) for rank, item in enumerate(whole)]
            return CompletionList(found.is_incomplete, items, ItemDefaults(replaced) if shared_range else None)
    return CompletionList(is_incomplete=False, items=[])


def _word_around(replaced: Span, document: Document) -> Span:
    rest = _REST_OF_WORD.match(document.text.content, replaced.end)
    return Span(replaced.start, rest.end() if rest else replaced.end)


def _is_complete(found: Completions, document: Document, offset: int) -> bool:
    """Whether the word at the cursor is one of the items: Enter must then end the line, in every client.

    Clients accept the item that is selected, were it the same as what is typed or a longer one.
    """
    if offset != found.replaced.end or found.replaced.start == offset:
        return False
    if not _ENDS_LINE.match(document.text.content, offset):
        return False
    typed = document.text.content[found.replaced.start : offset]
    return any((item.insert_text or item.label) == typed for item in found.items)


def _may_become(typed: str, items: list[CompletionItem]) -> bool:
    """Whether an item has all the letters that are typed, in whatever order: clients put up with some mistakes.

    A list without any would be shown by Neovim if it comes late, and Enter would take its first item.
    """
    letters = frozenset(filter(str.isalnum, typed.lower()))
    return not letters or any(letters.issubset((item.filter_text or item.label).lower()) for item in items)


def _in_one_piece(item: CompletionItem) -> CompletionItem:
    """Return an item whose text is inserted whole: of a plain text with blanks Neovim inserts the first word alone."""
    text = item.insert_text or item.label
    if item.insert_text_format is types.InsertTextFormat.Snippet or " " not in text:
        return item
    return replace(item, insert_text=escaped(text), insert_text_format=types.InsertTextFormat.Snippet)


def _placed(item: CompletionItem, rank: int, replaced: types.Range | None) -> CompletionItem:
    """Return an item with its rank, and with what it replaces where that is not the same for all and told once."""
    if replaced is None:
        return replace(item, sort_text=f"{rank:04}", text_edit_text=item.insert_text, insert_text=None)
    edit = TextEdit(replaced, item.insert_text or item.label)
    return replace(item, sort_text=f"{rank:04}", text_edit=edit, insert_text=None)


def resolve(item: types.CompletionItem, documents: Mapping[str, Document]) -> types.CompletionItem:
    """Add the documentation, which is left out of the list; `documents` are the open ones by their URIs."""
    text = describe_expression_item(item, documents) or describe_yaml_item(item, documents)
    if text:
        item.documentation = types.MarkupContent(types.MarkupKind.Markdown, text)
    return item
