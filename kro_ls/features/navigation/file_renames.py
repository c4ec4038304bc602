"""What names a file and must follow when the file gets another name: the definitions and instances of test files."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.features.convert import to_range
from kro_ls.uris import file_path
from kro_ls.workspace.test_files import parts_of_tests
from kro_ls.yaml_positions.access import field, items, resolved, text_of
from kro_ls.yaml_positions.nodes import Node, Scalar
from kro_ls.yaml_positions.writing import can_be_plain, quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from kro_ls.workspace.documents import Document
    from kro_ls.workspace.snapshot import AllDocuments
    from kro_ls.yaml_positions.runs import PlacedChunk


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


def _edits(document: Document, moved: Mapping[str, str]) -> Iterator[types.TextEdit]:
    path = file_path(document.uri)
    if path is None:
        return
    before = os.path.dirname(path)
    after = os.path.dirname(_new_path(os.path.normpath(path), moved))
    for frame, node in _names(document):
        scalar, text = resolved(node), text_of(node)
        if not isinstance(scalar, Scalar) or not text or Path(text).is_absolute():
            continue
        target = os.path.normpath(os.path.join(before, text))
        name = os.path.relpath(_new_path(target, moved), after).replace(os.sep, "/")
        if name != os.path.normpath(text).replace(os.sep, "/"):
            written = name if can_be_plain(name, in_flow=True) else quoted(name)
            yield types.TextEdit(to_range(document, frame.span(scalar)), written)


def _new_path(path: str, moved: Mapping[str, str]) -> str:
    """Return where a file is after the renaming of itself, or of a folder that it is in."""
    for old, new in moved.items():
        if path == old:
            return new
        if path.startswith(old + os.sep):
            return new + path[len(old) :]
    return path


def _names(document: Document) -> Iterator[tuple[PlacedChunk, Node | None]]:
    """Yield what a test file names files with, each with the part that it stands in."""
    for part in parts_of_tests(document):
        frame, root = part.frame, part.frame.chunk.root
        yield from ((frame, each) for each in (field(root, "definition"), *items(field(root, "crds"))))
        for test in items(field(root, "tests")):
            given = field(test, "instance"), field(test, "then"), field(field(test, "expect"), "snapshot")
            yield from ((frame, each) for each in given)
