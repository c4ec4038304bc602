"""Finds the external programs that kro-ls starts."""

from __future__ import annotations

import os
import shutil


def find_program(name: str) -> str | None:
    """Return the path of a program in an absolute folder of the search path, or None.

    Windows searches the working folder first, and a relative folder of the search path is below it; but the working
    folder may have programs of a stranger.
    """
    for folder in os.get_exec_path():
        found = shutil.which(name, path=folder) if os.path.isabs(folder) else None
        if found and os.path.isabs(found):
            return found
    return None
