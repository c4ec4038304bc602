"""Which documents of a text kubectl applies as ResourceGraphDefinitions, and which are only meant to be ones.

kubectl applies what stands in `items` of a document as if each item were a document of its own (k8s.io/cli-runtime
`pkg/resource/builder.go`, `Flatten`; k8s.io/apimachinery `pkg/apis/meta/v1/unstructured/helpers.go`).
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from kro_ls.analysis.model.reading import MOST_DOCUMENTS, is_rgd
from kro_ls.kro.definition_form import GROUP, KIND
from kro_ls.yaml_positions.access import text_of
from kro_ls.yaml_positions.chunks import parse_chunk
from kro_ls.yaml_positions.document import YamlDocument
from kro_ls.yaml_positions.nodes import Mapping, Sequence
from kro_ls.yaml_positions.parts import yaml_start
from kro_ls.yaml_positions.runs import PlacedChunk
from kro_ls.yaml_positions.stream import YamlStream

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.yaml_positions.nodes import Node
    from kro_ls.yaml_positions.positions import Span

_NAMED = rf"kind\W{{0,6}}{KIND}\b"
_MEANT_KIND = re.compile(rf"^[\"']?{_NAMED}", re.MULTILINE)
_MEANT_VERSION = re.compile(rf"^[\"']?apiVersion\W{{1,6}}{re.escape(GROUP)}/", re.MULTILINE)
_SEPARATED = re.compile(r"(?>%[^\n]*\n|[ \t]*(?:#[^\n]*)?\r?\n)*+---")
_MEANT_ANYWHERE = re.compile(_NAMED)


def means_rgd(content: str, document: YamlDocument) -> bool:
    """Whether the text of a document that is not read as an RGD was meant to be one: what names it is damaged."""
    if _MEANT_KIND.search(content, document.start, document.end):
        return True
    has_version = _MEANT_VERSION.search(content, document.start, document.end)
    return bool(has_version and _MEANT_ANYWHERE.search(content, document.start, document.end))


def second_object(document: YamlDocument) -> Span | None:
    """Return the key at which another object begins that an RGD without a `---` after it has been joined with."""
    root = document.frame.chunk.root
    entries = root.entries if isinstance(root, Mapping) else ()
    kinds = [entry for entry in entries if entry.name == "kind"]
    if len(kinds) < 2 or text_of(kinds[0].value) != KIND:
        return None
    seen: set[str | None] = set()
    for entry in entries:
        if entry.name in seen:
            return document.frame.document_span(entry.key.span)
        seen.add(entry.name)
    return None


def unread_documents(stream: YamlStream) -> frozenset[int]:
    """Return where documents start that kubectl never reads: of what stands between two `---` it reads the first alone.

    Source: k8s.io/apimachinery `pkg/util/yaml/decoder.go`, `YAMLReader`.
    """
    content = stream.text.content
    head = yaml_start(content)
    unread: set[int] = set()
    end = 0
    for document in stream.documents:
        if document.start < end:
            continue  # an item of a list
        if end > head and not (_is_cut(content, document.start) or _follows_separator(content, document)):
            unread.add(document.start)
        end = document.end
    return frozenset(unread)


def _is_cut(content: str, start: int) -> bool:
    return content[start - 1] == "\n" and _SEPARATED.match(content, start) is not None


def _follows_separator(content: str, document: YamlDocument) -> bool:
    """Whether the line before a document is a separator: one that YAML does not take for such, as `---#`."""
    return content.startswith("---", content.rfind("\n", 0, max(document.start - 2, 0)) + 1)


def with_list_items(stream: YamlStream) -> YamlStream:
    """Return the stream with a further document, right after that one, for each RGD in the `items` of a document.

    One that another object has been joined with, for want of a `---`, gets one as well: it is still being written.
    """
    found = _with_items(stream)
    documents = tuple(islice(found, MOST_DOCUMENTS))
    left_out = next(found, None)
    if len(documents) == len(stream.documents) and left_out is None:
        return stream
    return YamlStream(stream.text, documents, left_out.start if left_out else stream.unread)


def _with_items(stream: YamlStream) -> Iterator[YamlDocument]:
    content = stream.text.content
    unread = unread_documents(stream)
    for document in stream.documents:
        yield document
        second = second_object(document)
        if second is not None:
            yield _first_object(content, document, second)
            continue
        is_named = content.find(KIND, document.start, document.end) >= 0
        if is_named and not is_rgd(document) and document.start not in unread:
            yield from _items(content, document)


def _first_object(content: str, document: YamlDocument, second: Span) -> YamlDocument:
    """Return the part of the document before `second`, as a separate document."""
    chunk = parse_chunk(content[document.start : second.start])
    return YamlDocument(document.start, second.start, PlacedChunk(chunk, (), document.start))


def _items(content: str, document: YamlDocument) -> Iterator[YamlDocument]:
    located = document.child(("items",))
    chunk = document.frame.chunk
    # An item with an alias cannot be read without the others.
    if located is None or not isinstance(located.node, Sequence) or document.runs or chunk.has_alias:
        return
    if text_of(chunk.root.get("kind") if isinstance(chunk.root, Mapping) else None) == KIND:
        return
    for item in located.node.items:
        if isinstance(item, Mapping):
            found = _document(content, document.frame.document_span(item.span).start, item, document)
            if is_rgd(found):
                yield found


def _document(content: str, item_start: int, item: Node, document: YamlDocument) -> YamlDocument:
    """Return the document of an item: its lines, with blanks for the dash before it, so that no column changes."""
    item_end = item_start + item.end - item.start
    if isinstance(item, Mapping) and item.flow:
        return YamlDocument(
            item_start, item_end, PlacedChunk(parse_chunk(content[item_start:item_end]), (), item_start)
        )
    start = content.rfind("\n", 0, item_start) + 1
    line_end = content.find("\n", item_end)
    end = document.end if line_end < 0 else min(line_end + 1, document.end)
    text = " " * (item_start - start) + content[item_start:end]
    return YamlDocument(start, end, PlacedChunk(parse_chunk(text), (), start))
