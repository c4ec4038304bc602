"""What a test file names: its definitions with ids of resources and fields of the status, and files of instances."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote, urljoin

from kro_ls.workspace.file_schemas import TEST_ENDINGS
from kro_ls.yaml_positions.documents.stream import parse_stream
from kro_ls.yaml_positions.nodes import Scalar, entries, field, items, resolved, text_of
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.scalars.source_map import text_span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kro_ls.workspace.documents import Document
    from kro_ls.yaml_positions.documents.document import YamlDocument
    from kro_ls.yaml_positions.documents.runs import PlacedChunk
    from kro_ls.yaml_positions.nodes import Node
    from kro_ls.yaml_positions.text import Text


def parts_of_tests(document: Document) -> tuple[YamlDocument, ...]:
    """Return the YAML documents of a test file, each with tests of a definition; nothing for other files."""
    return parse_stream(document.text).documents if document.uri.endswith(TEST_ENDINGS) else ()


def part_at(document: Document, offset: int) -> YamlDocument | None:
    """Return the part of a test file at an offset, None for other files."""
    is_test = document.uri.endswith(TEST_ENDINGS)
    return parse_stream(document.text).document_at(offset) if is_test else None


def tested_file(part: YamlDocument) -> str | None:
    """Return the name of the definition's file in a part of a test file."""
    return text_of(field(part.frame.chunk.root, "definition"))


def tested_files(document: Document, path: str) -> tuple[str, ...]:
    """Return the paths of the definitions that a test file names; nothing for other files."""
    return _paths(map(tested_file, parts_of_tests(document)), path)


def named_files(document: Document, path: str) -> tuple[str, ...]:
    """Return the paths of the definitions, instances and snapshots that tests name; nothing for other files."""
    parts = [part for part in parts_of_tests(document) if tested_file(part)]
    tests = [test for part in parts for test in _tests(part.frame)]
    given = [field(test, key) for test in tests for key in ("instance", "then")]
    snapshots = [field(field(test, "expect"), "snapshot") for test in tests]
    return _paths((*map(tested_file, parts), *map(text_of, (*given, *snapshots))), path)


def _paths(names: Iterable[str | None], path: str) -> tuple[str, ...]:
    folder = os.path.dirname(path)
    return tuple(dict.fromkeys(os.path.normpath(os.path.join(folder, name)) for name in names if name))


def parts_testing(document: Document, definition: Document) -> Iterator[YamlDocument]:
    """Yield the parts of a test file that test the definition in another document."""
    wanted = unquote(definition.uri)
    for part in parts_of_tests(document):
        named = tested_file(part)
        if named is not None and unquote(urljoin(document.uri, quote(named, errors="replace"))) == wanted:
            yield part


def placed_tests(text: Text) -> Iterator[tuple[str, Span]]:
    """Yield the names of the tests in a test file, in order, with the span from the name to the end of the test.

    An incomplete test is included as soon as it has a name.
    """
    for part in parse_stream(text).documents:
        if tested_file(part) is not None:
            for test in _tests(part.frame):
                name, scalar = text_of(field(test, "name")), resolved(field(test, "name"))
                if name is not None and isinstance(scalar, Scalar):
                    yield name, Span(_span(part.frame, scalar).start, part.frame.document_span(test.span).end)


def named_ids(part: YamlDocument) -> Iterator[tuple[str, Span]]:
    """Yield the ids of resources in a part of a test file, with their places."""
    frame = part.frame
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


def status_keys(part: YamlDocument) -> Iterator[tuple[tuple[str, ...], Span]]:
    """Yield the status fields that tests expect, by their paths in the status."""
    for test in _tests(part.frame):
        yield from _keys(part.frame, field(field(test, "expect"), "status"), ())


def _keys(frame: PlacedChunk, node: Node | None, above: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Span]]:
    for entry in entries(node):
        if entry.name is not None and isinstance(entry.key, Scalar):
            yield (*above, entry.name), _span(frame, entry.key)
            yield from _keys(frame, entry.value, (*above, entry.name))


def _tests(frame: PlacedChunk) -> Iterator[Node]:
    yield from items(field(frame.chunk.root, "tests"))


def _span(frame: PlacedChunk, scalar: Scalar) -> Span:
    """Return the place of a name without its quotes."""
    return frame.document_span(text_span(frame.chunk.text, scalar))
