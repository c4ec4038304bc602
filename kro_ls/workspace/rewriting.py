"""Writes files of the user without leaving half-written ones or losing changes of other programs.

The new content goes into a temporary file in the same folder, which then replaces the file in one step, see rename(2).
A hard link to the file keeps the old content; a symbolic link stays, and the file it leads to is replaced.
"""

from __future__ import annotations

import os
import secrets
import shutil
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from kro_ls.workspace.files import UnreadableFileError, is_inside, read

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_PREFIX, _SUFFIX = ".kro-ls-", ".tmp"  # hidden, and not YAML, so that it is no definition


class UnwritableFileError(Exception):
    """A file that was not written; the text says why and what to do."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason


def rewrite(path: Path, before: str, after: str, within: Iterable[Path]) -> None:
    """Replace the text of a file that was read as `before`; mode, owner and extended attributes stay.

    A symbolic link may only lead to a file in one of the folders `within`. Raises UnwritableFileError and leaves the
    file unchanged, also if another program has written to it since it was read.
    """
    if not is_inside(path, within):
        reason = f"it leads to {os.path.realpath(path)}, outside of what was named; name that file itself"
        raise UnwritableFileError(path, reason)
    old = before.encode()

    def check(target: Path) -> None:
        try:
            is_same = read(target) == old
        except UnreadableFileError:
            is_same = False
        if not is_same:
            raise UnwritableFileError(path, "another program changed it meanwhile; run the command again")

    _replace(path, after, check)


def write(path: Path, text: str) -> None:
    """Write a text to a file, which need not exist. Raises UnwritableFileError.

    A pipe, or a device such as `/dev/stdout`, is written to directly.
    """
    if path.is_symlink() or (path.exists() and not path.is_file()):
        try:
            path.write_text(text, encoding="utf-8", newline="")
        except OSError as error:
            raise UnwritableFileError(path, _reason(error)) from error
    else:
        _replace(path, text, lambda _: None)


def _replace(path: Path, text: str, check: Callable[[Path], None]) -> None:
    """Create or replace a file with a text unless the check raises."""
    target = Path(os.path.realpath(path))
    # The name is chosen before the file is created, so that it is removed even after an interrupt.
    temporary = target.with_name(f"{_PREFIX}{secrets.token_hex(8)}{_SUFFIX}")
    try:
        content = text.encode()
        with temporary.open("xb") as file:
            if target.exists():
                _require_writable(path, target)
                _take_attributes(path, target, temporary)
            file.write(content)
            file.flush()
            os.fsync(file.fileno())  # else a crash could leave an empty file under the name
        check(target)
        temporary.replace(target)
    except UnicodeEncodeError as error:
        raise UnwritableFileError(path, "the new text has a character that UTF-8 cannot hold") from error
    except OSError as error:
        raise UnwritableFileError(path, _reason(error)) from error
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def _require_writable(path: Path, target: Path) -> None:
    """Raise UnwritableFileError for a protected file, since replacing it needs only a writable folder."""
    if not target.is_file():
        raise UnwritableFileError(path, "not a regular file, so it cannot be replaced")
    if not os.access(target, os.W_OK):
        raise UnwritableFileError(path, "permission denied; make it writable")


def _take_attributes(path: Path, target: Path, temporary: Path) -> None:
    """Give the temporary file the mode, owner, access list and attributes of the target."""
    old, new = target.stat(), temporary.stat()
    if hasattr(os, "chown") and (old.st_uid, old.st_gid) != (new.st_uid, new.st_gid):
        try:
            os.chown(temporary, old.st_uid, old.st_gid)
        except PermissionError as error:
            reason = "its owner or group cannot be given to a new file; run the command as its owner"
            raise UnwritableFileError(path, reason) from error
    shutil.copystat(target, temporary)


def _reason(error: OSError) -> str:
    if isinstance(error, PermissionError):
        return "permission denied; make the file and its folder writable"
    return f"{(error.strerror or str(error)).lower()}; the file is as it was"
