"""Requests, notifications and commands as data, where each is worked on, and how its failures are contained.

A feature that fails gives an empty answer and is logged, and the server lives on.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from enum import Enum
from functools import partial
from inspect import iscoroutine
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from msgspec import Struct
from pygls.exceptions import JsonRpcException, JsonRpcInternalError, JsonRpcInvalidParams

from kro_ls.server.background import in_thread
from kro_ls.server.connection.protocol import NoAnswerError

if TYPE_CHECKING:
    from lsprotocol import types
    from msgspec import Raw

    from kro_ls.cursor.cursor import Cursor
    from kro_ls.server.server import KroLanguageServer
    from kro_ls.workspace.documents import Document
    from kro_ls.workspace.snapshot import Snapshot

Params = TypeVar("Params")

Later: TypeAlias = Coroutine[Any, Any, object]

logger = logging.getLogger(__name__)


class Mode(Enum):
    """Where a request is worked on. Requests about a slow document go to that document's thread in any case."""

    QUICK = "quick"
    """About a place: at once, in the event loop."""
    BACKGROUND = "background"
    """About a whole document, which editors request after each edit: in its thread unless the text is short."""
    ACROSS_FILES = "across files"
    """Reads files that are not open, which may be large or many: in a thread of its own."""
    IN_STEPS = "in steps"
    """A coroutine, which waits for something or chooses a thread for each of its steps."""


class Asked(Struct, Generic[Params], frozen=True):
    """A request about an open document: its parameters, and the snapshot to answer it from."""

    server: KroLanguageServer
    snapshot: Snapshot
    params: Params

    @property
    def document(self) -> Document:
        """The document."""
        return self.snapshot.document

    def cursor(self, position: types.Position) -> Cursor:
        """Return a place in the document."""
        from kro_ls.features.convert import to_cursor

        return to_cursor(self.snapshot, position)


class DocumentRequest(Struct, frozen=True):
    """A request about an open document. The answer is null where the document is not open, or answering fails.

    `answer` is a coroutine function where the mode is IN_STEPS.
    """

    method: str
    mode: Mode
    answer: Callable[[Asked[Any]], object]
    options: object = None


class Request(Struct, frozen=True):
    """Any other request.

    `empty` gives the answer where `answer` fails. Without it the client, which knows our own methods, gets an error.
    """

    method: str
    mode: Mode
    answer: Callable[[KroLanguageServer, Any], object]
    empty: Callable[[Any], object] | None = None
    options: object = None


class Notification(Struct, frozen=True):
    """A notification."""

    method: str
    take: Callable[[KroLanguageServer, Any], object]
    options: object = None


class Command(Struct, frozen=True):
    """A command of `workspace/executeCommand`, which takes one object."""

    name: str
    run: Callable[[KroLanguageServer, Mapping[str, object]], Awaitable[object]]


Registered: TypeAlias = DocumentRequest | Request | Notification | Command


def register(server: KroLanguageServer, each: Registered) -> None:
    """Register a request, notification or command with a server."""
    match each:
        case DocumentRequest():
            handler = _contained(each.method, partial(_answer_about_document, server, each), lambda _: None)
            server.feature(each.method, each.options)(handler)
        case Request():
            handler = _contained(each.method, partial(_answer, server, each), each.empty)
            server.feature(each.method, each.options)(handler)
        case Notification():
            server.feature(each.method, each.options)(partial(each.take, server))
        case Command():
            _register_command(server, each)


def _contained(
    method: str, answer: Callable[[Any], object], empty: Callable[[Any], object] | None
) -> Callable[[Any], object]:
    """Return a handler that raises nothing but errors meant for the client."""

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


def _answer_about_document(server: KroLanguageServer, request: DocumentRequest, params: Any) -> object:
    """Answer a request about a document where its mode says; null where that is not open."""
    document = server.documents.get(params.text_document.uri)
    if document is None:
        return None
    if request.mode is Mode.IN_STEPS:
        return _in_steps(server, request, document, params)
    is_about_all = request.mode is Mode.BACKGROUND

    def written(current: Document) -> Raw:
        """Return an answer as JSON: encoding a long one belongs in the thread, too."""
        return server.protocol.written(request.answer(Asked(server, server.open_documents.snapshot(current), params)))

    if document.is_slow(about_all=is_about_all):
        return server.slow_documents.worked_out(document, written, about_all=is_about_all)
    asked = Asked(server, server.open_documents.snapshot(document), params)
    if request.mode is Mode.ACROSS_FILES and asked.snapshot.others.may_be_on_disk:
        return _across_files(server, request.method, document, written)
    return request.answer(asked)


async def _in_steps(server: KroLanguageServer, request: DocumentRequest, document: Document, params: Any) -> object:
    if document.is_slow():
        document = await server.slow_documents.analysed(document)
    found: Any = request.answer(Asked(server, server.open_documents.snapshot(document), params))
    return await found


async def _across_files(
    server: KroLanguageServer, method: str, document: Document, written: Callable[[Document], Raw]
) -> object:
    result = await in_thread(method, lambda: written(document))
    server.slow_documents.current(document)  # raises if it was overtaken
    return result


async def _awaited(found: Any) -> object:
    return await found


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


def refuse_others(arguments: Mapping[str, object], known: Sequence[str]) -> None:
    """Refuse arguments that a command does not have. Raises NoAnswerError, as the functions below do."""
    for name in arguments:
        if name not in known:
            raise NoAnswerError(f"there is no argument {name!r}; there are: {', '.join(known) or 'none'}")


def text_of(arguments: Mapping[str, object], name: str) -> str | None:
    """Return a string argument, None where it is missing."""
    value = arguments.get(name)
    if value is None or isinstance(value, str):
        return value
    raise NoAnswerError(f"'{name}' must be a string, not {value!r}")


def flag_of(arguments: Mapping[str, object], name: str) -> bool:
    """Return a Boolean argument, false where it is missing."""
    value = arguments.get(name, False)
    if isinstance(value, bool):
        return value
    raise NoAnswerError(f"'{name}' must be true or false, not {value!r}")


def needed_text_of(arguments: Mapping[str, object], name: str) -> str:
    """Return a required string argument."""
    value = text_of(arguments, name)
    if value is None:
        raise NoAnswerError(f"'{name}' is missing")
    return value


def definition_number(arguments: Mapping[str, object]) -> int:
    """Return the 0-based number of the definition in its document."""
    return whole_number_of(arguments, "definition")


def whole_number_of(arguments: Mapping[str, object], name: str) -> int:
    """Return a number from 0, which is 0 where it is missing."""
    value = arguments.get(name, 0)
    # A client's JSON may have no integers (Lua, older ones): 0.0 is as good.
    if isinstance(value, int | float) and not isinstance(value, bool) and value >= 0 and float(value).is_integer():
        return int(value)
    what = "number of a definition in the document" if name == "definition" else name
    raise NoAnswerError(f"'{name}' must be the 0-based {what}, not {value!r}")
