"""Snapshots, which `kro-ls test --update` writes: their paths, their content, and differences from it.

A test file may come from a stranger, and names its snapshots. To protect other files from being read or replaced, a
snapshot has a suffix and a first line that other files lack, is below the folder of its test file, and is not behind a
symbolic link or a folder whose name begins with a dot, such as `.git`.
"""

from __future__ import annotations

import os
import stat
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from kro_ls.shortening import shortened
from kro_ls.workspace.files import read

if TYPE_CHECKING:
    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.runtime.cluster.simulation import Simulation

SUFFIX: Final = ".snapshot.yaml"
FIRST_LINE: Final = "# Written by kro-ls test --update\n"

_LONGEST_LINE: Final = 60

_MEANT_BY_WINDOWS: Final = "\\:~"
"""Separators of folders, drives and streams on Windows, and the mark of short names: `GIT~1` is `.git`."""


class RefusedSnapshotError(Exception):
    """A test may not name the file as its snapshot; the text says why and what to do."""


class SnapshotFile(Struct, frozen=True):
    """A snapshot by its name in the test: its text, None if there is none, or the problem with it."""

    name: str
    path: Path
    text: str | None = None
    problem: str = ""

    def mismatch(self, now: str) -> str:
        """Return a sentence about the difference of a text from the snapshot, empty if there is none."""
        if self.problem or self.text == now:
            return self.problem
        if self.text is None:
            return f"the snapshot {self.name} is not there; write it with kro-ls test --update"
        lines = enumerate(zip_longest(self.text.splitlines(), now.splitlines()), 1)
        number, wanted, found = next((number, *each) for number, each in lines if each[0] != each[1])
        return f"expected {_shown(wanted)} in line {number} of {self.name}, found {_shown(found)}"


def _shown(line: str | None) -> str:
    return "nothing" if line is None else repr(shortened(line.strip(), _LONGEST_LINE))


def snapshot_text(rgd: RgdAnalysis, simulation: Simulation) -> str:
    """Return the text of a snapshot: the objects and the status as YAML documents."""
    from kro_ls.render.yaml_text import to_yaml  # imported here: a check of definitions only reads snapshots
    from kro_ls.runtime.cluster.preview_data import objects_of

    objects = objects_of(rgd, simulation, with_metadata=False)
    documents = [f"# {id_}\n{to_yaml(value)}" for id_, value in objects]
    status = {name: value for name, value in simulation.status.items() if name != "conditions"}
    return FIRST_LINE + "---\n".join([*documents, f"# status\n{to_yaml(status)}"])


def find_snapshot(tests: Path, name: str, root: Path) -> SnapshotFile:
    """Return the snapshot that a test file in the folder `tests`, at or below `root`, names. Raises as `read` does."""
    path = tests / os.path.normpath(name)
    try:
        path = snapshot_path(tests, name, root)
        return SnapshotFile(name, path, read_snapshot(path))
    except RefusedSnapshotError as error:
        return SnapshotFile(name, path, problem=str(error))


def snapshot_path(tests: Path, name: str, root: Path) -> Path:
    """Return the path of a snapshot as a test file in the folder `tests`, below `root`, names it; it need not exist.

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
    folder, step = (Path(os.path.abspath(each)) for each in (tests, root))
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
    return tests / below


def read_snapshot(path: Path) -> str | None:
    """Return the text of a snapshot with its first line, line ends as `\\n`; None where there is no file.

    Raises RefusedSnapshotError for other files, and UnreadableFileError.
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
