"""Completes what is being typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types
from msgspec.structs import replace

from kro_ls.features.completion.expressions import complete_expression, describe_expression_item
from kro_ls.features.completion.newer import without_newer
from kro_ls.features.completion.simple_schema import complete_simple_schema
from kro_ls.features.completion.yaml import complete_yaml, describe_yaml_item
from kro_ls.features.convert import to_range

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import TypeAlias

    from kro_ls.cursor.cursor import Cursor
    from kro_ls.features.completion.items import Completions
    from kro_ls.workspace.documents import Document

    Source: TypeAlias = Callable[..., Completions | None]

_SOURCES: tuple[Source, ...] = (complete_expression, complete_yaml)
"""Each is called with a cursor and `snippets`; the first that has an answer counts."""


def completion(cursor: Cursor, *, snippets: bool, shared_range: bool = False) -> types.CompletionList:
    """Return what can be typed at the cursor, best first.

    `snippets` tells whether the client takes snippets, `shared_range` whether what is replaced can be told once for
    all items, which makes long lists much shorter.
    """
    fields = without_newer(complete_simple_schema(cursor, snippets=snippets), cursor)
    if fields:
        return types.CompletionList(is_incomplete=False, items=fields)
    for source in _SOURCES:
        found = source(cursor, snippets=snippets)
        if found:
            offered = replace(found, items=without_newer(found.items, cursor))
            return _completion_list(offered, to_range(cursor.document, found.replaced), shared_range=shared_range)
    return types.CompletionList(is_incomplete=False, items=[])


def _completion_list(found: Completions, replaced: types.Range, *, shared_range: bool) -> types.CompletionList:
    for rank, item in enumerate(found.items):
        item.sort_text = f"{rank:04}"
        if not shared_range:
            item.text_edit = types.TextEdit(replaced, item.insert_text or item.label)
        elif item.insert_text:
            item.text_edit_text = item.insert_text
        if item.insert_text:
            item.insert_text = None
    defaults = types.CompletionItemDefaults(edit_range=replaced) if shared_range else None
    return types.CompletionList(is_incomplete=found.is_incomplete, items=found.items, item_defaults=defaults)


def resolve(item: types.CompletionItem, documents: Mapping[str, Document]) -> types.CompletionItem:
    """Add the documentation, which is left out of the list; `documents` are the open ones by their URIs."""
    text = describe_expression_item(item, documents) or describe_yaml_item(item, documents)
    if text:
        item.documentation = types.MarkupContent(types.MarkupKind.Markdown, text)
    return item
