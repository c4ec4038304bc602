"""What a test file names: its definition with ids of resources and fields of the status, and files of instances."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote, urljoin

from kro_ls.workspace.file_schemas import TEST_ENDINGS
from kro_ls.yaml_positions.access import entries, field, items, resolved, text_of
from kro_ls.yaml_positions.nodes import Scalar
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.source_map import source_map
from kro_ls.yaml_positions.stream import parse_stream

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.workspace.documents import Document
    from kro_ls.yaml_positions.nodes import Node
    from kro_ls.yaml_positions.runs import PlacedChunk


def tested_file(document: Document) -> str | None:
    """Return the file of the definition as a test file names it, None for every other file."""
    is_test = document.uri.endswith(TEST_ENDINGS)
    return text_of(field(_frame(document).chunk.root, "definition")) if is_test else None


def named_files(document: Document, path: str) -> tuple[str, ...]:
    """Return the paths of the definition and the instances that a test file names; nothing for every other file."""
    named = tested_file(document)
    given = (field(test, key) for test in _tests(_frame(document)) for key in ("instance", "then")) if named else ()
    instances = (text_of(each) for each in given)
    folder = os.path.dirname(path)
    return tuple(dict.fromkeys(os.path.normpath(os.path.join(folder, name)) for name in (named, *instances) if name))


def is_test_of(document: Document, definition: Document) -> bool:
    """Whether a document is a test file of the definition in another one."""
    named = tested_file(document)
    return named is not None and unquote(urljoin(document.uri, quote(named, errors="replace"))) == unquote(
        definition.uri
    )


def named_ids(document: Document) -> Iterator[tuple[str, Span]]:
    """Yield the ids of resources that a test file names, and where."""
    frame = _frame(document)
    for test in _tests(frame):
        expected = field(test, "expect")
        for names in (field(test, "observed"), field(expected, "nodes"), field(expected, "objects")):
            for entry in entries(names):
                if entry.name is not None and isinstance(entry.key, Scalar):
                    yield entry.name, _span(frame, entry.key)
        for item in items(field(test, "notReady")):
            scalar, name = resolved(item), text_of(item)
            if name is not None and isinstance(scalar, Scalar):
                yield name, _span(frame, scalar)


def status_keys(document: Document) -> Iterator[tuple[tuple[str, ...], Span]]:
    """Yield the fields of the status that a test file expects something of, each by its path in the status."""
    frame = _frame(document)
    for test in _tests(frame):
        yield from _keys(frame, field(field(test, "expect"), "status"), ())


def _keys(frame: PlacedChunk, node: Node | None, above: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Span]]:
    for entry in entries(node):
        if entry.name is not None and isinstance(entry.key, Scalar):
            yield (*above, entry.name), _span(frame, entry.key)
            yield from _keys(frame, entry.value, (*above, entry.name))


def _frame(document: Document) -> PlacedChunk:
    return parse_stream(document.text).document_at(0).frame


def _tests(frame: PlacedChunk) -> Iterator[Node]:
    yield from items(field(frame.chunk.root, "tests"))


def _span(frame: PlacedChunk, scalar: Scalar) -> Span:
    """Return where a name stands, quotes left out."""
    return frame.document_span(source_map(frame.chunk.text, scalar).source_span(Span(0, len(scalar.text))))
