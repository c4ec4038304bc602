"""The structure of a whole document: its symbols, folding ranges and links."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.server.request import Asked, DocumentRequest, Mode

if TYPE_CHECKING:
    from kro_ls.features.lsp_types import DocumentSymbol, FoldingRange


def _symbols(asked: Asked[types.DocumentSymbolParams]) -> list[DocumentSymbol]:
    from kro_ls.features.navigation.symbols import document_symbols

    return document_symbols(asked.document)


def _folding_ranges(asked: Asked[types.FoldingRangeParams]) -> list[FoldingRange]:
    from kro_ls.features.navigation.folding import folding_ranges

    return folding_ranges(asked.document)


def _links(asked: Asked[types.DocumentLinkParams]) -> list[types.DocumentLink]:
    from kro_ls.features.navigation.document_links import document_links

    return document_links(asked.document)


REGISTERED = (
    DocumentRequest(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, Mode.BACKGROUND, _symbols),
    DocumentRequest(types.TEXT_DOCUMENT_FOLDING_RANGE, Mode.BACKGROUND, _folding_ranges),
    DocumentRequest(types.TEXT_DOCUMENT_DOCUMENT_LINK, Mode.BACKGROUND, _links),
)
