"""`textDocument/hover`."""

from __future__ import annotations

from lsprotocol import types

from kro_ls.server.delays import BUSY_HAND_SECONDS, HAND_SECONDS
from kro_ls.server.request import Asked, DocumentRequest, Mode


async def _hover(asked: Asked[types.HoverParams]) -> types.Hover | None:
    from kro_ls.features.hover.hover import hover

    server, document, cursor = asked.server, asked.document, asked.cursor(asked.params.position)
    preview = None
    if cursor.rgd and cursor.expression:
        seconds = BUSY_HAND_SECONDS if server.open_documents.is_busy else HAND_SECONDS
        number = document.analysis.rgds.index(cursor.rgd)
        preview = await server.previews.at_hand(document, number, seconds)
    return hover(cursor, preview)


REGISTERED = (DocumentRequest(types.TEXT_DOCUMENT_HOVER, Mode.IN_STEPS, _hover),)
