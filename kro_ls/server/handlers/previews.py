"""The requests of clients that draw a preview themselves: every pass of it, under a scenario that the user edits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from kro_ls.server.server import KroLanguageServer

T = TypeVar("T")

PREVIEW = "kro-ls/preview"
PREVIEW_TEST = "kro-ls/previewTest"
PREVIEW_ASSISTANCE = "kro-ls/previewAssistance"
PREVIEW_CLOSED = "kro-ls/previewClosed"


def register_previews(server: KroLanguageServer) -> None:
    """Register the requests; `docs/editor-commands.md` tells of them."""

    @server.feature(PREVIEW)
    async def preview(params: Any) -> dict[str, Any]:
        from kro_ls.server.scenarios import preview_answer

        await server.slow_documents.newest(getattr(params, "uri", None))
        return await _answered(PREVIEW, preview_answer(server, params, server))

    @server.feature(PREVIEW_TEST)
    async def preview_test(params: Any) -> dict[str, Any]:
        from kro_ls.server.scenarios import test_answer

        await server.slow_documents.newest(getattr(params, "uri", None))
        return await _answered(PREVIEW_TEST, test_answer(server, params, server))

    @server.feature(PREVIEW_ASSISTANCE)
    async def preview_assistance(params: Any) -> Any:
        from kro_ls.server.assistance import assistance

        uri, number = getattr(params, "uri", None), int(getattr(params, "definition", None) or 0)
        await server.slow_documents.newest(uri)
        return await _answered(PREVIEW_ASSISTANCE, assistance(server, uri, number, getattr(params, "question", None)))

    @server.feature(PREVIEW_CLOSED)
    def preview_closed(params: Any) -> None:
        server.previews.left(server, getattr(params, "uri", ""), int(getattr(params, "definition", None) or 0))


async def _answered(method: str, answer: Awaitable[T]) -> T:
    """Return the answer. Raises JsonRpcException where there is none, or nobody needs it any more."""
    from pygls.exceptions import JsonRpcInvalidParams

    from kro_ls.server.views import ViewError

    try:
        return await answer
    except ViewError as error:
        raise JsonRpcInvalidParams(f"{method}: {error}") from error
