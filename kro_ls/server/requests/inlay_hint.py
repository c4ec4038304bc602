"""`textDocument/inlayHint`."""

from __future__ import annotations

from lsprotocol import types

from kro_ls.server.delays import HAND_SECONDS, PATIENCE_SECONDS
from kro_ls.server.request import Asked, DocumentRequest, Mode


async def _inlay_hint(asked: Asked[types.InlayHintParams]) -> list[types.InlayHint]:
    from kro_ls.features.hints.inlay_hints import inlay_hints

    server, previews = asked.server, []
    if server.settings.shows_values:
        seconds = HAND_SECONDS if server.client_refreshes_hints else PATIENCE_SECONDS
        previews = await server.previews.all_at_hand(asked.document, seconds)
    return inlay_hints(asked.document, asked.params.range, server.settings.current.inlay_hints, previews)


REGISTERED = (DocumentRequest(types.TEXT_DOCUMENT_INLAY_HINT, Mode.IN_STEPS, _inlay_hint),)
