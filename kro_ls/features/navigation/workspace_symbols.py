"""Finds definitions, their kinds, fields and resources by name in the whole workspace."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.features.navigation.symbols import document_symbols

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kro_ls.workspace.documents import Document

MOST_SYMBOLS = 200
"""More are of no use to somebody who looks for one; the next letter makes them fewer."""

_CONTAINERS = frozenset({"spec", "types", "status"})


def workspace_symbols(query: str, documents: Iterable[Document]) -> list[types.WorkspaceSymbol]:
    """Return the symbols whose name has the letters of a query in this order; all of them for an empty query."""
    found = (each for document in documents for each in symbols_of(document) if _fits(query, each))
    return list(islice(found, MOST_SYMBOLS))


def may_have(query: str, text: str) -> bool:
    """Whether a text can hold a symbol that fits: quick, and never wrong about a name without blanks."""
    return _pattern(query).search(text) is not None


@lru_cache(maxsize=4)
def _pattern(query: str) -> re.Pattern[str]:
    """Return what finds a query's characters, in this order, in one word."""
    first, *others = [re.escape(character) for character in query] or [""]
    return re.compile(first + "".join(rf"[^\s{each}]{{0,60}}{each}" for each in others), re.IGNORECASE)


def symbols_of(document: Document) -> Iterator[types.WorkspaceSymbol]:
    """Yield the symbols of a document."""
    for each in document_symbols(document):
        yield _symbol(document, each, None)
        if each.detail:
            yield types.WorkspaceSymbol(
                location=types.Location(document.uri, each.selection_range),
                name=each.detail,
                kind=types.SymbolKind.Class,
                container_name=each.name,
            )
        yield from _below(document, each, each.name)


def _below(document: Document, symbol: types.DocumentSymbol, container: str) -> Iterator[types.WorkspaceSymbol]:
    for child in symbol.children or ():
        inside = f"{container}.{child.name}"
        if child.name not in _CONTAINERS and child.name != "schema":
            yield _symbol(document, child, container)
        yield from _below(document, child, inside)


def _symbol(document: Document, symbol: types.DocumentSymbol, container: str | None) -> types.WorkspaceSymbol:
    location = types.Location(document.uri, symbol.selection_range)
    return types.WorkspaceSymbol(location=location, name=symbol.name, kind=symbol.kind, container_name=container)


def _fits(query: str, symbol: types.WorkspaceSymbol) -> bool:
    return is_subsequence(query.casefold(), symbol.name.casefold())


@lru_cache(maxsize=4096)
def is_subsequence(query: str, name: str) -> bool:
    """Whether a name has the characters of a query, in their order."""
    letters = iter(name)
    return all(character in letters for character in query)
