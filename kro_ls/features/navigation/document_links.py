"""Links to other files: from a kind to the file that declares it, from a test file to what it names.

When a file is renamed, the names in test files follow.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.cursor.fields.declared import kind_of
from kro_ls.features.convert import to_range
from kro_ls.queries.cells import cached
from kro_ls.uris import file_path, file_uri
from kro_ls.workspace.file_schemas import TEST_ENDINGS
from kro_ls.workspace.test_files import parts_of_tests
from kro_ls.yaml_positions.documents.stream import parse_stream
from kro_ls.yaml_positions.nodes import Mapping, Node, Scalar, field, items, resolved, text_of, walk
from kro_ls.yaml_positions.scalars.writing import can_be_plain, quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.openapi.kind_schema import GroupVersionKind, KindSchema
    from kro_ls.workspace.documents import Document
    from kro_ls.workspace.snapshot import AllDocuments
    from kro_ls.yaml_positions.documents.chunks import Chunk
    from kro_ls.yaml_positions.documents.document import YamlDocument
    from kro_ls.yaml_positions.documents.runs import PlacedChunk


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
    here = file_path(uri)
    for node, tooltip in _names(frame.chunk.root):
        scalar, text = resolved(node), text_of(node)
        if here and text and isinstance(scalar, Scalar):
            yield scalar, os.path.normpath(Path(here).parent / text), tooltip


def edits_for_renames(renames: Iterable[types.FileRename], others: AllDocuments) -> types.WorkspaceEdit | None:
    """Return the edits of the files that name renamed ones, None where nothing names them."""
    paths = ((file_path(each.old_uri), file_path(each.new_uri)) for each in renames)
    moved = {os.path.normpath(old): os.path.normpath(new) for old, new in paths if old and new}
    changes = {}
    for document in others.mentioning("definition"):
        edits = list(_edits(document, moved))
        if edits:
            changes[document.uri] = edits
    return types.WorkspaceEdit(changes=changes) if changes else None


def _edits(document: Document, moved: dict[str, str]) -> Iterator[types.TextEdit]:
    path = file_path(document.uri)
    if path is None:
        return
    before = os.path.dirname(path)
    after = os.path.dirname(_new_path(os.path.normpath(path), moved))
    names = ((part.frame, node) for part in parts_of_tests(document) for node, _ in _names(part.frame.chunk.root))
    for frame, node in names:
        scalar, text = resolved(node), text_of(node)
        if not isinstance(scalar, Scalar) or not text or Path(text).is_absolute():
            continue
        target = os.path.normpath(os.path.join(before, text))
        name = os.path.relpath(_new_path(target, moved), after).replace(os.sep, "/")
        if name != os.path.normpath(text).replace(os.sep, "/"):
            written = name if can_be_plain(name, in_flow=True) else quoted(name)
            yield types.TextEdit(to_range(document, frame.span(scalar)), written)


def _new_path(path: str, moved: dict[str, str]) -> str:
    """Return where a file is after the renaming of itself, or of a folder that it is in."""
    for old, new in moved.items():
        if path == old:
            return new
        if path.startswith(old + os.sep):
            return new + path[len(old) :]
    return path


def _names(root: Node | None) -> Iterator[tuple[Node | None, str]]:
    """Yield where a test file may name files, each with what the file is."""
    yield field(root, "definition"), "The definition under test"
    yield from ((each, "Kinds") for each in items(field(root, "crds")))
    for test in items(field(root, "tests")):
        yield field(test, "instance"), "The instance"
        yield field(test, "then"), "The edited instance"
        yield field(field(test, "expect"), "snapshot"), "The snapshot"
