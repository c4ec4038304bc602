"""What a server registers, as data: requests with where they are worked on, notifications, and commands."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Mapping
from enum import Enum
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from msgspec import Struct

if TYPE_CHECKING:
    from lsprotocol import types

    from kro_ls.cursor.cursor import Cursor
    from kro_ls.server.server import KroLanguageServer
    from kro_ls.workspace.documents import Document
    from kro_ls.workspace.snapshot import Snapshot

Params = TypeVar("Params")


class Mode(Enum):
    """Where a request is worked on. What is about a slow document goes to that document's thread in any case."""

    QUICK = "quick"
    """About a place: in the event loop, at once."""
    BACKGROUND = "background"
    """About all of a document, which editors ask after each edit: in its thread where the text is not short."""
    ACROSS_FILES = "across files"
    """Looks into files that are not open, which may be large, or many: in a thread of its own."""
    IN_STEPS = "in steps"
    """A coroutine, which waits for something, or gives each of its steps to the thread that is right for it."""


class Asked(Struct, Generic[Params], frozen=True):
    """A request about an open document: its parameters, and the snapshot that it is answered from."""

    server: KroLanguageServer
    snapshot: Snapshot
    params: Params

    @property
    def document(self) -> Document:
        """The document that is asked about."""
        return self.snapshot.document

    def cursor(self, position: types.Position) -> Cursor:
        """Return a place in the document."""
        from kro_ls.features.convert import to_cursor

        return to_cursor(self.snapshot, position)


class DocumentRequest(Struct, frozen=True):
    """A request about an open document. It is answered with null where the document is not open, or the answer fails.

    `answer` is a coroutine function where the mode is IN_STEPS.
    """

    method: str
    mode: Mode
    answer: Callable[[Asked[Any]], object]
    options: object = None


class Request(Struct, frozen=True):
    """Any other request.

    `empty` gives the answer where `answer` fails. Without it the client is sent an error: it is one that knows us.
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

Later: TypeAlias = Coroutine[Any, Any, object]
