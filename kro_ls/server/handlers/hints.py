"""What is drawn into the text: inlay hints and code lenses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.server.definitions import definition_of
from kro_ls.server.handlers.registration import register, register_for_documents
from kro_ls.server.previews import HAND_SECONDS, PATIENCE_SECONDS

if TYPE_CHECKING:
    from kro_ls.features.hints.code_lenses import CodeLens
    from kro_ls.server.server import KroLanguageServer
    from kro_ls.workspace.documents import Document


def register_hints(server: KroLanguageServer) -> None:
    """Register inlay hints and code lenses."""

    async def inlay_hint(document: Document, params: types.InlayHintParams) -> list[types.InlayHint]:
        from kro_ls.features.hints.inlay_hints import inlay_hints

        previews = []
        if server.shows_values:
            seconds = HAND_SECONDS if server.client_refreshes_hints else PATIENCE_SECONDS
            previews = await server.previews.all_at_hand(document, seconds)
        return inlay_hints(document, params.range, server.settings.inlay_hints, previews)

    async def resolve_code_lens(lens: types.CodeLens) -> types.CodeLens:
        from kro_ls.features.hints.code_lenses import instance_of, place_of, resolve, resolve_instance

        instance = instance_of(lens)
        if instance is not None:
            document = server.documents.get(instance[0])
            found = await definition_of(server, document, instance[1]) if document else None
            return resolve_instance(lens, document, found) if document else lens
        uri, number = place_of(lens)
        document = server.documents.get(uri)
        preview = None
        if document and number < len(document.analysis.rgds):
            seconds = HAND_SECONDS if server.client_refreshes_lenses else PATIENCE_SECONDS
            preview = await server.previews.judged_at_hand(document, number, seconds)
        return resolve(lens, preview, server.held_back.shown_of(uri, preview.errors) if preview else ())

    register_for_documents(server, types.TEXT_DOCUMENT_INLAY_HINT, inlay_hint)
    register_for_documents(server, types.TEXT_DOCUMENT_CODE_LENS, _code_lens, about_all=True)
    register(server, types.CODE_LENS_RESOLVE, resolve_code_lens, empty=lambda lens: lens)


def _code_lens(document: Document, _params: types.CodeLensParams) -> list[CodeLens]:
    from kro_ls.features.hints.code_lenses import code_lenses

    return code_lenses(document)
