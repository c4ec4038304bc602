"""Reads what the user names on the command line: files, folders and standard input."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from kro_ls.cli.input_error import InputError
from kro_ls.kro.forms import KIND
from kro_ls.kro.versions.history import FORMER_KIND
from kro_ls.printable import printable
from kro_ls.rules.diagnosis import DEFAULT_SETTINGS
from kro_ls.workspace.file_schemas import TEST_ENDINGS
from kro_ls.workspace.files import (
    MOST_BYTES,
    UnreadableFileError,
    bounded,
    decode,
    limits_of,
    read,
    searchable,
    yaml_files,
)
from kro_ls.workspace.text_files import may_hold_instance, may_hold_roles
from kro_ls.yaml_positions.text import Text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from kro_ls.analysis.analysis import Analysis
    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.rules.settings import Settings
    from kro_ls.workspace.snapshot import Snapshot


STANDARD_INPUT = Path("-")

_KINDS = (KIND.encode(), FORMER_KIND.encode(), b"CustomResourceDefinition")


def shown_name(path: Path | str) -> str:
    """Return the name to show for a file: `<stdin>` for standard input."""
    return "<stdin>" if str(path) == str(STANDARD_INPUT) else printable(str(path))


def position_text(path: Path | str, text: Text, offset: int) -> str:
    """Return `path:line:column`; line and column are 1-based, columns count code points."""
    position = text.position(offset)
    return f"{path}:{position.line + 1}:{position.column + 1}"


def files_in(
    paths: Iterable[Path], on_error: Callable[[UnreadableFileError], None], *, with_links_out: bool = False
) -> Iterator[tuple[Path, bool]]:
    """Yield each file once, and whether the user named it; a folder gives the YAML files that `yaml_files` finds.

    Links out of the folder, the repository that holds it and the working folder are left out, unless the caller wants
    them `with_links_out` to refuse them.
    """
    seen: set[Path] = set()
    for path in paths:
        is_folder = path != STANDARD_INPUT and os.path.isdir(path)
        within = None if with_links_out else limits_of(path)
        for file in yaml_files(path, on_error, within) if is_folder else (path,):
            absolute = file.absolute()
            if absolute not in seen:
                seen.add(absolute)
                yield file, not is_folder


def folders_of(named: Iterable[Path]) -> tuple[Path, ...]:
    """Return the folders that the user named, and those of the named files; nothing is written outside of them."""
    paths = (path for path in named if path != STANDARD_INPUT)
    return tuple(dict.fromkeys(path if path.is_dir() else path.parent for path in paths))


def read_text(path: Path) -> Text:
    """Return the text of a file, or of standard input for `-`. Raises UnreadableFileError."""
    return Text(decode(path, _read(path)))


def texts_in(paths: Iterable[Path], *, skips_unreadable: bool = False) -> Iterator[tuple[Path, Text]]:
    """Yield the files of `files_in` with their texts. Raises UnreadableFileError.

    With `skips_unreadable`, files in folders that cannot be read are left out.
    """

    def refuse(error: UnreadableFileError) -> None:
        raise error

    for path, is_named in files_in(paths, refuse):
        try:
            yield path, read_text(path)
        except UnreadableFileError:
            if is_named or not skips_unreadable:
                raise


def committed_files(ref: str, paths: Iterable[Path], advice: str) -> Iterator[tuple[Path, bytes]]:
    """Yield the YAML files below the paths as they are in a commit. Raises GitError.

    `advice` says what to do where there are no commits.
    """
    from kro_ls.workspace.git import NoRepositoryError, yaml_files_at

    try:
        yield from yaml_files_at(ref, paths)
    except NoRepositoryError as error:
        raise InputError(f"{error}; {advice}") from error


def read_snapshot(
    path: Path,
    schemas: SchemaIndex | None = None,
    settings: Settings = DEFAULT_SETTINGS,
    *,
    names_version: bool = False,
) -> Snapshot:
    """Return `file_snapshot` of a file, or of standard input for `-`. Raises UnreadableFileError."""
    from kro_ls.workspace.snapshot import file_snapshot

    return file_snapshot(path, read_text(path), schemas, settings, names_version=names_version)


def require_rendered(path: Path, analysis: Analysis) -> None:
    """Raise InputError for a Helm template, which kro could not use."""
    if analysis.actions.spans:
        raise InputError(f"{path} is a template: let Helm render it first (helm template)")


def read_text_with_kinds(path: Path) -> Text | None:
    """Return the text of a file, or None if it is no test and has nothing to do with kro, in any encoding.

    Raises UnreadableFileError.
    """
    return wanted_text(path, _read(path))


def wanted_text(path: Path, content: bytes) -> Text | None:
    """Return what a file holds as `read_text_with_kinds` does. Raises UnreadableFileError."""
    searched = searchable(content)
    is_wanted = (
        path.name.endswith(TEST_ENDINGS)
        or any(kind in searched for kind in _KINDS)
        or may_hold_instance(searched)
        or may_hold_roles(searched)
    )
    return Text(decode(path, content)) if is_wanted else None


def _read(path: Path) -> bytes:
    if path == STANDARD_INPUT:
        if sys.stdin is None:
            raise UnreadableFileError(path, "standard input is closed")
        try:
            return bounded(path, sys.stdin.buffer.read(MOST_BYTES + 1), MOST_BYTES)
        except OSError as error:
            raise UnreadableFileError(path, f"standard input cannot be read: {error.strerror}") from error
    return read(path)


def repository_path(path: str, variable: str) -> str:
    """Return the path below the folder of the repository, with forward slashes; `-` and paths outside of it as given.

    The environment variable names that folder; without it, it is the working folder.
    """
    root = os.path.abspath(os.environ.get(variable, os.curdir))
    absolute = Path(os.path.abspath(path))
    is_inside = path != "-" and absolute.is_relative_to(root)
    return absolute.relative_to(root).as_posix() if is_inside else Path(path).as_posix()
