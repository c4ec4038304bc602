"""The user's cache on disk: values that are slow to find in a text, by its content; and where the user's folders are.

Each entry is a JSON file, written in one step, so processes can share the folder and it can be deleted at any time. An
entry that is damaged or of another version counts as absent. The folders need not exist.
"""

from __future__ import annotations

import json
import os
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import msgspec

from kro_ls import __version__
from kro_ls.openapi.json_values import as_object

if TYPE_CHECKING:
    from kro_ls.openapi.json_values import JsonValue


Value = TypeVar("Value")

# Raise this when the same text gives another value in the same version of kro-ls.
_FORMAT = f"{__version__}-2"

SMALLEST_TEXT = 32_768
"""Smaller texts, in bytes, are as fast to read as their entries."""

_LARGEST_ENTRY = 1_000_000
_MOST_ENTRIES = 8192
_WRITING_SECONDS = 3600.0


class DiskCache:
    """Values by their names and the contents in which they were found."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._is_pruned = False

    def get(self, name: str, content: bytes, type_: type[Value]) -> Value | None:
        """Return the cached value of a name for a content, None where there is none of the type."""
        try:
            with self._path(name, content).open("rb") as file:
                entry = as_object(json.loads(file.read(_LARGEST_ENTRY + 1)))
            return msgspec.convert(entry.get("value"), type_) if entry.get("format") == _FORMAT else None
        except (OSError, ValueError, RecursionError):
            return None

    def put(self, name: str, content: bytes, value: JsonValue) -> None:
        """Cache a value, if the content is large and the folder can be written to."""
        entry = json.dumps({"format": _FORMAT, "value": value}).encode()
        if len(content) < SMALLEST_TEXT or len(entry) > _LARGEST_ENTRY:
            return
        with suppress(OSError):
            self._prune()
        write_in_one_step(self._path(name, content), entry)

    def _path(self, name: str, content: bytes) -> Path:
        from hashlib import blake2b

        digest = blake2b(content, digest_size=20, person=name.encode()).hexdigest()
        return self._folder / f"{digest}.json"

    def _prune(self) -> None:
        """Once per process, delete the older half of too many entries, and what killed processes left."""
        if self._is_pruned:
            return
        self._is_pruned = True
        with os.scandir(self._folder) as entries:
            by_age = sorted((entry.stat().st_mtime, entry.path) for entry in entries if entry.is_file())
        old = by_age[: _MOST_ENTRIES // 2] if len(by_age) > _MOST_ENTRIES else []
        old += [each for each in by_age if not each[1].endswith(".json") and each[0] < time.time() - _WRITING_SECONDS]
        for _, path in old:
            with suppress(OSError):
                os.unlink(path)


def user_cache() -> DiskCache:
    """Return the cache in the user's cache folder."""
    return DiskCache(cache_folder())


def write_in_one_step(path: Path, content: bytes) -> None:
    """Write a file, and its folder if it is missing; where that fails, nothing changes."""
    temporary = path.with_suffix(f".{os.getpid()}")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        temporary.write_bytes(content)
        temporary.replace(path)
    except OSError:  # such as a full disk
        with suppress(OSError):
            temporary.unlink()


def digest_of(content: bytes) -> bytes:
    """Return a digest of a content, 16 bytes."""
    from hashlib import blake2b  # loads OpenSSL, and most commands need no digest

    return blake2b(content, digest_size=16).digest()


def cache_folder() -> Path:
    """Return the folder for what may be deleted between runs."""
    if sys.platform == "darwin":
        return _below("~/Library/Caches")
    return _below(_local_of_windows() or os.environ.get("XDG_CACHE_HOME") or "~/.cache")


def store_folder() -> Path:
    """Return the folder of the definitions that the user has collected."""
    if sys.platform == "darwin":
        return _below("~/Library/Application Support") / "kinds"
    return _below(_local_of_windows() or os.environ.get("XDG_DATA_HOME") or "~/.local/share") / "kinds"


def _local_of_windows() -> str:
    return os.environ.get("LOCALAPPDATA") or "~/AppData/Local" if sys.platform == "win32" else ""


def _below(base: str) -> Path:
    return Path(os.path.expanduser(base)) / "kro-ls"
