"""Links to other files: from a kind to the file that declares it, from a test file to what it names."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.cursor.fields.objects import kind_of
from kro_ls.features.convert import to_range
from kro_ls.queries.cells import cached
from kro_ls.uris import file_path, file_uri
from kro_ls.workspace.file_schemas import TEST_ENDINGS
from kro_ls.yaml_positions.access import field, items, resolved, text_of
from kro_ls.yaml_positions.nodes import Mapping, Node, Scalar, walk
from kro_ls.yaml_positions.stream import parse_stream

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.openapi.kind_schema import GroupVersionKind, KindSchema
    from kro_ls.workspace.documents import Document
    from kro_ls.yaml_positions.chunks import Chunk
    from kro_ls.yaml_positions.document import YamlDocument
    from kro_ls.yaml_positions.runs import PlacedChunk


def document_links(document: Document) -> list[types.DocumentLink]:
    """Return the links of a document, in the order of its text."""
    found: list[types.DocumentLink] = []
    stream = document.analysis.stream
    for yaml in stream.documents or parse_stream(document.text).documents:
        found += [_link(document, *each) for each in _kinds(yaml, document.schemas, file_path(document.uri))]
        if document.uri.endswith(TEST_ENDINGS):
            found += [_link(document, yaml.frame, *each) for each in _named_files(yaml.frame, document.uri)]
    return sorted(found, key=lambda link: (link.range.start.line, link.range.start.character))


def _link(document: Document, placed: PlacedChunk, node: Scalar, path: str, tooltip: str) -> types.DocumentLink:
    return types.DocumentLink(to_range(document, placed.span(node)), file_uri(path), tooltip=tooltip)


def _kinds(
    document: YamlDocument, schemas: SchemaIndex | None, here: str | None
) -> Iterator[tuple[PlacedChunk, Scalar, str, str]]:
    """Yield the `kind` of each object whose kind another file declares, and that file."""
    found: dict[GroupVersionKind, KindSchema | None] = {}
    if schemas is None:
        return
    for placed in (document.frame, *document.chunks):
        for written, name in _named_kinds(placed.chunk):
            if name not in found:
                kind = schemas.find(name.group, name.version, name.kind)
                is_elsewhere = kind and kind.source != here and Path(kind.source).is_absolute()
                found[name] = kind if is_elsewhere else None
            if kind := found[name]:
                yield placed, written, kind.source, f"The file that declares {kind.name}"


@cached
def _named_kinds(chunk: Chunk) -> tuple[tuple[Scalar, GroupVersionKind], ...]:
    """Return the `kind` of each object in a chunk, as it is written and as it is meant."""
    objects = [node for node in (walk(chunk.root) if chunk.root else ()) if isinstance(node, Mapping)]
    named = [(field(node, "kind"), kind_of(node)) for node in objects]
    return tuple((written, name) for written, name in named if name and isinstance(written, Scalar))


def _named_files(frame: PlacedChunk, uri: str) -> Iterator[tuple[Scalar, str, str]]:
    """Yield the files that a test file names."""
    root, here = frame.chunk.root, file_path(uri)
    named: list[tuple[Node | None, str]] = [(field(root, "definition"), "The definition under test")]
    named += [(each, "Kinds") for each in items(field(root, "crds"))]
    for test in items(field(root, "tests")):
        named.append((field(test, "instance"), "The instance"))
        named.append((field(test, "then"), "The edited instance"))
        named.append((field(field(test, "expect"), "snapshot"), "The snapshot"))
    for node, tooltip in named:
        scalar, text = resolved(node), text_of(node)
        if here and text and isinstance(scalar, Scalar):
            yield scalar, os.path.normpath(Path(here).parent / text), tooltip
