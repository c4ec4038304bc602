"""`textDocument/references` and `textDocument/documentHighlight`."""

from __future__ import annotations

from lsprotocol import types

from kro_ls.server.request import Asked, DocumentRequest, Mode


def _references(asked: Asked[types.ReferenceParams]) -> list[types.Location]:
    from kro_ls.features.navigation.reference_search import references

    with_declaration = asked.params.context.include_declaration
    return references(asked.cursor(asked.params.position), include_declaration=with_declaration)


def _highlights(asked: Asked[types.DocumentHighlightParams]) -> list[types.DocumentHighlight]:
    from kro_ls.features.navigation.reference_search import document_highlights

    return document_highlights(asked.cursor(asked.params.position))


REGISTERED = (
    DocumentRequest(types.TEXT_DOCUMENT_REFERENCES, Mode.ACROSS_FILES, _references),
    DocumentRequest(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, Mode.ACROSS_FILES, _highlights),
)
