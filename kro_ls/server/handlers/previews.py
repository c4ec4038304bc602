"""The requests of clients that draw a preview themselves: every pass of it, under a scenario that the user edits."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from kro_ls.features.previews.preview import Preview
    from kro_ls.features.previews.scenario import AskedScenario
    from kro_ls.server.server import KroLanguageServer
    from kro_ls.workspace.documents import Document

PREVIEW = "kro-ls/preview"
PREVIEW_TEST = "kro-ls/previewTest"

_CONTENT_MODIFIED = -32801


def register_previews(server: KroLanguageServer) -> None:
    """Register the requests; `docs/editor-commands.md` tells of them."""

    @server.feature(PREVIEW)
    async def preview(params: Any) -> dict[str, Any]:
        from kro_ls.features.previews.explored import explored

        document, number, asked = _asked(server, PREVIEW, params)

        def show(found: Preview, problems: tuple[str, ...]) -> dict[str, Any]:
            return explored(document, found, problems)

        return await _in_time(server.previews.explore(document, number, asked, show))

    @server.feature(PREVIEW_TEST)
    async def preview_test(params: Any) -> dict[str, Any]:
        from kro_ls.features.previews.explored import scenario_test

        document, number, asked = _asked(server, PREVIEW_TEST, params)
        source = document.uri.rpartition("/")[2]
        name = getattr(params, "name", None) or "a scenario of the preview"

        def show(found: Preview, problems: tuple[str, ...]) -> dict[str, Any]:
            if problems:
                raise JsonRpcInvalidParams(f"{PREVIEW_TEST}: {'; '.join(problems)}")
            text = scenario_test(found, asked, source, name)
            return {"text": text, "title": f"{source.removesuffix('.yaml').removesuffix('.yml')}.test.yaml"}

        return await _in_time(server.previews.explore(document, number, asked, show))


async def _in_time(answer: Awaitable[dict[str, Any]]) -> dict[str, Any]:
    """Return the answer. Raises JsonRpcException where nobody needs it any more."""
    try:
        return await answer
    except asyncio.CancelledError:
        text = "a newer request, or an edit, took the place of this one"
        raise JsonRpcException(text, _CONTENT_MODIFIED) from None


def _asked(server: KroLanguageServer, method: str, params: Any) -> tuple[Document, int, AskedScenario]:
    from kro_ls.features.previews.scenario import AskedScenario

    uri, number = getattr(params, "uri", None), getattr(params, "definition", None) or 0
    document = server.documents.get(uri) if isinstance(uri, str) else None
    if document is None:
        raise JsonRpcInvalidParams(f"{method}: 'uri' must be that of an open document, not {uri!r}")
    # A client's JSON may have no integers.
    if not isinstance(number, int | float) or not 0 <= number < len(document.analysis.rgds):
        raise JsonRpcInvalidParams(f"{method}: '{uri}' has no definition with the number {number!r}")
    scenario = getattr(params, "scenario", None)
    instance, then, observed = (_text(method, scenario, name) for name in ("instance", "then", "observed"))
    not_ready, without = (_ids(method, scenario, name) for name in ("notReady", "without"))
    return document, int(number), AskedScenario(instance, then, observed, not_ready, without)


def _text(method: str, scenario: Any, name: str) -> str:
    value = getattr(scenario, name, None)
    if value is not None and not isinstance(value, str):
        raise JsonRpcInvalidParams(f"{method}: '{name}' must be a string with YAML")
    return value or ""


def _ids(method: str, scenario: Any, name: str) -> tuple[str, ...]:
    value = getattr(scenario, name, None) or []
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise JsonRpcInvalidParams(f"{method}: '{name}' must be a list of ids of resources")
    return tuple(value)
