"""Checks files and collects the results, on all cores when there is enough to do."""

from __future__ import annotations

import os
from contextlib import contextmanager
from functools import reduce
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from msgspec.structs import replace

from kro_ls.cli.file_check import FileCheck, KindSources, Options
from kro_ls.cli.inputs import STANDARD_INPUT, files_in, folders_of, read_text, read_text_with_kinds
from kro_ls.cli.known_kinds import crd_files
from kro_ls.cli.progress import Progress
from kro_ls.cli.report import Checked, CheckedFile, Failure, Report
from kro_ls.garbage import seldom_collecting
from kro_ls.workspace.declared_kinds import declared_kinds
from kro_ls.workspace.files import UnreadableFileError, limits_of
from kro_ls.workspace.project_file import project_settings
from kro_ls.yaml_positions.text import Text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from kro_ls.cli.file_check import Item
    from kro_ls.openapi.kind_schema import GroupVersionKind
    from kro_ls.processes import WorkerProcess
    from kro_ls.workspace.project_file import ProjectSettings

Task = TypeVar("Task")
Outcome = TypeVar("Outcome")

_WORK_OF_WORKER: Final = 400_000
"""So many characters take a worker about as long as four starts of one; files count with some characters more."""
_WORK_OF_FILE: Final = 500
_SECONDS: Final = 60.0
_CHARACTERS_IN_SECOND: Final = 20_000
"""A tenth of what a slow computer checks: a check that takes longer hangs."""


def check_files(paths: Iterable[Path], options: Options, stdin: str | None = None) -> tuple[Report, FileCheck]:
    """Return the report on files and folders, and what checked them; unreadable files do not stop the check.

    Custom kinds are those that CRDs and RGDs in these files declare, and the CRDs that `crds` name. Raises InputError
    where one of them names nothing, and for a Kubernetes version that is not bundled.
    A `.kro-ls.yaml` fills in what the settings leave open. `stdin` is the text of standard input if already read.
    """
    unreadable: list[UnreadableFileError] = []
    progress = Progress(is_quiet=options.is_quiet)
    projects, sources = read_sources(tuple(paths), options, stdin, progress, unreadable)
    texts = sources.texts
    processes = _processes(texts.values())
    with waiting_processes() as waiting:
        if processes > 1:
            sources = replace(sources, declared=_declared(sources, processes, waiting, progress, unreadable))
        check = FileCheck(sources, options, sources.read(unreadable.append))
        number, shards = options.shard  # kinds come from all files, so only what is checked is shared out
        checked_here = islice(sources.texts, number - 1, None, shards)
        items = [(path, options.settings_in(projects.get(Path(path).parent))) for path in checked_here]
        found = _results(check, items, processes, waiting, progress, unreadable)
        checked = tuple(CheckedFile(path, Text(texts[path]), each) for path, each in found)
    return Report(checked, tuple(unreadable)), check


def read_sources(
    paths: tuple[Path, ...],
    options: Options,
    stdin: str | None,
    progress: Progress,
    unreadable: list[UnreadableFileError],
) -> tuple[dict[Path, ProjectSettings | None], KindSources]:
    """Return the texts of files and folders with the sources of their kinds, and the settings of their folders."""
    files = progress.of("Reading", files_in(paths, unreadable.append))
    texts = dict(_texts(files, options.stdin_name, stdin, unreadable))
    projects = _projects(map(Path, texts), unreadable)
    return projects, _sources(paths, texts, projects, options, unreadable)


@contextmanager
def waiting_processes() -> Iterator[list[WorkerProcess]]:
    """Keep the worker processes of one task for the next: starting one takes as long as checking 100 files."""
    waiting: list[WorkerProcess] = []
    try:
        yield waiting
    finally:
        for process in waiting:
            process.close()


def _texts(
    files: Iterable[tuple[Path, bool]],
    stdin_name: Path | None,
    stdin: str | None,
    unreadable: list[UnreadableFileError],
) -> Iterator[tuple[str, str]]:
    for path, named in files:
        if path == STANDARD_INPUT and stdin is not None:
            yield str(stdin_name or path), stdin
            continue
        try:
            text = read_text(path) if named else read_text_with_kinds(path)
        except UnreadableFileError as error:
            unreadable.append(error)
            continue
        if text:
            is_stdin = path == STANDARD_INPUT and stdin_name is not None
            yield str(stdin_name if is_stdin else path), text.content


def _projects(texts: Iterable[Path], unreadable: list[UnreadableFileError]) -> dict[Path, ProjectSettings | None]:
    """Return the settings of the folders that hold the files."""
    found: dict[Path, ProjectSettings | None] = {}
    refused: set[Path] = set()
    for path in texts:
        if path.parent not in found:
            try:
                found[path.parent] = project_settings(path)
            except UnreadableFileError as error:
                found[path.parent] = None
                if error.path not in refused:
                    refused.add(error.path)
                    unreadable.append(error)
    return found


def _sources(
    paths: Iterable[Path],
    texts: dict[str, str],
    projects: dict[Path, ProjectSettings | None],
    options: Options,
    unreadable: list[UnreadableFileError],
) -> KindSources:
    known = list({project.folder: project for project in projects.values() if project}.values())
    named = [file for project in known for file in project.files("crds", unreadable.append)]
    openapi = [file for project in known for file in project.files("openapi", unreadable.append)]
    minors = (project.kubernetes_version for project in known if project.kubernetes_version)
    files = (str(path) for path in chain(crd_files(options.crds), named))
    return KindSources(
        texts,
        tuple(path for path in dict.fromkeys(files) if path not in texts),
        tuple(dict.fromkeys([".", *(str(limit) for folder in folders_of(paths) for limit in limits_of(folder))])),
        options.kubernetes_version or next(minors, None),
        () if options.kubernetes_version else tuple(map(str, dict.fromkeys(openapi))),
        well_known=reduce(lambda policy, project: project.well_known.under(policy), known, options.well_known),
    )


def _processes(texts: Iterable[str]) -> int:
    """Return how many processes are worth starting for these texts."""
    work = sum(len(text) + _WORK_OF_FILE for text in texts)
    return max(1, min(cores(), work // _WORK_OF_WORKER))


def cores() -> int:
    """Return how many processes may run at once."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # there is no such call on macOS and Windows
        return os.cpu_count() or 1


def _declared(
    sources: KindSources,
    processes: int,
    waiting: list[WorkerProcess],
    progress: Progress,
    unreadable: list[UnreadableFileError],
) -> dict[str, tuple[GroupVersionKind, ...]]:
    """Return the kinds that the texts declare; a text on which a worker fails is removed from the texts."""
    paths = list(sources.texts)
    results = results_of(declared_kinds, list(sources.texts.values()), processes, _seconds, waiting)
    found: dict[str, tuple[GroupVersionKind, ...]] = {}
    for number, kinds in progress.of("Looking for kinds in", results, len(paths)):
        path = paths[number]
        if isinstance(kinds, Failure):
            unreadable.append(UnreadableFileError(Path(path), kinds.reason))
            del sources.texts[path]
        else:
            found[path] = kinds
    return found


def _results(
    check: FileCheck,
    items: list[Item],
    processes: int,
    waiting: list[WorkerProcess],
    progress: Progress,
    unreadable: list[UnreadableFileError],
) -> Iterator[tuple[str, Checked]]:
    """Yield the results in the order of the files."""
    texts = check.sources.texts
    results = results_of(check.reported, items, processes, lambda item: _seconds(texts[item[0]]), waiting)
    found = dict(progress.of("Checking", results, len(items)))
    for number, (path, _) in enumerate(items):
        each = found[number]
        if isinstance(each, Failure):
            unreadable.append(UnreadableFileError(Path(path), each.reason))
        elif each is not None:
            yield path, each


def results_of(
    call: Callable[[Task], Outcome],
    tasks: list[Task],
    processes: int,
    seconds: Callable[[Task], float],
    waiting: list[WorkerProcess],
) -> Iterator[tuple[int, Outcome | Failure]]:
    """Yield the number and the outcome of each task, done here or, in any order, in several processes."""
    if processes > 1:
        from kro_ls.cli.workers import Work

        yield from Work(call, tasks, processes, seconds, waiting).results()
    else:
        yield from ((number, call(each)) for number, each in enumerate(seldom_collecting(tasks)))


def _seconds(text: str) -> float:
    """Return the most seconds that checking a text may take."""
    return _SECONDS + len(text) / _CHARACTERS_IN_SECOND
