"""The protocol as kro-ls speaks it: our own documents, the order of messages of the specification, and our errors.

pygls' documents split lines where LSP does not and take time in proportion to the file, so the synchronisation messages
bypass them, and whatever pygls stores of a message, on their way to `KroLanguageServer.documents`.
"""

from __future__ import annotations

import asyncio
import json
import logging
from contextvars import copy_context
from inspect import iscoroutine
from typing import TYPE_CHECKING, Any

import msgspec
from lsprotocol import types
from msgspec import Raw, Struct
from pygls.exceptions import (
    JsonRpcContentModified,
    JsonRpcException,
    JsonRpcInvalidParams,
    JsonRpcInvalidRequest,
    JsonRpcServerNotInitialized,
)
from pygls.protocol import LanguageServerProtocol, lsp_method
from pygls.protocol.json_rpc import JsonRPCNotification

from kro_ls.features.lsp_types import DidChange

logger = logging.getLogger(__name__)

_LONG = 1024**2
_PARSE_ERROR = -32700
_INVALID_REQUEST = -32600
_TOO_LARGE = "the message is too large"
_SYNCHRONISATION = frozenset(
    {types.TEXT_DOCUMENT_DID_OPEN, types.TEXT_DOCUMENT_DID_CHANGE, types.TEXT_DOCUMENT_DID_CLOSE}
)

SCHEME = "kro-preview"
"""The scheme of the URIs of virtual documents."""

PRIVATE_PARTS = {
    "_execute_handler": "A handler may return a coroutine; one that need not wait answers at once.",
    "_handle_notification": "Documents are ours; messages before `initialize` or after `shutdown` are dropped.",
    "_handle_request": "Requests before `initialize`, and a second `initialize`, get LSP's errors.",
    "_request_futures": "A request can cancel such a coroutine, too.",
    "_result_types": "An answer that bypasses pygls leaves nothing behind in it.",
    "_send_response": "Answers are encoded in a fraction of the time, those that are JSON already not at all.",
    "_shutdown": "A request after `shutdown` is refused, and the exit status depends on it.",
    "_workspace": "Says whether `initialize` was received; before that the property raises an error.",
}
"""The private parts of pygls that are used, and why (see `tests/server/connection/test_pygls.py`)."""

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Mapping

    from pygls.io_ import AsyncWriter, Writer
    from pygls.lsp.server import LanguageServer
    from pygls.protocol.json_rpc import MsgId, RPCMessage

    Handler = Callable[..., Any]


class KroProtocol(LanguageServerProtocol):
    """LSP with our own document synchronisation."""

    is_settled = False
    """Whether the last message was an edit that started nothing for which the next message must wait."""

    def __init__(self, server: LanguageServer, converter: Any) -> None:
        super().__init__(server, converter)
        self._written_with = converter
        self._has_headers = True

    def set_writer(self, writer: AsyncWriter | Writer, include_headers: bool = True) -> None:  # pygls' signature
        """Send messages with a writer, with headers where these are needed to separate messages."""
        super().set_writer(writer, include_headers)
        self._has_headers = include_headers

    @property
    def was_shut_down(self) -> bool:
        """Whether the client has sent `shutdown`, so that `exit` is a success."""
        return self._shutdown

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(self, params: types.InitializeParams) -> Generator[Any, Any, types.InitializeResult]:
        """Answer with the server's capabilities, to which pygls does not add virtual documents."""
        result = yield from super().lsp_initialize(params)
        workspace = params.capabilities.workspace
        if workspace and workspace.text_document_content and result.capabilities.workspace:
            options = types.TextDocumentContentOptions(schemes=[SCHEME])
            result.capabilities.workspace.text_document_content = options
        return result

    @lsp_method(types.SHUTDOWN)
    def lsp_shutdown(self, *args: Any) -> Generator[Any, Any, None]:
        """Cancel running requests; pygls would do so while it iterates over the collection that this changes."""
        for msg_id, future in list(self._request_futures.items()):
            if msg_id != self.msg_id and not future.done():
                future.cancel()
        yield from super().lsp_shutdown(*args)

    def receive(self, body: bytes | bytearray | None) -> None:
        """Handle the body of a message, None for one that was too large.

        Anything else is answered as JSON-RPC demands (https://www.jsonrpc.org/specification#error_object).
        """
        self.is_settled = False
        if body is None:
            self._refuse(_INVALID_REQUEST, _TOO_LARGE)
            return
        try:
            content = _decoded(body)
        except (ValueError, RecursionError) as error:
            reason = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
            self._refuse(_PARSE_ERROR, f"the message is not JSON: {reason}")
            return
        except MemoryError:
            self._refuse(_INVALID_REQUEST, _TOO_LARGE)
            return
        if not isinstance(content, dict) or "jsonrpc" not in content:
            self._refuse(_INVALID_REQUEST, "the message is not a JSON-RPC object; there are no batches in LSP")
            return
        if not isinstance(content.get("method", ""), str):
            self._refuse(_INVALID_REQUEST, "the method of the message is not a text")
            return
        if isinstance(content.get("id"), (dict, list)):
            self._refuse(_INVALID_REQUEST, "the id of the message is neither a number nor a text")
            return
        try:
            self.handle_message(self.structure_message(content))
        except JsonRpcException as error:
            logger.warning("could not read a message: %s", error)
        except Exception:
            logger.exception("could not handle a message")

    def _refuse(self, code: int, text: str) -> None:
        logger.warning("%.300s", text)
        error = self.written({"code": code, "message": text})
        self._send_written({"jsonrpc": self.VERSION, "id": None}, "error", error)

    def _send_response(self, msg_id: MsgId, result: Any = None, error: types.ResponseError | None = None) -> None:
        """Send an answer without the overhead of pygls."""
        if error is not None:
            super()._send_response(msg_id, result, error)
            return
        self._result_types.pop(msg_id, None)
        written = result if isinstance(result, Raw) else self.written(result)
        self._send_written({"jsonrpc": self.VERSION, "id": msg_id}, "result", written)

    def notify_written(self, method: str, parameters: Raw) -> None:
        """Send a notification whose parameters are JSON."""
        self._send_written({"jsonrpc": self.VERSION, "method": method}, "params", parameters)

    def _send_written(self, message: dict[str, object], name: str, value: Raw) -> None:
        """Send a message with one more member, which is JSON and is not copied if it is long."""
        start = b'%s,"%s":' % (msgspec.json.encode(message)[:-1], name.encode())
        pieces: list[bytes | memoryview] = [start, memoryview(value), b"}"]
        if logger.isEnabledFor(logging.DEBUG):
            logger.debug("sending %s", b"".join(pieces))
        if self.writer is None:
            return
        length = sum(map(len, pieces))
        if self._has_headers:
            pieces.insert(0, b"Content-Length: %d\r\n\r\n" % length)
        if not self._has_headers or length < _LONG:
            pieces = [b"".join(pieces)]
        for piece in pieces:
            self.writer.write(piece)  # type: ignore[arg-type] # pygls' protocol names bytes alone

    def written(self, value: object) -> Raw:
        """Return the JSON of parameters or of a result; a thread can do this for long ones."""
        plain = value if _is_ours(value) else self._written_with.unstructure(value)
        try:
            return Raw(msgspec.json.encode(plain))
        except UnicodeEncodeError:  # of a lone surrogate
            return Raw(json.dumps(msgspec.to_builtins(plain)).encode())

    def structure_message(self, data: dict[str, Any]) -> Any:
        """Read a message; a request whose parameters make no sense is answered, which pygls does not do."""
        try:
            if data.get("method") == types.TEXT_DOCUMENT_DID_CHANGE:
                changed = read_did_change(data.get("params"))
                return JsonRPCNotification(types.TEXT_DOCUMENT_DID_CHANGE, data["jsonrpc"], changed)
            return super().structure_message(data)
        except JsonRpcException as error:
            if "id" in data and "method" in data:
                self._send_response(data["id"], None, error.to_response_error())
            raise

    def rehearse(self, read: Mapping[str, object], written: Iterable[object]) -> None:
        """Read and write some messages for nothing: what turns a type into JSON and back is made at its first use.

        `read` are parameters by method, `written` are answers.
        """
        for method, parameters in read.items():
            super().structure_message({"jsonrpc": "2.0", "id": 0, "method": method, "params": parameters})
        for answer in written:
            self.written(answer)

    def handle_message(self, message: RPCMessage) -> None:
        """Handle a message; refuse requests after `shutdown`.

        pygls would not answer these, and reads all attributes of a message to classify it.
        """
        method, parameters = getattr(message, "method", None), getattr(message, "params", None)
        if method is None or message.jsonrpc != self.VERSION:
            super().handle_message(message)
        elif not hasattr(message, "id"):
            copy_context().run(self._handle_notification, method, parameters)
        elif self._shutdown:
            error = JsonRpcInvalidRequest(f"The server is shutting down; only 'exit' may follow, not '{method}'.")
            self._send_response(message.id, None, error.to_response_error())
        else:
            copy_context().run(self._handle_request, message.id, method, parameters)

    def _execute_handler(
        self,
        msg_id: MsgId,
        handler: Handler,
        callback: Callable[[Any], None],
        args: tuple[Any, ...] | None = None,
        kwargs: dict[str, Any] | None = None,
    ) -> None:
        """Run a handler, which may return a coroutine; one that need not wait answers at once.

        pygls would never release the future of a notification.
        """

        def finish(future: Any) -> None:
            self._request_futures.pop(msg_id, None)
            error = None if future.cancelled() else future.exception()
            if isinstance(error, OvertakenError):  # pygls would log it, at every key
                self._send_response(msg_id, None, error.to_response_error())
            elif error is None and not future.cancelled() and iscoroutine(future.result()):
                self._request_futures[msg_id] = waiting = asyncio.ensure_future(future.result())
                waiting.add_done_callback(finish)
            else:
                callback(future)

        super()._execute_handler(msg_id, handler, finish, args, kwargs)

    def _handle_request(self, msg_id: MsgId, method_name: str, params: object) -> None:
        if self._workspace is None and method_name != types.INITIALIZE:
            early = JsonRpcServerNotInitialized(f"'{method_name}' came before 'initialize'.")
            self._send_response(msg_id, None, early.to_response_error())
        elif self._workspace is not None and method_name == types.INITIALIZE:
            twice = JsonRpcInvalidRequest("'initialize' may be sent only once.")
            self._send_response(msg_id, None, twice.to_response_error())
        else:
            super()._handle_request(msg_id, method_name, params)

    def _handle_notification(self, method_name: str, params: object) -> None:
        if method_name != types.EXIT and (self._workspace is None or self._shutdown):
            return
        if method_name in _SYNCHRONISATION:
            self.is_settled = bool(self.fm.features[method_name](params))
        else:
            super()._handle_notification(method_name, params)


def _is_ours(value: object) -> bool:
    """Whether an answer consists of our own types, which msgspec writes as LSP wants them."""
    return isinstance(value[0] if isinstance(value, list) and value else value, Struct)


def _decoded(body: bytes | bytearray) -> Any:
    """Return the value of some JSON. Raises ValueError, RecursionError, MemoryError."""
    try:
        return msgspec.json.decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return json.loads(body)  # slower, but accepts lone surrogates and has better messages


def read_did_change(parameters: Any) -> DidChange:
    """Return the parameters of the notification. Raises JsonRpcInvalidParams."""
    try:
        return msgspec.convert(parameters, DidChange)
    except msgspec.ValidationError as error:
        raise JsonRpcInvalidParams(str(error)) from error


class NoAnswerError(Exception):
    """There is no answer to a request, or a parameter is wrong; the message says why."""


class OvertakenError(JsonRpcContentModified):
    """A newer request, or an edit, replaced this one; the client can send it again."""

    MESSAGE = "a newer request, or an edit, took the place of this one"
