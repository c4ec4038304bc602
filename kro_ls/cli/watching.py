"""Runs a check again whenever a file that it reads changes."""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

import click

from kro_ls.cli.input_error import input_errors
from kro_ls.cli.inputs import files_in
from kro_ls.workspace.files import YAML_SUFFIXES, UnreadableFileError
from kro_ls.workspace.patterns import files_named
from kro_ls.workspace.project_file import PROJECT_FILE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_SHORTEST_PAUSE: Final = 0.3
_SHARE_OF_PAUSES: Final = 10
"""Looking for changes takes at most a tenth of the time, however many files there are."""

State: TypeAlias = "dict[str, tuple[int, int]]"
"""The watched files, each with its modification time in nanoseconds and its size in bytes."""


def keep_running(run: Callable[[], object], paths: Iterable[Path], crds: Iterable[str]) -> None:
    """Run now and after each change of the files; an interrupt ends this quietly."""
    paths, crds = tuple(paths), tuple(crds)
    try:
        while True:
            state = state_of(paths, crds)
            if sys.stdout.isatty():
                click.clear()
            try:
                with input_errors():
                    run()
            except click.ClickException as error:  # such as settings that are being written
                error.show()
            click.echo(click.style("Watching for changes; Ctrl-C ends this.", dim=True), err=True)
            sys.stdout.flush()
            _wait_for_change(state, paths, crds)
    except KeyboardInterrupt:
        if sys.stderr.isatty():
            click.echo(err=True)  # after the ^C, so that the prompt has a line of its own


def _wait_for_change(state: State, paths: tuple[Path, ...], crds: tuple[str, ...]) -> None:
    pause = _SHORTEST_PAUSE
    while True:
        time.sleep(pause)
        started = time.monotonic()
        if state_of(paths, crds) != state:
            return
        pause = max(_SHORTEST_PAUSE, _SHARE_OF_PAUSES * (time.monotonic() - started))


def state_of(paths: Iterable[Path], crds: Iterable[str]) -> State:
    """Return the files that a check of some paths reads; a new or removed file counts as a change."""
    state: State = {}
    for name in _names(paths, crds):
        if name not in state:
            with suppress(OSError, ValueError):
                found = os.stat(name)
                state[name] = (found.st_mtime_ns, found.st_size)
    return state


def _names(paths: Iterable[Path], crds: Iterable[str]) -> Iterator[str]:
    folders: set[Path] = set()

    def ignore(_: UnreadableFileError) -> None:
        """The run reports it."""

    for path, _ in files_in(paths, ignore):
        yield str(path)
        folders.add(path.absolute().parent)
    for path in paths:
        folders.add(path.absolute())
    for folder in {above for each in folders for above in (each, *each.parents)}:
        yield str(folder / PROJECT_FILE)
        yield from (str(folder / f"kustomization{suffix}") for suffix in YAML_SUFFIXES)
        yield str(folder / ".gitignore")
    for pattern in crds:
        yield from map(str, files_named(Path(pattern).expanduser(), ignore))
