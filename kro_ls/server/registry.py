"""Registers what clients ask and tell. Where a request is worked on and what becomes of a failure stands here alone.

A feature that fails answers empty, is logged, and the server lives on.
"""

from __future__ import annotations

import logging
from inspect import iscoroutine
from typing import TYPE_CHECKING, Any

from pygls.exceptions import JsonRpcException, JsonRpcInternalError, JsonRpcInvalidParams

from kro_ls.server.background import in_thread
from kro_ls.server.connection.no_answer import NoAnswerError
from kro_ls.server.request import Asked, Command, DocumentRequest, Mode, Notification, Request

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from msgspec import Raw

    from kro_ls.server.request import Later, Registered
    from kro_ls.server.server import KroLanguageServer
    from kro_ls.workspace.documents import Document

logger = logging.getLogger(__name__)


def register(server: KroLanguageServer, each: Registered) -> None:
    """Have a server answer, take or run something."""
    match each:
        case DocumentRequest():
            found = _contained(each.method, lambda params: _of_document(server, each, params), lambda _: None)
            server.feature(each.method, each.options)(found)
        case Request():
            found = _contained(each.method, lambda params: _answer(server, each, params), each.empty)
            server.feature(each.method, each.options)(found)
        case Notification():
            _register_notification(server, each)
        case Command():
            _register_command(server, each)


def _contained(
    method: str, answer: Callable[[Any], object], empty: Callable[[Any], object] | None
) -> Callable[[Any], object]:
    """Return a handler that lets nothing but errors for the client to see pass."""

    def failed(params: object, error: Exception) -> object:
        if isinstance(error, NoAnswerError):
            raise JsonRpcInvalidParams(f"{method}: {error}") from error
        if isinstance(error, JsonRpcException):
            raise error
        logger.error("%s failed, with %s", method, params, exc_info=error)
        if empty is None:
            raise JsonRpcInternalError(f"{method} failed; the server's log says why") from error
        return empty(params)

    def answered(params: Any) -> object:
        try:
            found = answer(params)
        except Exception as error:
            return failed(params, error)
        return later(found, params) if iscoroutine(found) else found

    async def later(found: Later, params: Any) -> object:
        try:
            return await found
        except Exception as error:
            return failed(params, error)

    return answered


def _answer(server: KroLanguageServer, request: Request, params: Any) -> object:
    if request.mode is Mode.ACROSS_FILES:
        return _awaited(in_thread(request.method, lambda: request.answer(server, params)))
    return request.answer(server, params)


def _of_document(server: KroLanguageServer, request: DocumentRequest, params: Any) -> object:
    """Answer a request about a document where its mode says; null where that is not open."""
    document = server.documents.get(params.text_document.uri)
    if document is None:
        return None
    if request.mode is Mode.IN_STEPS:
        return _in_steps(server, request, document, params)
    slow, is_about_all = server.slow_documents, request.mode is Mode.BACKGROUND

    def written(current: Document) -> Raw:
        """Return the JSON of an answer, which may be long, so that a thread makes it."""
        return server.protocol.written(request.answer(Asked(server, server.open_documents.snapshot(current), params)))

    if slow.is_slow(document, about_all=is_about_all):
        return slow.worked_out(document, written, about_all=is_about_all)
    asked = Asked(server, server.open_documents.snapshot(document), params)
    if request.mode is Mode.ACROSS_FILES and asked.snapshot.others.may_be_on_disk:
        return _across_files(server, request.method, document, written)
    return request.answer(asked)


async def _in_steps(server: KroLanguageServer, request: DocumentRequest, document: Document, params: Any) -> object:
    current = await server.slow_documents.analysed(document)
    found: Any = request.answer(Asked(server, server.open_documents.snapshot(current), params))
    return await found


async def _across_files(
    server: KroLanguageServer, method: str, document: Document, written: Callable[[Document], Raw]
) -> object:
    result = await in_thread(method, lambda: written(document))
    server.slow_documents.current(document)  # or it was overtaken
    return result


async def _awaited(found: Any) -> object:
    return await found


def _register_notification(server: KroLanguageServer, each: Notification) -> None:
    @server.feature(each.method, each.options)
    def take(params: Any) -> object:
        return each.take(server, params)


def _register_command(server: KroLanguageServer, each: Command) -> None:
    async def run(arguments: Sequence[object]) -> object:
        given = _only_object(arguments)
        await server.slow_documents.newest(given.get("uri"))
        return await each.run(server, given)

    contained: Any = _contained(each.name, run, None)

    @server.command(each.name)
    async def command(*arguments: Any) -> object:  # pygls reads the annotations
        return await contained(arguments)


def _only_object(arguments: Sequence[object]) -> Mapping[str, object]:
    if not arguments:
        return {}
    if len(arguments) > 1 or not isinstance(arguments[0], dict):
        raise NoAnswerError("takes one argument, an object")
    return arguments[0]
