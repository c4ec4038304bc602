"""Our own requests, for clients that draw previews and graphs themselves, or list definitions and tests.

`docs/editor-commands.md` describes them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from kro_ls.server.connection.protocol import NoAnswerError
from kro_ls.server.request import Mode, Notification, Request

if TYPE_CHECKING:
    from kro_ls.render.page_data import Graph, PlacedTest, Preview, SavedTest, TextDefinition
    from kro_ls.server.server import KroLanguageServer


async def _preview(server: KroLanguageServer, params: Any) -> Preview:
    from kro_ls.server.views.scenarios import preview_answer

    await server.slow_documents.newest(getattr(params, "uri", None))
    return await preview_answer(server, params, server)


async def _preview_test(server: KroLanguageServer, params: Any) -> SavedTest:
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


async def _graph(server: KroLanguageServer, params: Any) -> Graph:
    from kro_ls.server.previews.graphs import AskedGraph

    uri, number = getattr(params, "uri", None), getattr(params, "definition", 0)
    if not isinstance(uri, str) or not isinstance(number, int | float):
        raise NoAnswerError("'uri' must be a string, 'definition' a number")
    wanted = [getattr(params, name, False) is True for name in ("fields", "instance", "comparison")]
    await server.slow_documents.newest(uri)
    return await server.graphs.answer(AskedGraph(uri, int(number), *wanted))


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


_ASKED: Final = "kro-asked:/asked.test.yaml"
"""The URI of the text that a client sends, which is in no file."""


def _tests(server: KroLanguageServer, params: Any) -> list[PlacedTest]:
    from kro_ls.features.previews.refused import client_range
    from kro_ls.workspace.documents import Document
    from kro_ls.workspace.test_files import placed_tests
    from kro_ls.yaml_positions.text import Text

    text = getattr(params, "text", None)
    if not isinstance(text, str):
        raise NoAnswerError("'text' must be the text of a test file")
    document = Document(_ASKED, None, Text(text), server.encoding)
    return [{"name": name, "range": client_range(document, span)} for name, span in placed_tests(document.text)]


REGISTERED = (
    Request("kro-ls/graph", Mode.IN_STEPS, _graph),
    Request("kro-ls/preview", Mode.IN_STEPS, _preview),
    Request("kro-ls/previewTest", Mode.IN_STEPS, _preview_test),
    Request("kro-ls/previewAssistance", Mode.IN_STEPS, _assistance),
    Notification("kro-ls/previewClosed", _closed),
    Request("kro-ls/definitions", Mode.IN_STEPS, _definitions),
    Request("kro-ls/tests", Mode.ACROSS_FILES, _tests),
)
