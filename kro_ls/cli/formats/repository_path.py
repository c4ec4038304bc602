"""The path by which a CI service finds a file."""

from __future__ import annotations

import os
from pathlib import Path


def repository_path(path: str, variable: str) -> str:
    """Return the path below the folder of the repository, with forward slashes; `-` and paths outside of it as given.

    The environment variable names that folder; without it, it is the working folder.
    """
    root = os.path.abspath(os.environ.get(variable, os.curdir))
    absolute = Path(os.path.abspath(path))
    is_inside = path != "-" and absolute.is_relative_to(root)
    return absolute.relative_to(root).as_posix() if is_inside else Path(path).as_posix()
