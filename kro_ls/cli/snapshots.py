"""The files that `kro-ls test --update` writes: which files these may be, and what they begin with.

A test file may come from a stranger and names its snapshots. So that it can have no other file read or replaced, a
snapshot has a suffix and a first line that other files do not have, lies below the folder of its test file, and is
reached through no symbolic link and no folder whose name begins with a dot, such as `.git`.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Final

from kro_ls.workspace.files import read

SUFFIX: Final = ".snapshot.yaml"
FIRST_LINE: Final = "# Written by kro-ls test --update\n"

_MEANT_BY_WINDOWS: Final = "\\:~"
"""What separates folders, drives and streams of a file on Windows, and marks short names: `GIT~1` is `.git`."""


class RefusedSnapshotError(Exception):
    """The file is none that a test may name as its snapshot; the text says why and what to do."""


def snapshot_path(test_file: Path, name: str, root: Path) -> Path:
    """Return the path of a snapshot as a test file below the folder `root` names it; it need not exist.

    Raises RefusedSnapshotError.
    """
    below = os.path.normpath(name)
    if os.path.isabs(name) or below.split(os.sep)[0] == os.pardir:
        raise RefusedSnapshotError("a snapshot is in the folder of its test file, or below")
    if not name.endswith(SUFFIX):
        example = name.removesuffix(".yaml").removesuffix(".yml") + SUFFIX
        raise RefusedSnapshotError(f"the name of a snapshot ends in {SUFFIX}, such as {example}")
    if not name.isprintable() or any(each in name for each in _MEANT_BY_WINDOWS):
        raise RefusedSnapshotError(r"the name of a snapshot has no \, : or ~ and no character that is not printable")
    folder, step = (Path(os.path.abspath(each)) for each in (test_file.parent, root))
    if not folder.is_relative_to(step):
        folder, step = (Path(os.path.realpath(each)) for each in (folder, step))
    if not folder.is_relative_to(step):
        raise RefusedSnapshotError(f"a snapshot is in {root}, where tests may read, or below")
    for part in (folder / below).relative_to(step).parts:
        step /= part
        if part.startswith("."):
            raise RefusedSnapshotError(f"no name in the path of a snapshot begins with a dot, as {part!r} does")
        if os.path.islink(step):
            raise RefusedSnapshotError(f"a snapshot is not reached through a symbolic link, which {part!r} is")
    return test_file.parent / below


def read_snapshot(path: Path) -> str | None:
    """Return the text of a snapshot with its first line, line ends as `\\n`; None where there is no file.

    Raises RefusedSnapshotError for what no snapshot is, and UnreadableFileError.
    """
    try:
        mode = os.lstat(path).st_mode
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(mode):
        raise RefusedSnapshotError(f"{path} is not a regular file, so it is not a snapshot; name another file")
    if mode & (stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH):
        raise RefusedSnapshotError(f"{path} can be executed, so it is not a snapshot; name another file")
    text = read(path).decode("utf-8", "replace").removeprefix("\ufeff").replace("\r\n", "\n")
    if not text.startswith(FIRST_LINE):
        raise RefusedSnapshotError(
            f"{path} is not a snapshot: its first line is not {FIRST_LINE.strip()!r}; delete it, or name another file"
        )
    return text
