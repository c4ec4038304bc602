"""Finds definitions, their kinds, fields and resources by name in the whole workspace."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lsprotocol import types
from msgspec import Struct

from kro_ls.analysis.model.reading import is_rgd
from kro_ls.cursor.fields.declared import kind_of
from kro_ls.features.convert import to_offset
from kro_ls.features.navigation.outlined_symbols import NamedPlace, UncertainError, outlined_symbols
from kro_ls.features.navigation.symbols import rgd_symbol
from kro_ls.openapi.sources.bundled import kubernetes
from kro_ls.uris import file_uri
from kro_ls.yaml_positions.documents.stream import parse_stream
from kro_ls.yaml_positions.nodes import Scalar, field, resolved
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.text import Text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from kro_ls.features.lsp_types import DocumentSymbol
    from kro_ls.workspace.documents import Document
    from kro_ls.yaml_positions.documents.stream import YamlStream
    from kro_ls.yaml_positions.positions import PositionEncoding

MOST_SYMBOLS = 200
"""Nobody finds a symbol among more; the next letter makes them fewer."""

_CONTAINERS = frozenset({types.SymbolKind.Interface, types.SymbolKind.Namespace})
"""The schema and its sections, which every definition has."""


class FileSymbols(Struct, frozen=True, eq=False):
    """The symbols of the text of a file; `names` has their names, case-folded, one per line.

    The tree of a file with instances may be cached, so that later searches need not parse it again.
    """

    path: str
    text: str
    names: str
    symbols: tuple[NamedPlace, ...]
    has_instances: bool = False
    tree: YamlStream | None = None


def file_symbols(
    path: str, text: str, parse: Callable[[str, str], Document], *, has_instances: bool = False
) -> FileSymbols:
    """Return the symbols of a file. `parse` makes its document where its lines alone are not enough.

    With `has_instances` the instances in the file are included.
    """
    try:
        symbols = outlined_symbols(text)
    except UncertainError:
        symbols = tuple(symbols_of(parse(path, text)))
    tree = parse_stream(Text(text)) if has_instances else None
    if tree:
        symbols += tuple(_instances(tree))
    return FileSymbols(path, text, "\n".join(each.name.casefold() for each in symbols), symbols, has_instances, tree)


def _instances(stream: YamlStream) -> Iterator[NamedPlace]:
    """Yield the objects of kinds that Kubernetes does not have, by their names."""
    for document in stream.documents:
        frame = document.frame
        kind = kind_of(frame.chunk.root)
        name = resolved(field(field(frame.chunk.root, "metadata"), "name"))
        is_custom = kind and not is_rgd(document) and not kubernetes().has_group_version(kind.group, kind.version)
        if kind and is_custom and isinstance(name, Scalar) and name.text:
            yield NamedPlace(name.text, types.SymbolKind.Object, kind.kind, frame.span(name))


def workspace_symbols(
    query: str, files: Iterable[FileSymbols], encoding: PositionEncoding
) -> list[types.WorkspaceSymbol]:
    """Return the symbols whose name has the letters of a query in this order, the most similar first; all for ""."""
    query = query.casefold()
    letters = [re.escape(letter) for letter in query]
    pattern = re.compile("^" + "".join(f"[^\n{each}]*{each}" for each in letters), re.MULTILINE)
    found: tuple[list[tuple[FileSymbols, NamedPlace]], ...] = ([], [], [], [])
    for file in files:
        if pattern.search(file.names):
            for symbol in file.symbols:
                name = symbol.name.casefold()
                if pattern.match(name):
                    found[_unlikeness(query, name)].append((file, symbol))
        if len(found[0]) + len(found[1]) >= MOST_SYMBOLS:
            break
    best = [each for group in found for each in group][:MOST_SYMBOLS]
    texts = {file.path: Text(file.text) for file, _ in best}
    return [_symbol(file.path, symbol, texts[file.path], encoding) for file, symbol in best]


def _unlikeness(query: str, name: str) -> int:
    if name == query:
        return 0
    return 1 if name.startswith(query) else 2 if query in name else 3


def symbols_of(document: Document) -> Iterator[NamedPlace]:
    """Yield the symbols of the RGDs in a document."""
    for each in (rgd_symbol(document, rgd) for rgd in document.analysis.rgds):
        yield _named(document, each, None)
        if each.detail:
            yield NamedPlace(each.detail, types.SymbolKind.Class, each.name, _span(document, each))
        yield from _below(document, each, each.name)


def _below(document: Document, symbol: DocumentSymbol, container: str) -> Iterator[NamedPlace]:
    for child in symbol.children:
        if child.kind not in _CONTAINERS:
            yield _named(document, child, container)
        yield from _below(document, child, f"{container}.{child.name}")


def _named(document: Document, symbol: DocumentSymbol, container: str | None) -> NamedPlace:
    return NamedPlace(symbol.name, symbol.kind, container, _span(document, symbol))


def _span(document: Document, symbol: DocumentSymbol) -> Span:
    selected = symbol.selection_range
    return Span(to_offset(document, selected.start), to_offset(document, selected.end))


def _symbol(path: str, symbol: NamedPlace, text: Text, encoding: PositionEncoding) -> types.WorkspaceSymbol:
    start, end = (text.encoded_position(each, encoding) for each in (symbol.span.start, symbol.span.end))
    where = types.Range(types.Position(start.line, start.column), types.Position(end.line, end.column))
    location = types.Location(file_uri(path), where)
    return types.WorkspaceSymbol(location=location, name=symbol.name, kind=symbol.kind, container_name=symbol.container)
