"""The folders that the user's system has for what programs keep; they need not exist."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def cache_folder() -> Path:
    """Return the folder for what is kept between runs and may be deleted at any time."""
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
