"""Finds what patterns such as `crds/**/*.yaml` name.

The forms are those of Python's `glob`, with `**` for any number of folders. Unlike `glob`, a search follows no symbolic
link to a folder, so that it ends whatever the links of a workspace are.
"""

from __future__ import annotations

import os
import re
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING, Final

from kro_ls.workspace.files import is_inside, is_regular, limits_of, yaml_files

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from kro_ls.workspace.files import UnreadableFileError

_WILD: Final = r"[*?\[]"
_ANY_DEPTH: Final = "**"


def files_named(
    pattern: Path,
    on_error: Callable[[UnreadableFileError], None] | None = None,
    within: Sequence[Path] | None = None,
) -> Iterator[Path]:
    """Yield the files that a path or a glob names; of a folder those in YAML and JSON.

    Links must lead into the folders `within`, by default `limits_of` the folder that is searched; with `within`, so
    must the path itself. A pipe or device is found only by its exact name, so that reading it can be refused.
    `on_error` gets the error of each folder that cannot be read.
    """
    start, parts = _fixed_and_wild(pattern)
    if within is not None and not is_inside(start, within):
        return
    limits = within or limits_of(start)
    for path in _search(start, parts) if parts else (pattern,) if os.path.lexists(pattern) else ():
        if os.path.isdir(path):
            yield from yaml_files(path, on_error, limits)
            yield from (file for file in sorted(path.glob("*.json")) if is_inside(file, limits))
        elif not parts or (is_regular(path) and is_inside(path, limits)):
            yield path


def _fixed_and_wild(pattern: Path) -> tuple[Path, tuple[str, ...]]:
    """Return the part of a path before the first name that is a pattern, and the names from there on."""
    parts = pattern.parts
    fixed = next((number for number, part in enumerate(parts) if re.search(_WILD, part)), len(parts))
    return (pattern, ()) if os.path.lexists(pattern) else (Path(*parts[:fixed]), parts[fixed:])


def _search(start: Path, parts: Sequence[str]) -> Iterator[Path]:
    """Yield the files and the folders whose path below `start` the parts match, sorted by name in each folder.

    Each folder has the numbers of the parts that the names in it may match, so the time is proportional to the number
    of files, whatever the pattern is.
    """
    only_files = parts[-1] == _ANY_DEPTH
    if only_files:
        parts = (*parts, "*")
    pending = [(start, _reached({0}, parts))]
    while pending:
        folder, numbers = pending.pop()
        try:
            with os.scandir(folder) as scan:
                entries = sorted(scan, key=lambda entry: entry.name)
        except OSError:
            continue
        below = []
        for entry in entries:
            next_numbers = _after(entry.name, numbers, parts)
            is_folder, is_match = entry.is_dir(follow_symlinks=False), len(parts) in next_numbers
            if is_match and (not only_files if is_folder else not _is_linked_folder(entry)):
                yield folder / entry.name
            elif is_folder and next_numbers:
                below.append((folder / entry.name, next_numbers))
        pending.extend(reversed(below))


def _is_linked_folder(entry: os.DirEntry[str]) -> bool:
    return entry.is_symlink() and os.path.isdir(entry.path)


def _after(name: str, numbers: Iterable[int], parts: Sequence[str]) -> frozenset[int]:
    """Return the numbers of the parts that may come after a name."""
    found = set()
    for number in numbers:
        part = parts[number] if number < len(parts) else ""
        if part == _ANY_DEPTH and not name.startswith("."):
            found.add(number)
        elif part and fnmatch(name, part) and (part.startswith(".") or not name.startswith(".")):
            found.add(number + 1)
    return _reached(found, parts)


def _reached(numbers: set[int], parts: Sequence[str]) -> frozenset[int]:
    """Return the numbers with those behind each `**`, which may stand for no folder at all."""
    found = set(numbers)
    for number, part in enumerate(parts):
        if part == _ANY_DEPTH and number in found:
            found.add(number + 1)
    return frozenset(found)
