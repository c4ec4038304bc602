"""Finds YAML files in folders, as `git` would see them, and reads them.

Source of the rules: gitignore(5). A `.gitignore` deeper in the tree wins over one above it, and nothing inside an
ignored folder is looked at.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.workspace.log import warn
from kro_ls.workspace.unicode_text import unicode_text

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Sequence

    from kro_ls.workspace.gitignore import GitIgnore

YAML_SUFFIXES = (".yaml", ".yml")
SKIPPED_FOLDERS = frozenset({".git", "node_modules", ".venv"})
"""Folders that hold no definitions of the user's own, whether or not a `.gitignore` names them."""

# etcd stores no object over a few megabytes, so a larger file is something else.
MOST_BYTES = 32 * 1024 * 1024

# What is looked up for a name grows with it: a hundred times what people write, and half a millisecond for a name.
_MOST_IGNORE_BYTES = 256 * 1024


class UnreadableFileError(Exception):
    """A file or folder that cannot be read; its text says why and what to do."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{unicode_text(path)}: {reason}")
        self.path = path
        self.reason = reason


class _Ignores(Struct, frozen=True):
    """The patterns of one `.gitignore`, and how far they have come on the way to some folder."""

    patterns: GitIgnore
    state: int


def is_inside(path: str | Path, folders: Iterable[Path]) -> bool:
    """Whether a path leads into one of some folders when its symbolic links are followed; it need not exist."""
    try:
        real = Path(os.path.realpath(path))
    except (OSError, ValueError):  # a name that no file can have
        return False
    return any(real.is_relative_to(os.path.realpath(folder)) for folder in folders)


def may_read(path: str, folders: Sequence[Path], named: Container[str]) -> bool:
    """Whether a client may have a file read: one in the folders once links are followed, or one that settings name."""
    is_below = any(Path(path).is_relative_to(folder) for folder in folders)
    return is_inside(path, folders) or (path in named and not is_below)


def yaml_files(
    folder: Path, on_error: Callable[[UnreadableFileError], None] | None = None, within: Sequence[Path] | None = None
) -> Iterator[Path]:
    """Yield the YAML files in a folder and below it, sorted by name in each folder, files before folders.

    Left out are what a `.gitignore` ignores (those above the folder count up to the root of its repository; the folder
    itself is taken even if it is ignored), `SKIPPED_FOLDERS`, and folders reached by symbolic links, which could go in
    circles. With `within`, links that lead out of these folders are left out, too. Paths begin with `folder` as given.
    `on_error` is told of each folder that cannot be read.
    """
    pending = [(folder, _ignores_above(Path(os.path.abspath(folder))))]
    while pending:
        folder, above = pending.pop()
        try:
            with os.scandir(folder) as scan:
                entries = sorted(scan, key=lambda entry: entry.name)
        except OSError as error:
            if on_error:
                on_error(UnreadableFileError(folder, _reason(error)))
            continue
        ignores = (*above, *_ignores_in(folder)) if any(entry.name == ".gitignore" for entry in entries) else above
        below = []
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                if entry.name not in SKIPPED_FOLDERS:
                    reached = _follow(ignores, entry.name)
                    if not _is_ignored(reached, is_folder=True):
                        below.append((folder / entry.name, _enter(reached)))
            elif (
                entry.name.endswith(YAML_SUFFIXES)
                and _is_file(entry, within)
                and not _is_ignored(_follow(ignores, entry.name), is_folder=False)
            ):
                yield folder / entry.name
        pending.extend(reversed(below))


def _is_file(entry: os.DirEntry[str], within: Sequence[Path] | None) -> bool:
    try:
        return entry.is_file() and (within is None or not entry.is_symlink() or is_inside(entry.path, within))
    except OSError:  # a symbolic link to itself
        return False


def _follow(ignores: tuple[_Ignores, ...], name: str) -> tuple[_Ignores, ...]:
    """Return the patterns after a name in their folder."""
    encoded = os.fsencode(name) if ignores else b""
    return tuple([_Ignores(each.patterns, each.patterns.automaton.follow(each.state, encoded)) for each in ignores])


def _enter(reached: tuple[_Ignores, ...]) -> tuple[_Ignores, ...]:
    return tuple([_Ignores(each.patterns, each.patterns.automaton.enter(each.state)) for each in reached])


def _is_ignored(reached: tuple[_Ignores, ...], *, is_folder: bool) -> bool:
    for each in reversed(reached):
        verdict = each.patterns.verdict(each.state, is_folder=is_folder)
        if verdict is not None:
            return verdict
    return False


def _ignores_above(folder: Path) -> tuple[_Ignores, ...]:
    """Return the patterns that stand above a folder inside its repository and do not ignore it, the outermost first."""
    root = next((each for each in (folder, *folder.parents) if (each / ".git").exists()), folder)
    found: tuple[_Ignores, ...] = ()
    parent = root
    for name in folder.relative_to(root).parts:
        reached = _follow((*found, *_ignores_in(parent)), name)
        found = () if _is_ignored(reached, is_folder=True) else _enter(reached)
        parent /= name
    return found


def _ignores_in(folder: Path) -> tuple[_Ignores, ...]:
    """Return the patterns of a folder; git does not read those that are a link."""
    path = folder / ".gitignore"
    try:
        if not stat.S_ISREG(os.lstat(path).st_mode):
            return ()
        with path.open("rb") as file:
            content = file.read(_MOST_IGNORE_BYTES + 1)
    except FileNotFoundError:
        return ()
    except OSError as error:
        warn("%s: %s", path, _reason(error))
        return ()
    from kro_ls.workspace.gitignore import GitIgnore

    if len(content) > _MOST_IGNORE_BYTES:
        warn("%s: only the patterns in the first %d KiB count", path, _MOST_IGNORE_BYTES // 1024)
        content = content[: content.rfind(b"\n", 0, _MOST_IGNORE_BYTES) + 1]
    patterns = GitIgnore(content)
    return (_Ignores(patterns, patterns.automaton.begin),)


def read(path: Path) -> bytes:
    """Return the content of a file. Raises UnreadableFileError; a pipe is read to its end."""
    try:
        with path.open("rb") as file:
            # Reading all at once takes no more memory than the file; a pipe has no size.
            is_small = 0 < os.fstat(file.fileno()).st_size <= MOST_BYTES
            content = file.read() if is_small else file.read(MOST_BYTES + 1)
    except OSError as error:
        raise UnreadableFileError(path, _reason(error)) from error
    return bounded(path, content, MOST_BYTES)


def reread(path: Path, most: int = MOST_BYTES) -> bytes | None:
    """Return the content of a regular file in UTF-8, None for what is gone or cannot be read, which is logged.

    What is not a regular file, such as a pipe, is never waited for.
    """
    try:
        content = _read_regular(path, most)
        if content and not content.isascii():
            decode(path, content)
    except UnreadableFileError as error:
        warn("%s", error)
        return None
    return content


def _read_regular(path: Path, most: int) -> bytes | None:
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except FileNotFoundError:
        return None
    except ValueError as error:  # a null character
        raise UnreadableFileError(path, "not a name that a file can have") from error
    except OSError as error:
        raise UnreadableFileError(path, _reason(error)) from error
    try:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            return None
        with open(descriptor, "rb", closefd=False) as file:
            return bounded(path, file.read(most + 1 if found.st_size > most else -1), most)
    except OSError as error:
        raise UnreadableFileError(path, _reason(error)) from error
    finally:
        os.close(descriptor)


def read_file(path: Path, most: int = MOST_BYTES) -> str | None:
    """Return the text of a regular file, None for what is gone or cannot be read, which is logged."""
    content = reread(path, most)
    return None if content is None else content.decode()


def bounded(path: Path, content: bytes, most: int) -> bytes:
    """Return the content as it is. Raises UnreadableFileError where it is too large to be a definition."""
    if len(content) > most:
        raise UnreadableFileError(path, f"larger than {most // 1024} KiB, so not a file that kro could use")
    return content


def is_wide(content: bytes) -> bool:
    """Whether a content is UTF-16 or UTF-32, as some editors of Windows write it: a mark, or every other byte is 0."""
    start = content[:64]
    has_mark = start.startswith((b"\xff\xfe", b"\xfe\xff", b"\0\0\xfe\xff"))
    return has_mark or (len(start) >= 8 and not (any(start[::2]) and any(start[1::2])))


def searchable(content: bytes) -> bytes:
    """Return what to look for ASCII words in, whatever the encoding is."""
    return content.replace(b"\0", b"") if is_wide(content) else content


def decode(path: Path, content: bytes) -> str:
    """Return the text of a file's content. Raises UnreadableFileError where it is not UTF-8; line endings stay."""
    if is_wide(content):
        raise UnreadableFileError(path, "UTF-16 or UTF-32; save it as UTF-8")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise UnreadableFileError(path, f"not UTF-8 (line {line}); save it as UTF-8") from error


def _reason(error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return "no such file or folder; check the path"
    if isinstance(error, IsADirectoryError):
        return "is a folder; name a file in it"
    if isinstance(error, PermissionError):
        return "permission denied; make it readable"
    return (error.strerror or str(error)).lower()
