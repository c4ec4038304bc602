"""Reads files as they are in a commit, by `git`'s plumbing alone.

Nothing that a repository configures is run: no hook, pager, filter, external diff or monitor, and nothing is fetched.
`git` is started only where the user asks for a comparison with a commit.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from kro_ls.workspace.files import MOST_BYTES, YAML_SUFFIXES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_SECONDS: Final = 60
_SAFE: Final = (
    "--no-pager",
    "--no-optional-locks",
    "--no-replace-objects",
    "--literal-pathspecs",
    "-c",
    "core.fsmonitor=",
    "-c",
    f"core.hooksPath={os.devnull}",
    "-c",
    "protocol.allow=never",
)
_ENVIRONMENT: Final = {"GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0", "GIT_EXTERNAL_DIFF": "", "LC_ALL": "C"}


class GitError(Exception):
    """What `git` cannot tell; its text says why and what to do."""


def yaml_files_at(ref: str, paths: Iterable[Path]) -> Iterator[tuple[Path, bytes]]:
    """Yield the YAML files of a commit that are, or were, at or below some paths, by their paths now.

    Symbolic links and submodules are left out, and so are files that are too large to be definitions. Raises GitError.
    """
    for path in paths:
        folder = path if path.is_dir() else path.parent
        commit = _commit(folder, ref)
        root = Path(_text(folder, "rev-parse", "--show-toplevel"))
        below = path.absolute().resolve().relative_to(root.resolve()).as_posix()
        listing = _git(root, "ls-tree", "-r", "-z", "-l", commit, "--", *([below] if below != "." else []))
        for line in listing.decode("utf-8", "surrogateescape").split("\0"):
            entry, _, name = line.partition("\t")
            mode, _, blob, size = entry.split() if entry else ("", "", "", "0")
            if mode.startswith("100") and name.endswith(YAML_SUFFIXES) and int(size) <= MOST_BYTES:
                relative = os.path.relpath(root.resolve() / name, path.absolute().resolve())
                yield path if relative == "." else path / relative, _git(root, "cat-file", "blob", blob)


def _commit(folder: Path, ref: str) -> str:
    try:
        return _text(folder, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}")
    except GitError as error:
        raise GitError(str(error) or f"{folder}: git knows no commit {ref!r}; check the name") from error


def _text(folder: Path, *arguments: str) -> str:
    return _git(folder, *arguments).decode("utf-8", "surrogateescape").rstrip("\n")


@cache
def _program() -> str:
    """Return where `git` is: in a folder of the search path, never in the one that is worked in. Raises GitError."""
    for folder in os.get_exec_path():
        found = shutil.which("git", path=folder) if os.path.isabs(folder) else None
        if found and os.path.isabs(found):
            return found
    raise GitError("git is not installed; compare two files or folders instead")


def _git(folder: Path, *arguments: str) -> bytes:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")} | _ENVIRONMENT
    try:
        run = subprocess.run(  # noqa: S603 # the user asked for it; nothing of it comes from a repository
            [_program(), *_SAFE, *arguments],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=_SECONDS,
        )
    except OSError as error:
        raise GitError(f"{folder}: {error.strerror}; check the path") from error
    except subprocess.TimeoutExpired as error:
        raise GitError(f"{folder}: git did not answer within {_SECONDS} seconds") from error
    if run.returncode != 0:
        raise GitError(run.stderr.decode("utf-8", "replace").strip())
    return run.stdout
