"""The texts of files that a client chose, read in a thread: a disk may be slow, or not answer at all."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from kro_ls.server.background import Lane, Tasks
from kro_ls.server.delays import DISK_SECONDS, FRESH_SECONDS
from kro_ls.uris import file_path

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence


class ChosenFiles:
    """Reads files of the workspace's `folders`; `changed` is called when one of them has another text than before."""

    def __init__(self, folders: Callable[[], Iterable[Path]], changed: Callable[[], None]) -> None:
        self._folders = folders
        self._changed = changed
        self._lane = Lane("chosen files")
        self._texts: dict[str, tuple[str | None, float]] = {}
        self._reading: set[str] = set()
        self._tasks = Tasks()

    async def read(self, uri: str) -> str | None:
        """Return the text of a file, None where there is none in the workspace, or it does not come in time."""
        path = file_path(uri)
        if path is None:
            return None
        folders = tuple(self._folders())
        try:
            text = await asyncio.wait_for(self._lane.submit(lambda: _text(path, folders)), DISK_SECONDS)
        except TimeoutError:
            text, self._lane = None, Lane("chosen files")  # which does not wait for that file
        self._texts[uri] = text, asyncio.get_running_loop().time()
        return text

    def known(self, uri: str) -> str | None:
        """Return the text of a file as it was read last; it is read again if that is a while ago."""
        text, at = self._texts.get(uri, (None, 0.0))
        if asyncio.get_running_loop().time() - at > FRESH_SECONDS and uri not in self._reading:
            self._reading.add(uri)
            self._tasks.start(self._follow(uri, text))
        return text

    async def _follow(self, uri: str, before: str | None) -> None:
        try:
            if await self.read(uri) != before:
                self._changed()
        finally:
            self._reading.discard(uri)


def _text(path: str, folders: Sequence[Path]) -> str | None:
    from kro_ls.workspace.files import is_inside, read_file
    from kro_ls.workspace.instance_files import LARGEST_INSTANCE_FILE

    return read_file(Path(path), LARGEST_INSTANCE_FILE) if is_inside(path, folders) else None
