"""The open documents: the only place where one version replaces another, and the events that this raises."""

from __future__ import annotations

import asyncio
import logging
import time
from enum import Enum
from functools import cache, partial
from itertools import count
from typing import TYPE_CHECKING, NamedTuple, Protocol

from msgspec import Struct

from kro_ls.server.background import Timers, in_thread
from kro_ls.server.delays import FOLLOW_SECONDS, IDLE_SECONDS, LET_GO_SECONDS, LOOK_AGAIN_SECONDS, RENEWAL_SECONDS
from kro_ls.uris import file_path, file_uri

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Sized

    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.rules.diagnosis import Diagnosis
    from kro_ls.rules.files.failing_test import TestedDefinition
    from kro_ls.rules.settings import Settings
    from kro_ls.server.connection.client import Client
    from kro_ls.server.documents.slow_documents import SlowDocuments
    from kro_ls.workspace.documents import Beside, Document
    from kro_ls.workspace.evolution import Baseline
    from kro_ls.workspace.kustomize import Kustomizations
    from kro_ls.workspace.schemas import WorkspaceSchemas
    from kro_ls.workspace.snapshot import AllDocuments, Snapshot

logger = logging.getLogger(__name__)


class What(Enum):
    """What happened to a document."""

    OPENED = "opened"
    EDITED = "edited"
    RENEWED = "renewed"
    """Its settings or kinds changed, its text did not."""
    CLOSED = "closed"
    PAUSED = "left unchanged for a moment"


_CHANGES = (What.OPENED, What.EDITED, What.RENEWED, What.CLOSED)


class DocumentChanged(Struct, frozen=True):
    """A change of a document. `document` is the current version, or the last one of a closed document."""

    what: What
    document: Document

    @property
    def uri(self) -> str:
        """The URI of the document."""
        return self.document.uri


class _Subscription(NamedTuple):
    follower: Callable[[DocumentChanged], None]
    events: Container[What]
    shown: tuple[Sized, ...]


class DocumentEvents:
    """Calls followers in the order in which they subscribed; one that fails does not stop the others."""

    def __init__(self) -> None:
        self._subscriptions: list[_Subscription] = []

    def subscribe(
        self,
        follower: Callable[[DocumentChanged], None],
        events: Container[What] = _CHANGES,
        shown: tuple[Sized, ...] = (),
    ) -> None:
        """Call a function with some events from now on, if not given with all changes.

        It is not called for edits while all the collections in `shown` are empty: then it shows nothing that an edit
        could change.
        """
        self._subscriptions.append(_Subscription(follower, events, shown))

    def publish(self, what: What, document: Document) -> None:
        """Call the followers of such a change."""
        event = DocumentChanged(what, document)
        for follower, events, shown in self._subscriptions:
            if what not in events or (what is What.EDITED and shown and not any(shown)):
                continue
            try:
                follower(event)
            except Exception:
                logger.exception("could not follow that %s was %s", document.uri, what.value)


class Kinds(Protocol):
    """The kinds of the workspace."""

    @property
    def current(self) -> WorkspaceSchemas | None:
        """The kinds as far as they are known; None until they are loaded."""

    @property
    def is_loaded(self) -> bool:
        """Whether loading has ended, with kinds or with an error."""


class OpenDocuments:
    """Creates documents with the current kinds and settings, and publishes every change of an open one."""

    def __init__(
        self, client: Client, slow: SlowDocuments, kinds: Kinds, settings_of: Callable[[str], Settings]
    ) -> None:
        self._client = client
        self._kinds = kinds
        self._settings_of = settings_of
        self._documents = client.documents
        self._due = Timers()
        self._pauses = Timers()
        self._slow = slow
        self.events = DocumentEvents()
        self._edited_at = -IDLE_SECONDS
        self._renewed_at = -RENEWAL_SECONDS

    @property
    def is_being_edited(self) -> bool:
        """Whether the user typed a moment ago."""
        return time.monotonic() - self._edited_at < IDLE_SECONDS

    @property
    def is_busy(self) -> bool:
        """Whether the workspace is being loaded, documents renewed, or a slow document prepared."""
        is_being_renewed = time.monotonic() - self._renewed_at < RENEWAL_SECONDS
        return is_being_renewed or bool(self._slow.being_prepared) or not self._kinds.is_loaded

    async def idle(self) -> None:
        """Wait until nobody types and nothing is being loaded."""
        while self.is_busy or self.is_being_edited:
            await asyncio.sleep(LOOK_AGAIN_SECONDS)

    def make(
        self, uri: str, version: int | None, content: str, kustomizations: Kustomizations | None = None
    ) -> Document:
        """Return a document with the current settings and kinds.

        `kustomizations` has the folders that were read for other documents.
        """
        from kro_ls.workspace.documents import Document
        from kro_ls.workspace.kustomize import Kustomizations
        from kro_ls.yaml_positions.text import Text

        path = file_path(uri)
        name = path or uri
        kinds, beside = self._kinds_for(name), self._beside(name, kustomizations or Kustomizations())
        settings, encoding = self._settings_of(uri), self._client.encoding
        return Document(uri, version, Text(content), encoding, settings, *kinds, beside, path=path)

    def _kinds_for(self, name: str) -> tuple[SchemaIndex | None, tuple[SchemaIndex, ...]]:
        """Return the kinds for a document, and the alternatives where several files define a kind."""
        schemas = self._kinds.current
        if schemas is None:
            return None, ()
        return schemas.index_for(name), schemas.others_for(name)

    def _beside(self, name: str, kustomizations: Kustomizations) -> Beside:
        """Return what the files of the workspace say about the definitions of a document."""
        from kro_ls.workspace.documents import NOTHING_BESIDE

        schemas = self._kinds.current
        return schemas.beside(name, kustomizations) if schemas else NOTHING_BESIDE

    def all(self) -> AllDocuments:
        """Return the current documents of the workspace, open or on disk."""
        from kro_ls.workspace.kustomize import Kustomizations
        from kro_ls.workspace.snapshot import AllDocuments

        kustomizations = cache(Kustomizations)  # most requests read no file
        opened = {document.name: document for document in list(self._documents.values())}

        def on_disk(path: str, content: str) -> Document:
            return self.make(file_uri(path), None, content, kustomizations())

        return AllDocuments(opened, self._kinds.current, on_disk, self._client.folders)

    def snapshot(self, document: Document) -> Snapshot:
        """Return a document beside all others."""
        from kro_ls.workspace.snapshot import Snapshot

        return Snapshot(document, self.all())

    def open(self, document: Document) -> None:
        """Add a document."""
        self._documents[document.uri] = document
        self.events.publish(What.OPENED, document)

    def change(self, document: Document) -> None:
        """Replace a document with its next version."""
        self._replaced(self._documents[document.uri])
        self._documents[document.uri] = document
        self._edited_at = time.monotonic()
        self._pauses.start(document.uri, FOLLOW_SECONDS, partial(self._paused, document.uri))
        self.events.publish(What.EDITED, document)

    def _paused(self, uri: str) -> None:
        if uri in self._documents:
            self.events.publish(What.PAUSED, self._documents[uri])

    def close(self, uri: str) -> None:
        """Remove a document."""
        if uri in self._documents:
            document = self._documents.pop(uri)
            self._replaced(document)
            self.events.publish(What.CLOSED, document)
            self._due.start(uri, LET_GO_SECONDS, self._slow.give_memory_back)

    def renew(self) -> None:
        """Give all documents the current settings and kinds."""
        self._renewed_at = time.monotonic()
        self._renew(is_forced=True)

    def follow_files(self) -> None:
        """Renew the documents about which other files say something else now."""
        self._renew(is_forced=False)

    def _renew(self, *, is_forced: bool) -> None:
        from kro_ls.workspace.kustomize import Kustomizations

        kustomizations = Kustomizations()
        for uri, document in self._documents.items():
            beside = self._beside(document.name, kustomizations)
            if is_forced or beside != document.beside:
                schemas, others = self._kinds_for(document.name)
                self._replaced(document)
                self._documents[uri] = renewed = document.renewed(
                    settings=self._settings_of(uri), schemas=schemas, other_schemas=others, beside=beside
                )
                self.events.publish(What.RENEWED, renewed)

    def _replaced(self, document: Document) -> None:
        if document.is_slow():
            self._slow.free([document])

    async def diagnosed(self, document: Document) -> Diagnosis:
        """Return the diagnosis of a document, which need not be open. Raises OvertakenError."""
        if document.uri not in self._documents:
            return await in_thread("a diagnosis", lambda: document.diagnosis)
        return await self._slow.worked_out(document, lambda current: current.diagnosis)

    def use_baseline(self, uri: str, baseline: Baseline | None) -> None:
        """Compare a document with another commit."""
        self._documents[uri] = self._documents[uri].compared(baseline)

    def use_tested(self, uri: str, tested: tuple[TestedDefinition | None, ...]) -> None:
        """Give a test file the current state of its definitions."""
        self._documents[uri] = self._documents[uri].testing(tested)


class SentTokens:
    """The semantic tokens that the client has of each open document, and the id of that answer."""

    def __init__(self) -> None:
        self._sent: dict[str, tuple[str, list[int]]] = {}
        self._numbers = count(1)

    def of(self, uri: str) -> tuple[str, list[int]]:
        """Return the id and the tokens of the last answer; both are empty where there was none."""
        return self._sent.get(uri, ("", []))

    def send(self, uri: str, data: list[int], opened: Container[str]) -> str:
        """Record an answer and return its id; forget the answers about documents that are not open."""
        self._sent = {each: sent for each, sent in self._sent.items() if each in opened}
        self._sent[uri] = str(next(self._numbers)), data
        return self._sent[uri][0]
