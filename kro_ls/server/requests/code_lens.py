"""`textDocument/codeLens` and `codeLens/resolve`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.server.delays import HAND_SECONDS, PATIENCE_SECONDS
from kro_ls.server.request import Asked, DocumentRequest, Mode, Request
from kro_ls.server.views.definitions import definition_of

if TYPE_CHECKING:
    from kro_ls.features.lsp_types import CodeLens
    from kro_ls.server.server import KroLanguageServer


def _code_lens(asked: Asked[types.CodeLensParams]) -> list[CodeLens]:
    from kro_ls.features.hints.code_lenses import code_lenses

    return code_lenses(asked.document)


async def _resolve(server: KroLanguageServer, lens: types.CodeLens) -> types.CodeLens:
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


REGISTERED = (
    DocumentRequest(types.TEXT_DOCUMENT_CODE_LENS, Mode.BACKGROUND, _code_lens),
    Request(types.CODE_LENS_RESOLVE, Mode.IN_STEPS, _resolve, empty=lambda lens: lens),
)
