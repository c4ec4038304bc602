"""The documents that are open: here alone a version of one takes the place of another."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from kro_ls.server.background import Timers, in_thread
from kro_ls.server.delays import IDLE_SECONDS, LET_GO_SECONDS, RENEWAL_SECONDS
from kro_ls.server.documents.slow_documents import SlowDocuments
from kro_ls.server.events import DocumentEvents, What
from kro_ls.uris import file_uri, path_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.rules.diagnosis import Diagnosis
    from kro_ls.rules.files.failing_test import TestedDefinition
    from kro_ls.rules.settings import Settings
    from kro_ls.server.connection.client import Client
    from kro_ls.workspace.all_documents import AllDocuments
    from kro_ls.workspace.beside import Beside
    from kro_ls.workspace.documents import Document
    from kro_ls.workspace.evolution import Baseline
    from kro_ls.workspace.kustomize import Kustomizations
    from kro_ls.workspace.schemas import WorkspaceSchemas
    from kro_ls.workspace.snapshot import Snapshot


class OpenDocuments:
    """Makes documents with the kinds and settings of the moment, and tells of all that happens to them."""

    def __init__(
        self, client: Client, kinds: Callable[[], WorkspaceSchemas | None], settings_of: Callable[[str], Settings]
    ) -> None:
        self._client = client
        self._kinds = kinds
        self._settings_of = settings_of
        self._documents = client.documents
        self._due = Timers()
        self.slow = SlowDocuments(client.documents)
        self.events = DocumentEvents()
        self._edited_at = -IDLE_SECONDS
        self._renewed_at = -RENEWAL_SECONDS

    @property
    def is_being_edited(self) -> bool:
        """Whether somebody typed a moment ago."""
        return time.monotonic() - self._edited_at < IDLE_SECONDS

    @property
    def is_being_renewed(self) -> bool:
        """Whether the documents are still being looked at with other settings or kinds."""
        return time.monotonic() - self._renewed_at < RENEWAL_SECONDS

    def make(
        self, uri: str, version: int | None, content: str, kustomizations: Kustomizations | None = None
    ) -> Document:
        """Return a document with the current settings and kinds; `kustomizations` know folders of other documents."""
        from kro_ls.workspace.documents import Document
        from kro_ls.workspace.kustomize import Kustomizations
        from kro_ls.yaml_positions.text import Text

        kinds, beside = self._kinds_for(uri), self._beside(uri, kustomizations or Kustomizations())
        return Document(uri, version, Text(content), self._client.encoding, self._settings_of(uri), *kinds, beside)

    def _kinds_for(self, uri: str) -> tuple[SchemaIndex | None, tuple[SchemaIndex, ...]]:
        """Return the kinds for a document, and those with other definitions of what several files define."""
        schemas = self._kinds()
        if schemas is None:
            return None, ()
        path = path_of(uri)
        return schemas.index_for(path), schemas.others_for(path)

    def _beside(self, uri: str, kustomizations: Kustomizations) -> Beside:
        """Return what the files of the workspace say about the definitions of a document."""
        from kro_ls.workspace.beside import NOTHING_BESIDE

        schemas = self._kinds()
        return schemas.beside(path_of(uri), kustomizations) if schemas else NOTHING_BESIDE

    def all(self) -> AllDocuments:
        """Return the documents of the workspace, open or on disk, as they are now."""
        from kro_ls.workspace.all_documents import AllDocuments
        from kro_ls.workspace.kustomize import Kustomizations

        kustomizations = Kustomizations()
        opened = {path_of(uri): document for uri, document in list(self._documents.items())}

        def on_disk(path: str, content: str) -> Document:
            return self.make(file_uri(path), None, content, kustomizations)

        return AllDocuments(opened, self._kinds(), on_disk, tuple(self._client.folders()))

    def snapshot(self, document: Document) -> Snapshot:
        """Return a document beside all others as they are now."""
        from kro_ls.workspace.snapshot import Snapshot

        return Snapshot(document, self.all())

    def open(self, document: Document) -> None:
        """Start to follow a document."""
        self._documents[document.uri] = document
        self.events.tell(What.OPENED, document)

    def change(self, document: Document) -> None:
        """Follow a newer version of a document."""
        self.slow.let_go([self._documents[document.uri]])
        self._documents[document.uri] = document
        self._edited_at = time.monotonic()
        self.events.tell(What.EDITED, document)

    def close(self, uri: str) -> None:
        """Stop to follow a document."""
        if uri in self._documents:
            document = self._documents.pop(uri)
            self.slow.let_go([document])
            self.events.tell(What.CLOSED, document)
            self._due.start(uri, LET_GO_SECONDS, self.slow.give_memory_back)

    def renew(self) -> None:
        """Look at all documents again with other settings or kinds."""
        from kro_ls.workspace.kustomize import Kustomizations

        self._renewed_at, kustomizations = time.monotonic(), Kustomizations()
        for uri, document in self._documents.items():
            self._renew(document, self._beside(uri, kustomizations))

    def follow_files(self) -> None:
        """Look again at the documents of which other files say something else now."""
        from kro_ls.workspace.kustomize import Kustomizations

        kustomizations = Kustomizations()
        for uri, document in self._documents.items():
            beside = self._beside(uri, kustomizations)
            if beside != document.beside:
                self._renew(document, beside)

    def _renew(self, document: Document, beside: Beside) -> None:
        uri = document.uri
        schemas, others = self._kinds_for(uri)
        self.slow.let_go([document])
        renewed = document.renewed(
            settings=self._settings_of(uri), schemas=schemas, other_schemas=others, beside=beside
        )
        self._documents[uri] = renewed
        self.events.tell(What.RENEWED, renewed)

    async def diagnosed(self, document: Document) -> Diagnosis:
        """Return the diagnosis of a document, which need not be open. Raises OvertakenError."""
        if document.uri not in self._documents:
            return await in_thread("a diagnosis", lambda: document.diagnosis)
        return await self.slow.worked_out(document, lambda current: current.diagnosis)

    def use_baseline(self, uri: str, baseline: Baseline | None) -> None:
        """Compare a document with another commit."""
        self._documents[uri] = self._documents[uri].compared(baseline)

    def use_tested(self, uri: str, tested: tuple[TestedDefinition | None, ...]) -> None:
        """Have a test file know what is known now of its definitions."""
        self._documents[uri] = self._documents[uri].testing(tested)
