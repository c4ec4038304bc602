"""The definitions of open documents as they are in git's HEAD, for graphs that show what changed.

`git` is started for this only while somebody looks at such a graph; see `workspace/git.py` for what it may do.
"""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from kro_ls.server.background import Lane
from kro_ls.server.delays import COMMIT_SECONDS, REST_SECONDS
from kro_ls.uris import file_path

if TYPE_CHECKING:
    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.workspace.documents import Document

REF: Final = "HEAD"
_MOST_DOCUMENTS: Final = 8


class Committed(Struct, frozen=True, eq=False):
    """What a document holds in a commit.

    `definitions` is None where that cannot be told, and empty where the
    commit lacks the file; `message` says so.
    """

    ref: str
    definitions: tuple[RgdAnalysis, ...] | None
    message: str | None = None


class CommittedDefinitions:
    """Reads committed versions in a thread, and keeps those of a few documents for some seconds."""

    def __init__(self) -> None:
        self._lane = Lane("commits", REST_SECONDS)
        self._found: dict[str, tuple[float, Committed]] = {}

    async def of(self, document: Document) -> Committed:
        """Return what a document is in HEAD."""
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
