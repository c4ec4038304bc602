"""Finds what patterns such as `crds/**/*.yaml` name.

The forms are those of Python's `glob`, with `**` for any number of folders. Unlike `glob`, a search follows no symbolic
link to a folder that it comes across, so that it ends whatever the links of a workspace are.
"""

from __future__ import annotations

import os
import re
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING, Final

from kro_ls.workspace.files import is_inside, yaml_files

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from kro_ls.workspace.files import UnreadableFileError

_WILD: Final = re.compile(r"[*?\[]")
_ANY_DEPTH: Final = "**"


def files_named(
    pattern: Path,
    on_error: Callable[[UnreadableFileError], None] | None = None,
    within: Sequence[Path] | None = None,
) -> Iterator[Path]:
    """Yield the files that a path of a file, a folder or a glob names; of a folder those in YAML and JSON.

    With `within`, only what leads into these folders once symbolic links are followed. `on_error` gets each folder
    named that cannot be read.
    """
    for path in _paths(pattern, within):
        found = (*yaml_files(path, on_error, within), *sorted(path.glob("*.json"))) if path.is_dir() else (path,)
        yield from (file for file in found if within is None or is_inside(file, within))


def _paths(pattern: Path, within: Sequence[Path] | None) -> Iterable[Path]:
    parts = pattern.parts
    fixed = next((number for number, part in enumerate(parts) if _WILD.search(part)), len(parts))
    start = Path(*parts[:fixed])
    if within is not None and not is_inside(start, within):
        return ()
    if fixed == len(parts) or os.path.lexists(pattern):
        return (pattern,) if os.path.lexists(pattern) else ()
    return _search(start, parts[fixed:])


def _search(start: Path, parts: Sequence[str]) -> Iterator[Path]:
    """Yield the files and the folders whose path below `start` the parts match, sorted by name in each folder.

    A folder is kept with the numbers of the parts that the names in it may match: the time is proportional to the
    number of files, whatever the pattern is.
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
