"""Paths in texts that must be Unicode, as JSON and XML must."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def path_text(path: Path | str) -> str:
    r"""Return the text of a path; a byte of a name that is not UTF-8 is written as `\xff`."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")
