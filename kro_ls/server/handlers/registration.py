"""Registers features so that one that fails answers empty, is logged, and the server lives on."""

from __future__ import annotations

import logging
from inspect import iscoroutine, iscoroutinefunction
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast

from pygls.exceptions import JsonRpcException

from kro_ls.server.worker import apart

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine

    from lsprotocol import types
    from msgspec import Raw

    from kro_ls.server.server import KroLanguageServer
    from kro_ls.workspace.documents import Document

logger = logging.getLogger(__name__)

Params = TypeVar("Params")
Result = TypeVar("Result")


class _WithDocument(Protocol):
    @property
    def text_document(self) -> types.TextDocumentIdentifier: ...


DocumentParams = TypeVar("DocumentParams", bound=_WithDocument)


def register(
    server: KroLanguageServer,
    method: str,
    answer: Callable[[Params], Result | Coroutine[Any, Any, Result]],
    *,
    empty: Callable[[Params], Result],
    options: object = None,
) -> None:
    """Have a method's requests answered, by `empty` where `answer` fails.

    `answer` may return a coroutine. A JSON-RPC error that it raises is for the client to see.
    """

    def failed(params: Params) -> Result:
        logger.exception("%s failed, with %s", method, params)
        return empty(params)

    def answered(params: Params) -> Result | Coroutine[Any, Any, Result]:
        try:
            found = answer(params)
        except JsonRpcException:
            raise
        except Exception:
            return failed(params)
        return later(found, params) if iscoroutine(found) else found

    async def later(found: Coroutine[Any, Any, Result], params: Params) -> Result:
        try:
            return await found
        except JsonRpcException:
            raise
        except Exception:
            return failed(params)

    server.feature(method, options)(answered)


def register_for_documents(
    server: KroLanguageServer,
    method: str,
    answer: Callable[[Document, DocumentParams], object],
    options: object = None,
    *,
    about_all: bool = False,
    looks_into_files: bool = False,
) -> None:
    """Have a method's requests about documents answered; what is not open, or fails, is answered with null.

    They are `about_all` of a document, or about a place in it. What `looks_into_files` that are not open may find large
    ones there, or many, and is worked out in a thread.
    """
    waits = iscoroutinefunction(answer)

    def answered(params: DocumentParams) -> object:
        document = server.documents.get(params.text_document.uri)
        if document is None:
            return None
        if waits:
            return analysed(document, params)
        if server.slow_documents.is_slow(document, about_all=about_all):
            return server.slow_documents.worked_out(document, lambda each: written(each, params), about_all=about_all)
        if looks_into_files and server.all_documents.may_be_on_disk:
            return apart_from_loop(document, params)
        return answer(document, params)

    def written(document: Document, params: DocumentParams) -> Raw:
        """Return the JSON of an answer, which may be long, so that a thread makes it."""
        return server.protocol.written(answer(document, params))

    async def analysed(document: Document, params: DocumentParams) -> object:
        current = await server.slow_documents.analysed(document)
        found: object = await cast("Awaitable[object]", answer(current, params))
        return found

    async def apart_from_loop(document: Document, params: DocumentParams) -> object:
        result = await apart(method, lambda: written(document, params))
        server.slow_documents.current(document)  # or it was overtaken
        return result

    def nothing(_params: DocumentParams) -> object:
        return None

    register(server, method, answered, empty=nothing, options=options)
