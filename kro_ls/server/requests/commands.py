"""The commands that any client can run with `workspace/executeCommand`; `docs/editor-commands.md` describes them.

Each takes one object. Faults in it are answered with an error that says what to do.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import TYPE_CHECKING, TypeAlias, TypedDict

from lsprotocol import types

from kro_ls.server.connection.protocol import NoAnswerError
from kro_ls.server.delays import SHOW_SECONDS
from kro_ls.server.request import (
    Command,
    definition_number,
    flag_of,
    needed_text_of,
    refuse_others,
    text_of,
    whole_number_of,
)
from kro_ls.server.views.definitions import definition_of, document_at

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from kro_ls.server.connection.loopback import Page
    from kro_ls.server.server import KroLanguageServer
    from kro_ls.server.views.virtual_documents import InstanceAnswer, TextAnswer, View

    Answer: TypeAlias = "TextAnswer | InstanceAnswer | ValuesAnswer | PageAnswer | None"
    Run: TypeAlias = Callable[[KroLanguageServer, Mapping[str, object]], Awaitable[Answer]]

logger = logging.getLogger(__name__)


class ValuesAnswer(TypedDict):
    """Whether inlay hints show values now."""

    values: bool


class PageAnswer(TypedDict):
    """The URL that opens a page once."""

    url: str


_OF_PREVIEWS = ("resource", "instance", "item")
"""The arguments that only previews have."""


def _view(name: str) -> Run:
    """Return the command that returns a text, and shows it if the client can show virtual documents."""

    async def run(server: KroLanguageServer, arguments: Mapping[str, object]) -> TextAnswer:
        from kro_ls.features.previews.views import FORMATS
        from kro_ls.server.views.virtual_documents import View

        refuse_others(arguments, ("uri", "definition", "format", *(_OF_PREVIEWS if name == "preview" else ())))
        formats = FORMATS[name]
        chosen = text_of(arguments, "format") or formats[0]
        if chosen not in formats:
            raise NoAnswerError(f"'format' must be one of {', '.join(formats)}, not {chosen!r}")
        uri, number = needed_text_of(arguments, "uri"), definition_number(arguments)
        if name == "preview":
            uri, number = await _previewed(server, arguments)
        view = View(name, uri, number, chosen, text_of(arguments, "resource"))
        return await _shown(server, view)

    return run


async def _shown(server: KroLanguageServer, view: View) -> TextAnswer:
    """Return the text of a view, and show it if the client can show virtual documents."""
    from kro_ls.server.views.virtual_documents import render

    rendered = await render(server, view)
    if server.client_takes_content and server.client_shows_documents:
        server.window_show_document(types.ShowDocumentParams(view.virtual_uri, take_focus=True))
    return rendered


async def _why(server: KroLanguageServer, arguments: Mapping[str, object]) -> TextAnswer:
    from kro_ls.server.views.definitions import NOT_READY
    from kro_ls.server.views.virtual_documents import View

    refuse_others(arguments, ("uri", "item"))
    item = whole_number_of(arguments, "item") if "item" in arguments else NOT_READY
    return await _shown(server, View("why", needed_text_of(arguments, "uri"), item, "markdown"))


async def _choose_instance(server: KroLanguageServer, arguments: Mapping[str, object]) -> InstanceAnswer:
    from kro_ls.workspace.instances import instances_in

    refuse_others(arguments, ("uri", "definition", "instance", "item"))
    uri, number, wanted = needed_text_of(arguments, "uri"), definition_number(arguments), text_of(arguments, "instance")
    document = await document_at(server, uri)
    rgds = document.analysis.rgds if document else ()
    if number >= len(rgds):
        raise NoAnswerError(f"'{uri}' is not open in the editor, or has no definition with the number {number}")
    if wanted is not None:
        text = await server.previews.instances.text_of(wanted)
        if text is None:
            # Do not reveal whether there is such a file elsewhere.
            raise NoAnswerError(f"'{wanted}' is neither open nor a file in a folder of the workspace that can be read")
        if next(instances_in(text, rgds[number]), None) is None:
            raise NoAnswerError(f"'{wanted}' holds no instance of the kind that the definition declares")
    server.previews.instances.choose(uri, number, wanted, whole_number_of(arguments, "item"))
    server.graphs.changed(uri)
    found = server.previews.instances.of(uri, number, rgds[number])
    return {"uri": found.uri, "label": found.label}


async def _previewed(server: KroLanguageServer, arguments: Mapping[str, object]) -> tuple[str, int]:
    """Return the definition that a preview is about, after choosing the named instance for it.

    A document with an instance and no definition names both.
    """
    uri, number = needed_text_of(arguments, "uri"), definition_number(arguments)
    instance, item = arguments.get("instance"), arguments.get("item", 0)
    document = await server.slow_documents.newest(uri)
    if document is not None and not document.analysis.rgds and instance is None:
        found = await definition_of(server, document, 0)
        if found is not None:
            instance, (uri, number) = uri, found
    if instance is not None:
        await _choose_instance(server, {"uri": uri, "definition": number, "instance": instance, "item": item})
    return uri, number


async def _toggle_values(server: KroLanguageServer, arguments: Mapping[str, object]) -> ValuesAnswer:
    refuse_others(arguments, ())
    return {"values": server.settings.toggle_values()}


async def _open_graph(server: KroLanguageServer, arguments: Mapping[str, object]) -> PageAnswer:
    from kro_ls.server.previews.graphs import AskedGraph
    from kro_ls.server.views.pages import graph_page

    uri, number = _place(arguments)
    await server.graphs.answer(AskedGraph(uri, number))
    return await _open_page(server, lambda: graph_page(server, uri, number), show=flag_of(arguments, "show"))


async def _open_preview(server: KroLanguageServer, arguments: Mapping[str, object]) -> PageAnswer:
    from kro_ls.server.views.pages import preview_page

    refuse_others(arguments, ("uri", "definition", "instance", "item", "show"))
    uri, number = await _previewed(server, arguments)
    document = server.documents.get(uri)
    if document is None or number >= len(document.analysis.rgds):
        raise NoAnswerError(f"'{uri}' is not open in the editor, or has no definition with the number {number}")
    return await _open_page(server, lambda: preview_page(server, uri, number), show=flag_of(arguments, "show"))


async def _open_page(server: KroLanguageServer, make: Callable[[], Page], *, show: bool) -> PageAnswer:
    """Serve a page and open it in the browser through a client that can do that, with `show` through any other."""
    from kro_ls.render.pictures import ViewsNotBuiltError

    try:
        url = await server.pages.add(make())
    except ViewsNotBuiltError as error:
        raise NoAnswerError(str(error)) from error
    if server.client_shows_documents:
        server.window_show_document(types.ShowDocumentParams(url, external=True))
    elif show:
        await _show_page(server, url)
    return {"url": url}


async def _show_page(server: KroLanguageServer, url: str) -> None:
    """Try to open a page through a client that may not support that, and show the address if it does not."""
    from pygls.exceptions import JsonRpcException

    asked = server.window_show_document_async(types.ShowDocumentParams(url, external=True))
    with suppress(JsonRpcException, TimeoutError):
        server.client_shows_documents = (await asyncio.wait_for(asked, SHOW_SECONDS)).success
    if not server.client_shows_documents:
        server.window_show_message(types.ShowMessageParams(types.MessageType.Info, f"Open once in a browser: {url}"))


async def _cursor_moved(server: KroLanguageServer, arguments: Mapping[str, object]) -> None:
    refuse_others(arguments, ("uri", "line", "character"))
    line, character = (whole_number_of(arguments, name) for name in ("line", "character"))
    server.graphs.cursor_moved(needed_text_of(arguments, "uri"), {"line": line, "character": character})


def _place(arguments: Mapping[str, object]) -> tuple[str, int]:
    """Return the URI and the number of the definition, and refuse other arguments."""
    refuse_others(arguments, ("uri", "definition", "show"))
    return needed_text_of(arguments, "uri"), definition_number(arguments)


REGISTERED = (
    Command("kro.preview", _view("preview")),
    Command("kro.graph", _view("graph")),
    Command("kro.crd", _view("crd")),
    Command("kro.instance", _view("instance")),
    Command("kro.why", _why),
    Command("kro.chooseInstance", _choose_instance),
    Command("kro.toggleValues", _toggle_values),
    Command("kro.openGraph", _open_graph),
    Command("kro.openPreview", _open_preview),
    Command("kro.selectInGraph", _cursor_moved),
)
