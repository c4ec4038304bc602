"""Which versions the files of a store serve, kept in the user's cache: to read a thousand definitions is slow.

A file counts as unchanged while its time and its size are the same. The index is written in one step, and anybody may
delete it; one that is damaged or of another version counts as empty.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec

from kro_ls import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

Stamp = tuple[str, int, int]
"""The path of a file below the store, its time of change in nanoseconds, and its size."""

_Row = tuple[str, int, int, list[str]]

_WORTH_KEEPING = 50


class NamesIndex:
    """The versions of the kinds of one store."""

    def __init__(self, path: Path, folder: Path) -> None:
        """`path` is where the index is kept, `folder` the store."""
        self._path = path
        self._key = [__version__, str(folder)]

    def versions(self, stamps: Iterable[Stamp], read: Callable[[str], list[str]]) -> dict[str, list[str]]:
        """Return the versions in each file; `read` gives those of a file that is new or has changed."""
        kept = self._load()
        found = {stamp: kept[stamp] if stamp in kept else read(stamp[0]) for stamp in stamps}
        if len(found) >= _WORTH_KEEPING and found.keys() != kept.keys():
            self._save(found)
        return {home: versions for (home, _, _), versions in found.items()}

    def _load(self) -> dict[Stamp, list[str]]:
        try:
            key, rows = msgspec.json.decode(self._path.read_bytes(), type=tuple[list[str], list[_Row]])
        except (OSError, msgspec.MsgspecError):
            return {}
        return {(home, time, size): versions for home, time, size, versions in rows} if key == self._key else {}

    def _save(self, found: dict[Stamp, list[str]]) -> None:
        temporary = self._path.with_suffix(f".{os.getpid()}")
        content = json.dumps([self._key, [[*stamp, versions] for stamp, versions in found.items()]])
        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            temporary.write_text(content)
            temporary.replace(self._path)
        except OSError:  # such as a full disk
            with suppress(OSError):
                temporary.unlink()
