"""Registers features so that one that fails answers empty, is logged, and the server lives on."""

from __future__ import annotations

import inspect
import logging
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from pygls.exceptions import JsonRpcException

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
    """Have a method's requests answered, by `empty` where `answer` fails; an error for the client (JsonRpc) is sent."""

    def failed(params: Params) -> Result:
        logger.exception("%s failed, with %s", method, params)
        return empty(params)

    if inspect.iscoroutinefunction(answer):

        async def contained_later(params: Params) -> Any:
            try:
                return await answer(params)
            except JsonRpcException:
                raise
            except Exception:
                return failed(params)

        server.feature(method, options)(contained_later)
    else:

        def contained(params: Params) -> Any:
            try:
                return answer(params)
            except JsonRpcException:
                raise
            except Exception:
                return failed(params)

        server.feature(method, options)(contained)


def register_for_documents(
    server: KroLanguageServer,
    method: str,
    answer: Callable[[Document, DocumentParams], object],
    options: object = None,
) -> None:
    """Have a method's requests about documents answered; what is not open, or fails, is answered with null.

    `answer` may be a coroutine function.
    """

    def empty(_params: DocumentParams) -> object:
        return None

    if inspect.iscoroutinefunction(answer):

        async def answer_later(params: DocumentParams) -> Any:
            document = server.documents.get(params.text_document.uri)
            return await answer(document, params) if document else None

        register(server, method, answer_later, empty=empty, options=options)
    else:

        def answer_now(params: DocumentParams) -> Any:
            document = server.documents.get(params.text_document.uri)
            return answer(document, params) if document else None

        register(server, method, answer_now, empty=empty, options=options)
