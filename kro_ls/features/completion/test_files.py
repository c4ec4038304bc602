"""Completes in a test file what its definition declares, such as ids of resources, and the files that it can name."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from lsprotocol.types import CompletionItemKind

from kro_ls.analysis.analysis import may_hold_rgd
from kro_ls.cursor.fields.declared import declared_kind
from kro_ls.features.completion.items import MOST_ITEMS, Completions
from kro_ls.features.completion.snippets import scalar_text
from kro_ls.features.lsp_types import CompletionItem
from kro_ls.runtime.testing.testfile_schema import NODE_STATES
from kro_ls.uris import file_path
from kro_ls.workspace.file_schemas import TEST_ENDINGS
from kro_ls.yaml_positions.nodes import Mapping, entries, node_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.cursor.cursor import Cursor
    from kro_ls.cursor.open.half_typed import OpenYaml
    from kro_ls.workspace.documents import Document
    from kro_ls.workspace.snapshot import AllDocuments

_BY_ID = (("observed",), ("expect", "nodes"), ("expect", "objects"))
_NAMES_KIND = (("instance", "apiVersion"), ("instance", "kind"))
_NODES, _STATUS = ("expect", "nodes"), ("expect", "status")


def complete_tested(cursor: Cursor) -> Completions | None:
    """Return the names of the definition and of files that can be typed at the cursor of a test file, if any."""
    opened = cursor.open_yaml
    if opened is None:
        return None
    files = list(_files(opened, cursor.document, cursor.others))
    if files:
        return Completions(files, opened.word, is_incomplete=True)
    definition = cursor.others.tested_at(cursor.document, cursor.offset)
    if definition is None:
        return None
    taken = {entry.name for entry in opened.parent.entries} if opened.parent and opened.is_key else set()
    items = [each for each in _items(opened, definition) if each.label not in taken]
    return Completions(items, opened.word, is_incomplete=not opened.is_key) if items else None


def _files(opened: OpenYaml, test: Document, others: AllDocuments) -> Iterator[CompletionItem]:
    """Yield the files with definitions or instances where one is named, the nearest first."""
    path, here = opened.path, file_path(test.uri)
    if path == ("definition",):
        found = [name for name, text in others.definition_texts() if may_hold_rgd(text)]
    elif path[:1] == ("tests",) and path[2:] in (("instance",), ("then",)) and not opened.is_key:
        found = [name for name, _ in others.instance_texts()]
    else:
        return
    names = (os.path.relpath(name, os.path.dirname(here)).replace(os.sep, "/") for name in found if here)
    for name in sorted(dict.fromkeys(names), key=lambda name: (name.count("/"), name))[:MOST_ITEMS]:
        if not name.endswith(TEST_ENDINGS):
            written = name if opened.quoted else scalar_text(name, in_flow=opened.in_flow)
            yield CompletionItem(written, kind=CompletionItemKind.File)


def _items(opened: OpenYaml, definition: Document) -> Iterator[CompletionItem]:
    path = opened.path[2:] if opened.path[:1] == ("tests",) else ()
    colon = "" if opened.has_colon or path[:1] == ("notReady",) else ": "
    if path in _BY_ID or path[:1] == ("notReady",):
        for rgd in definition.analysis.rgds:
            for name in rgd.resources:
                yield CompletionItem(name, kind=CompletionItemKind.Variable, insert_text=f"{name}{colon}")
    elif path in _NAMES_KIND and not opened.is_key:
        for kind in filter(None, map(declared_kind, definition.analysis.rgds)):
            yield CompletionItem(kind.kind if path[-1] == "kind" else kind.api_version, kind=CompletionItemKind.Class)
    elif path[:-1] == _NODES and not opened.is_key:
        for state in NODE_STATES:
            yield CompletionItem(state, kind=CompletionItemKind.EnumMember)
    elif path[:2] == _STATUS:
        for rgd in definition.analysis.rgds:
            status = rgd.rgd.schema.section.status if rgd.rgd.schema else None
            inner = node_at(status, path[2:])
            for entry in entries(inner if isinstance(inner, Mapping) else None):
                if entry.name is not None:
                    yield CompletionItem(entry.name, kind=CompletionItemKind.Field, insert_text=f"{entry.name}{colon}")
