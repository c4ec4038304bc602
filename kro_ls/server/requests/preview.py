"""For clients that draw a preview themselves: every pass of it, under a scenario that the user edits.

`docs/editor-commands.md` tells of these requests.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kro_ls.server.request import Mode, Notification, Request

if TYPE_CHECKING:
    from kro_ls.render.page_data import Preview, SavedTest
    from kro_ls.server.server import KroLanguageServer


async def _preview(server: KroLanguageServer, params: Any) -> Preview:
    from kro_ls.server.views.scenarios import preview_answer

    await server.slow_documents.newest(getattr(params, "uri", None))
    return await preview_answer(server, params, server)


async def _test(server: KroLanguageServer, params: Any) -> SavedTest:
    from kro_ls.server.views.scenarios import test_answer

    await server.slow_documents.newest(getattr(params, "uri", None))
    return await test_answer(server, params, server)


async def _assistance(server: KroLanguageServer, params: Any) -> Any:
    from kro_ls.server.views.assistance import assistance

    uri = getattr(params, "uri", None)
    await server.slow_documents.newest(uri)
    return await assistance(server, uri, _number(params), getattr(params, "question", None))


def _closed(server: KroLanguageServer, params: Any) -> None:
    server.previews.explorations.left(server, getattr(params, "uri", ""), _number(params))


def _number(params: Any) -> int:
    return int(getattr(params, "definition", None) or 0)


REGISTERED = (
    Request("kro-ls/preview", Mode.IN_STEPS, _preview),
    Request("kro-ls/previewTest", Mode.IN_STEPS, _test),
    Request("kro-ls/previewAssistance", Mode.IN_STEPS, _assistance),
    Notification("kro-ls/previewClosed", _closed),
)
