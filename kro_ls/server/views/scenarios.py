"""Answers for clients that draw a preview themselves: the preview of a scenario, and a test that expects it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, TypeVar, cast

from kro_ls.server.connection.protocol import NoAnswerError, OvertakenError
from kro_ls.server.views.definitions import stuck_rows

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from kro_ls.features.previews.preview import Preview
    from kro_ls.features.previews.scenario import AskedScenario, ReadScenario
    from kro_ls.render.page_data import ExploredPreview, SavedTest
    from kro_ls.render.page_data import Preview as PagePreview
    from kro_ls.server.server import KroLanguageServer
    from kro_ls.workspace.documents import Document

T = TypeVar("T")


async def preview_answer(server: KroLanguageServer, params: object, asker: object) -> PagePreview:
    """Return the answer to `kro-ls/preview`, which `docs/editor-commands.md` describes.

    `params` has the members of the request as attributes. A newer request replaces only those of the same `asker`, a
    page or the client. Raises NoAnswerError for wrong parameters, and OvertakenError.
    """
    from kro_ls.features.previews.explored import explored

    document, number, asked = _asked(server, params)
    server.previews.explorations.follow(asker, document.uri, number, asked)

    def show(found: Preview, scenario: ReadScenario) -> ExploredPreview:
        return explored(document, found, scenario)

    answer = await _in_time(server.previews.explorations.explore(document, number, asked, show, asker))
    instances = server.previews.instances.listed(document.uri, document.analysis.rgds[number])
    uri = None if asked.instance else answer["instance"]["uri"]  # no cluster has an edited one
    stuck = await stuck_rows(server, document.uri, uri, answer["instanceValue"])
    return cast("PagePreview", {**answer, "definition": number, "instances": instances, "stuck": stuck})


async def test_answer(server: KroLanguageServer, params: object, asker: object) -> SavedTest:
    """Return the answer to `kro-ls/previewTest`. Raises as `preview_answer` does.

    A request for the content of the view does not replace it.
    """
    from kro_ls.features.previews.saved_test import UnsavableError, saved_test_file

    document, number, asked = _asked(server, params)
    name, file, text = (_text(params, each) for each in ("name", "file", "text"))

    def show(found: Preview, scenario: ReadScenario) -> SavedTest:
        try:
            return saved_test_file(document, found, scenario, name, file, text)
        except UnsavableError as error:
            raise NoAnswerError(str(error)) from error

    return await _in_time(server.previews.explorations.explore(document, number, asked, show, (asker, test_answer)))


async def _in_time(answer: Awaitable[T]) -> T:
    try:
        return await answer
    except asyncio.CancelledError:
        task = asyncio.current_task()
        if task and task.cancelling():
            raise
        raise OvertakenError from None


def _asked(server: KroLanguageServer, params: object) -> tuple[Document, int, AskedScenario]:
    from kro_ls.features.previews.scenario import AskedScenario, ScenarioTexts

    number = getattr(params, "definition", None) or 0
    document = asked_document(server, getattr(params, "uri", None), number)
    scenario = getattr(params, "scenario", None)
    not_ready, without = (_ids(scenario, name) for name in ("notReady", "without"))
    readable = ScenarioTexts(**_texts(getattr(scenario, "readable", None)))
    asked = AskedScenario(**_texts(scenario), not_ready=not_ready, without=without, readable=readable)
    return document, int(number), asked


def asked_document(server: KroLanguageServer, uri: object, number: object) -> Document:
    """Return the open document with a definition, by its 0-based place in it. Raises NoAnswerError."""
    document = server.documents.get(uri) if isinstance(uri, str) else None
    if document is None:
        raise NoAnswerError(f"'uri' must be that of an open document, not {uri!r}")
    # A client's JSON may have no integers.
    if not isinstance(number, int | float) or not 0 <= number < len(document.analysis.rgds):
        raise NoAnswerError(f"'{uri}' has no definition with the number {number!r}")
    return document


def _texts(scenario: object) -> dict[str, str]:
    return {name: _text(scenario, name) for name in ("instance", "then", "observed")}


def _text(scenario: object, name: str) -> str:
    value = getattr(scenario, name, None)
    if value is not None and not isinstance(value, str):
        raise NoAnswerError(f"'{name}' must be a string")
    return value or ""


def _ids(scenario: object, name: str) -> tuple[str, ...]:
    value = getattr(scenario, name, None) or []
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise NoAnswerError(f"'{name}' must be a list of ids of resources")
    return tuple(value)
