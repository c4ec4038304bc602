"""Registers features so that one that fails answers empty, is logged, and the server lives on."""

from __future__ import annotations

import logging
from inspect import iscoroutinefunction
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast

from pygls.exceptions import JsonRpcException

from kro_ls.server.worker import apart

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from lsprotocol import types

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
    answer: Callable[[Params], Result | Awaitable[Result]],
    *,
    empty: Callable[[Params], Result],
    options: object = None,
) -> None:
    """Have a method's requests answered, by `empty` where `answer` fails.

    `answer` may be a coroutine function. A JSON-RPC error that it raises is for the client to see.
    """

    def failed(params: Params) -> Result:
        logger.exception("%s failed, with %s", method, params)
        return empty(params)

    def now(params: Params) -> Any:
        try:
            return answer(params)
        except JsonRpcException:
            raise
        except Exception:
            return failed(params)

    async def later(params: Params) -> Any:
        try:
            return await cast("Awaitable[Result]", answer(params))
        except JsonRpcException:
            raise
        except Exception:
            return failed(params)

    server.feature(method, options)(later if iscoroutinefunction(answer) else now)


def register_for_documents(
    server: KroLanguageServer,
    method: str,
    answer: Callable[[Document, DocumentParams], object],
    options: object = None,
    *,
    looks_into_files: bool = False,
) -> None:
    """Have a method's requests about documents answered; what is not open, or fails, is answered with null.

    What `looks_into_files` that are not open may find large ones there, or many, and is worked out in a thread.
    """

    async def answered(params: DocumentParams) -> object:
        document = server.documents.get(params.text_document.uri)
        if document is None:
            return None
        if not iscoroutinefunction(answer):
            is_slow = server.slow_documents.is_slow(document)
            if not is_slow and not (looks_into_files and server.all_documents.may_be_on_disk):
                return answer(document, params)
            written = server.protocol.written  # the answer may be long
            if is_slow:
                return await server.slow_documents.worked_out(document, lambda each: written(answer(each, params)))
            result = await apart(method, lambda: written(answer(document, params)))
            server.slow_documents.current(document)  # or it was overtaken
            return result
        await server.slow_documents.analysed(document.uri)
        found: object = await answer(server.documents[document.uri], params)
        return found

    def nothing(_params: DocumentParams) -> object:
        return None

    register(server, method, answered, empty=nothing, options=options)
