"""Finds YAML files in folders, as `git` would see them, and reads them.

Source of the rules: gitignore(5). A `.gitignore` deeper in the tree wins over one above it, and nothing inside an
ignored folder is looked at.
"""

from __future__ import annotations

import os
import re
import stat
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.printable import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Sequence

    from kro_ls.workspace.gitignore import GitIgnore


YAML_SUFFIXES = (".yaml", ".yml")
SKIPPED_FOLDERS = frozenset({".git", "node_modules", ".venv"})
"""Folders without definitions of the user, even if no `.gitignore` names them."""

# etcd stores no object over a few megabytes, so a larger file is something else.
MOST_BYTES = 32 * 1024 * 1024
MOST_NAMED_BYTES = 4 * MOST_BYTES
"""For a file with definitions that the user names: those of a cluster may have a hundred megabytes."""

# The time per name grows with it. This is a hundred times what people write, and takes half a millisecond per name.
_MOST_IGNORE_BYTES = 256 * 1024
_PIECE = 64 * 1024

_OWN_DESCRIPTOR = r"/dev/stdin|(?:/dev|/proc/self)/fd/\d+"
"""What a shell passes for `<(command)`. A path in a workspace starts with the folder of the workspace."""


class UnreadableFileError(Exception):
    """A file or folder that cannot be read; its text says why and what to do, and is printable."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(printable(f"{path}: {reason}"))
        self.path = path
        self.reason = reason


class _Ignores(Struct, frozen=True):
    """The patterns of one `.gitignore`, and their state in some folder."""

    patterns: GitIgnore
    state: int


def is_inside(path: str | Path, folders: Iterable[Path]) -> bool:
    """Whether a path leads into one of some folders when its symbolic links are followed; it need not exist."""
    drive = os.path.splitdrive(path)[0]
    try:
        # Following a path to a Windows share would contact another computer.
        near = [folder for folder in folders if not drive or os.path.splitdrive(folder)[0].lower() == drive.lower()]
        real = Path(os.path.realpath(path)) if near else Path()
    except (OSError, ValueError):  # a name that no file can have
        return False
    return any(real.is_relative_to(os.path.realpath(folder)) for folder in near)


def named_inside(folder: Path, name: str, root: Path) -> Path | None:
    """Return the path that a file in a folder names, None if it leads out of `root`; it need not exist.

    Its text is checked before its symbolic links are followed, so that nothing outside is accessed, not even to see
    whether it exists.
    """
    here, limit = Path(os.path.realpath(folder)), Path(os.path.realpath(root))
    is_below = Path(os.path.normpath(here / name)).is_relative_to(limit)
    return folder / name if is_below and is_inside(folder / name, (root,)) else None


def repository_of(folder: Path) -> Path | None:
    """Return the nearest folder with a `.git` at or above a folder, None if there is none."""
    absolute = folder.absolute()
    return next((each for each in (absolute, *absolute.parents) if os.path.exists(each / ".git")), None)


def may_read(path: str, folders: Sequence[Path], named: Container[str]) -> bool:
    """Whether a client may have a file read: one in the folders once links are followed, or one that settings name."""
    is_below = any(Path(path).is_relative_to(folder) for folder in folders)
    return is_inside(path, folders) or (path in named and not is_below)


def limits_of(folder: Path) -> tuple[Path, ...]:
    """Return where links in a folder may lead: into it, its repository, and the working folder."""
    here: tuple[Path, ...] = ()
    with suppress(OSError):  # the working folder may be gone
        here = (Path.cwd(),)
    return (folder, repository_of(folder) or folder, *here)


def yaml_files(
    folder: Path, on_error: Callable[[UnreadableFileError], None] | None = None, within: Sequence[Path] | None = None
) -> Iterator[Path]:
    """Yield the YAML files in a folder and below it, sorted by name in each folder, files before folders.

    Left out is what a `.gitignore` ignores (those up to the root of the repository count; the folder itself is never
    ignored), `SKIPPED_FOLDERS`, and folders behind symbolic links, which could form circles. With `within`, links that
    lead out of these folders are left out, too. Paths begin with `folder` as given. `on_error` gets the error of each
    folder that cannot be read.
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
        is_allowed = within is None or not entry.is_symlink() or is_inside(entry.path, within)
        return is_allowed and entry.is_file()
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
    """Return the patterns above a folder in its repository that do not ignore it, the outermost first."""
    root = repository_of(folder) or folder
    found: tuple[_Ignores, ...] = ()
    parent = root
    for name in folder.relative_to(root).parts:
        reached = _follow((*found, *_ignores_in(parent)), name)
        found = () if _is_ignored(reached, is_folder=True) else _enter(reached)
        parent /= name
    return found


def _ignores_in(folder: Path) -> tuple[_Ignores, ...]:
    """Return the patterns of a folder; like git, ignore a `.gitignore` that is a link."""
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
        warn("%s: only the patterns in the first %s KiB count", path, _MOST_IGNORE_BYTES // 1024)
        content = content[: content.rfind(b"\n", 0, _MOST_IGNORE_BYTES) + 1]
    patterns = GitIgnore(content)
    return (_Ignores(patterns, patterns.automaton.begin),)


def is_regular(path: Path) -> bool:
    """Whether there is a regular file at a path; links are followed."""
    try:
        return stat.S_ISREG(os.stat(path).st_mode)
    except (OSError, ValueError):
        return False


def read(path: Path, most: int | None = None) -> bytes:
    """Return the content of a regular file of at most MOST_BYTES, or `most` bytes. Raises UnreadableFileError.

    A pipe, device or socket is refused without opening it, which could block for ever or have effects. Only the
    process's own descriptors (`/dev/stdin`, `/dev/fd/63`) are read to their end, whatever they are.
    """
    most = MOST_BYTES if most is None else most
    is_own = str(path).startswith(("/dev/", "/proc/")) and re.fullmatch(_OWN_DESCRIPTOR, str(path))
    try:
        if not is_own:
            _require_regular(path, os.stat(path).st_mode)
        with open(path, "rb", buffering=0, opener=None if is_own else _open_without_waiting) as file:
            found = os.fstat(file.fileno())
            if not is_own:
                _require_regular(path, found.st_mode)
            pieces, left, size = [b""], most + 1, max(found.st_size + 1, _PIECE)
            while left and (piece := file.read(min(left, size))):  # None: a file of /proc that would wait
                pieces.append(piece)
                left -= len(piece)
    except ValueError as error:  # a null character
        raise UnreadableFileError(path, "not a name that a file can have") from error
    except OSError as error:
        raise UnreadableFileError(path, _reason(error)) from error
    return bounded(path, b"".join(pieces), most)


def _open_without_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0))


def _require_regular(path: Path, mode: int) -> None:
    if stat.S_ISDIR(mode):
        raise UnreadableFileError(path, "is a folder; name a file in it")
    if not stat.S_ISREG(mode):
        raise UnreadableFileError(path, "a pipe, a device or a socket, which is not read; name a regular file")


def reread(path: Path, most: int = MOST_BYTES) -> bytes | None:
    """Return the content of a regular file in UTF-8, None if it is gone or, which is logged, cannot be read."""
    if not is_regular(path):
        return None
    try:
        content = read(path, most)
        if content and not content.isascii():
            decode(path, content)
    except UnreadableFileError as error:
        warn("%s", error)
        return None
    return content


def read_file(path: Path, most: int = MOST_BYTES) -> str | None:
    """Return the text of a regular file, None if it is gone or, which is logged, cannot be read."""
    content = reread(path, most)
    return None if content is None else content.decode()


def bounded(path: Path, content: bytes, most: int) -> bytes:
    """Return the content. Raises UnreadableFileError if it is too large to be a definition."""
    if len(content) > most:
        raise UnreadableFileError(path, f"larger than {most // 1024} KiB, so not a file that kro could use")
    return content


def is_wide(content: bytes) -> bool:
    """Whether a content is UTF-16 or UTF-32, as some editors on Windows write it: a mark, or every other byte is 0."""
    start = content[:64]
    has_mark = start.startswith((b"\xff\xfe", b"\xfe\xff", b"\0\0\xfe\xff"))
    return has_mark or (len(start) >= 8 and not (any(start[::2]) and any(start[1::2])))


def searchable(content: bytes) -> bytes:
    """Return a content in which ASCII words can be found, whatever its encoding is."""
    return content.replace(b"\0", b"") if is_wide(content) else content


def decode(path: Path | str, content: bytes) -> str:
    """Return the text of a content with its line endings. Raises UnreadableFileError if it is not UTF-8."""
    if is_wide(content):
        raise UnreadableFileError(Path(path), "UTF-16 or UTF-32; save it as UTF-8")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise UnreadableFileError(Path(path), f"not UTF-8 (line {line}); save it as UTF-8") from error


def _reason(error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return "no such file or folder; check the path"
    if isinstance(error, PermissionError):
        return "permission denied; make it readable"
    return (error.strerror or str(error)).lower()


def warn(message: str, *arguments: object) -> None:
    """Log a warning, with the arguments for its `%s`, which are made printable."""
    import logging  # most commands log nothing, and do not pay for it

    logging.getLogger("kro_ls.workspace").warning(message, *(printable(str(each)) for each in arguments))
