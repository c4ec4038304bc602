"""The parts of what the user names: files, folders, charts and OCI layouts, or a content that came otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.openapi.sources.provenance import UNKNOWN, Provenance
from kro_ls.workspace.files import UnreadableFileError, limits_of, read, yaml_files
from kro_ls.workspace.gathering.archives import (
    chart_origin,
    is_archive,
    is_layout,
    parts_of_archive,
    parts_of_layout,
)
from kro_ls.workspace.gathering.part import LARGEST_INPUT, Part, UnusableError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from kro_ls.workspace.gathering.part import OnProblem


def parts_of_path(path: Path, on_problem: OnProblem) -> Iterator[Part]:
    """Yield the parts of a file or folder, in which also charts are looked for. Raises UnusableError."""
    if is_layout(path):
        yield from parts_of_layout(path)
    elif path.is_dir():
        yield from _parts_of_folder(path, on_problem)
    else:
        yield from _parts_of_file(path, Provenance())


def parts_of_content(name: str, content: bytes, origin: Provenance = UNKNOWN) -> Iterator[Part]:
    """Yield the parts of a content, which may be an archive. Raises UnusableError."""
    if is_archive(content):
        yield from parts_of_archive(name, content, origin)
    else:
        yield Part(name, content, origin)


def _parts_of_folder(folder: Path, on_problem: OnProblem) -> Iterator[Part]:
    charts: dict[Path, Provenance] = {}

    def report(error: UnreadableFileError) -> None:
        on_problem(UnusableError(str(error.path), error.reason))

    limits = limits_of(folder)
    files = [*yaml_files(folder, report, limits), *_others(folder)]
    for file in files:
        if file.name == "Chart.yaml":
            charts[file.parent] = chart_origin(_read(file))
    for file in files:
        origin = next((charts[each] for each in file.parents if each in charts), Provenance())
        try:
            yield from _parts_of_file(file, origin)
        except UnusableError as error:
            on_problem(error)


def _others(folder: Path) -> Iterator[Path]:
    """Yield the files directly in a folder that may hold definitions and are no YAML."""
    yield from (file for file in sorted(folder.iterdir()) if file.name.endswith((".json", ".tgz", ".tar.gz")))


def _parts_of_file(path: Path, origin: Provenance) -> Iterator[Part]:
    yield from parts_of_content(str(path), _read(path), origin)


def _read(path: Path) -> bytes:
    try:
        return read(path, LARGEST_INPUT)
    except UnreadableFileError as error:
        raise UnusableError(str(path), error.reason) from error
