"""Completes in a test file what its definition declares: the ids of resources, and the fields of the status."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol.types import CompletionItemKind

from kro_ls.features.completion.items import CompletionItem, Completions
from kro_ls.workspace.file_schemas import TEST_ENDINGS
from kro_ls.yaml_positions.access import entries, node_at
from kro_ls.yaml_positions.nodes import Mapping

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.cursor.cursor import Cursor
    from kro_ls.cursor.open.yaml import OpenYaml
    from kro_ls.workspace.all_documents import AllDocuments
    from kro_ls.workspace.documents import Document

_BY_ID = (("observed",), ("expect", "nodes"), ("expect", "objects"))
_STATUS = ("expect", "status")


def complete_tested(cursor: Cursor, others: AllDocuments | None) -> Completions | None:
    """Return the names of the definition that can be typed at the cursor; None outside of test files."""
    is_test = others is not None and cursor.document.uri.endswith(TEST_ENDINGS)
    opened = cursor.open_yaml if is_test else None
    definition = others.tested_by(cursor.document) if others and opened else None
    if opened is None or definition is None:
        return None
    taken = {entry.name for entry in opened.parent.entries} if opened.parent and opened.is_key else set()
    items = [each for each in _items(opened, definition) if each.label not in taken]
    return Completions(items, opened.word) if items else None


def _items(opened: OpenYaml, definition: Document) -> Iterator[CompletionItem]:
    path = opened.path[2:] if opened.path[:1] == ("tests",) else ()
    colon = "" if opened.has_colon or path[:1] == ("notReady",) else ": "
    if path in _BY_ID or path[:1] == ("notReady",):
        for rgd in definition.analysis.rgds:
            for name in rgd.resources:
                yield CompletionItem(name, kind=CompletionItemKind.Variable, insert_text=f"{name}{colon}")
    elif path[:2] == _STATUS:
        for rgd in definition.analysis.rgds:
            status = rgd.rgd.schema.section.status if rgd.rgd.schema else None
            inner = node_at(status, path[2:])
            for entry in entries(inner if isinstance(inner, Mapping) else None):
                if entry.name is not None:
                    yield CompletionItem(entry.name, kind=CompletionItemKind.Field, insert_text=f"{entry.name}{colon}")
