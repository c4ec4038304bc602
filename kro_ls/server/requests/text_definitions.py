"""`kro-ls/definitions`: the definitions in a document, for clients that let users choose one, or an instance of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kro_ls.server.connection.protocol import NoAnswerError
from kro_ls.server.request import Mode, Request

if TYPE_CHECKING:
    from kro_ls.render.page_data import TextDefinition
    from kro_ls.server.server import KroLanguageServer


async def _definitions(server: KroLanguageServer, params: Any) -> list[TextDefinition]:
    from kro_ls.features.previews.refused import client_range
    from kro_ls.yaml_positions.positions import Span

    uri = getattr(params, "uri", None)
    document = await server.slow_documents.newest(uri)
    if document is None:
        raise NoAnswerError(f"'uri' must be that of an open document, not {uri!r}")
    return [
        {
            "kind": rgd.rgd.schema.section.kind if rgd.rgd.schema else None,
            "range": client_range(document, Span(rgd.rgd.document.start, rgd.rgd.document.end)),
            "instances": server.previews.instances.listed(document.uri, rgd),
        }
        for rgd in document.analysis.rgds
    ]


REGISTERED = (Request("kro-ls/definitions", Mode.IN_STEPS, _definitions),)
