"""Open documents as they are in commits: in the one that the settings name, and in HEAD for graphs.

`git` is started only if the settings name a commit, or while a graph shows what changed since HEAD; `workspace/git.py`
says what it may do. It runs in a thread.
"""

from __future__ import annotations

import logging
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from kro_ls.server.background import Lane, Tasks
from kro_ls.server.delays import COMMIT_SECONDS, REST_SECONDS
from kro_ls.uris import file_path

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.server.documents.open_documents import DocumentChanged
    from kro_ls.workspace.documents import Document
    from kro_ls.workspace.evolution import Baseline


logger = logging.getLogger(__name__)


class BaselineKeeper:
    """Reads the baselines of open documents, given by URI.

    `ref` gives the name of the commit, empty to compare with none; `changed` gets each baseline.
    """

    def __init__(
        self,
        documents: Mapping[str, Document],
        ref: Callable[[], str],
        changed: Callable[[str, Baseline | None], None],
    ) -> None:
        self._documents = documents
        self._ref = ref
        self._changed = changed
        self._lane = Lane("baselines", REST_SECONDS)
        self._tasks = Tasks()

    def document_opened(self, event: DocumentChanged) -> None:
        """Read the baseline of a document that was opened."""
        self.follow(event.uri)

    def follow(self, uri: str) -> None:
        """Read the baseline of a document soon, or drop it where nothing is to be compared."""
        document = self._documents.get(uri)
        if document and (self._ref() or document.baseline):
            self._tasks.start(self._read(document, self._ref()))

    def follow_all(self) -> None:
        """Read the baselines of all documents."""
        for uri in self._documents:
            self.follow(uri)

    def close(self) -> None:
        """Stop reading."""
        self._lane.close()

    async def _read(self, document: Document, ref: str) -> None:
        path = file_path(document.uri)
        baseline = None
        if ref and path:
            work = partial(_baseline, document, path, ref)
            try:
                baseline = await self._lane.submit(work)
            except Exception:
                logger.exception("could not read %s as it was in %s", path, ref)
        if document.uri in self._documents and ref == self._ref():  # else a later reading reports
            self._changed(document.uri, baseline)


def _baseline(document: Document, path: str, ref: str) -> Baseline | None:
    from kro_ls.workspace.evolution import Baseline, declared_in
    from kro_ls.workspace.files import UnreadableFileError
    from kro_ls.workspace.git import GitError
    from kro_ls.workspace.snapshot import committed_document

    try:
        committed = committed_document(document, Path(path), ref)
    except (GitError, UnreadableFileError) as error:
        logger.info("nothing to compare with: %s", error)
        return None
    return Baseline(ref, tuple(declared_in(path, committed.analysis))) if committed else None


REF: Final = "HEAD"
_MOST_DOCUMENTS: Final = 8


class Committed(Struct, frozen=True, eq=False):
    """The definitions of a document in a commit.

    They are None if that cannot be read, and empty if the commit lacks the file; `message` says so.
    """

    ref: str
    definitions: tuple[RgdAnalysis, ...] | None
    message: str | None = None


class CommittedDefinitions:
    """Reads documents in HEAD, and caches a few of them for some seconds."""

    def __init__(self) -> None:
        self._lane = Lane("commits", REST_SECONDS)
        self._found: dict[str, tuple[float, Committed]] = {}

    async def of(self, document: Document) -> Committed:
        """Return the definitions of a document in HEAD."""
        read_at, found = self._found.get(document.uri, (0.0, None))
        if found is None or time.monotonic() - read_at > COMMIT_SECONDS:
            found = await self._lane.submit(partial(_committed, document))
            self._found.pop(document.uri, None)
            self._found[document.uri] = time.monotonic(), found
            for uri in list(self._found)[:-_MOST_DOCUMENTS]:
                del self._found[uri]
        return found

    def close(self) -> None:
        """Stop reading."""
        self._lane.close()


def _committed(document: Document) -> Committed:
    from kro_ls.workspace.files import UnreadableFileError
    from kro_ls.workspace.git import GitError
    from kro_ls.workspace.snapshot import committed_document

    path = file_path(document.uri)
    if path is None:
        return Committed(REF, None, "This text is in no file yet, so git has nothing to compare it with.")
    try:
        committed = committed_document(document, Path(path), REF)
    except (GitError, UnreadableFileError) as error:
        return Committed(REF, None, f"There is nothing to compare with: {error}.")
    if committed is None:
        return Committed(REF, (), f"{Path(path).name} is not in {REF}: all of it is new.")
    return Committed(REF, committed.analysis.rgds)
