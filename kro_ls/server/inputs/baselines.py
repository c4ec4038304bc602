"""Reads what open documents were in the commit that the user wants to compare with, beside the editing.

`git` is started for this only where the user's settings name a commit; see `workspace/git.py` for what it may do.
"""

from __future__ import annotations

import logging
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from kro_ls.server.background import Lane, Tasks
from kro_ls.server.delays import REST_SECONDS
from kro_ls.server.events import What
from kro_ls.uris import file_path

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from kro_ls.server.events import DocumentChanged
    from kro_ls.workspace.documents import Document
    from kro_ls.workspace.evolution import Baseline

logger = logging.getLogger(__name__)


class BaselineKeeper:
    """Keeps open documents, by their URIs, beside a commit.

    `ref` gives the name of the commit, empty to compare with none; `changed` is called with what a document was.
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

    def document_changed(self, event: DocumentChanged) -> None:
        """Read what a document was that was opened."""
        if event.what is What.OPENED:
            self.follow(event.uri)

    def follow(self, uri: str) -> None:
        """Read soon what a document was, or forget it where nothing is to be compared."""
        document = self._documents.get(uri)
        if document and (self._ref() or document.baseline):
            self._tasks.start(self._read(document, self._ref()))

    def follow_all(self) -> None:
        """Read what all documents were, as after a change of settings."""
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
        if document.uri in self._documents and ref == self._ref():  # else a later reading tells
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
