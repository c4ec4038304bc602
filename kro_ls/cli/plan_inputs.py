"""Reads both sides of a plan: the previous texts from git or a cluster, and the new texts from files."""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from kro_ls.cli.checking import read_sources
from kro_ls.cli.input_error import InputError
from kro_ls.cli.inputs import committed_files, wanted_text
from kro_ls.cli.report import Failure
from kro_ls.workspace.editions import Edition
from kro_ls.workspace.files import UnreadableFileError
from kro_ls.workspace.planning import Planner

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from kro_ls.cli.file_check import KindSources, Options
    from kro_ls.cli.progress import Progress
    from kro_ls.runtime.plans.plan import InstancePlan
    from kro_ls.workspace.planning import InstanceChange


class Sides(Struct, frozen=True, dict=True):
    """Both sides of a plan, as they go to other processes; `with_values` has it carry the objects themselves."""

    old_sources: KindSources
    new_sources: KindSources
    options: Options
    with_values: bool = False

    @cached_property
    def old(self) -> Edition:
        """The previous definitions."""
        return self._edition(self.old_sources)

    @cached_property
    def new(self) -> Edition:
        """The new definitions."""
        return self._edition(self.new_sources)

    @cached_property
    def planner(self) -> Planner:
        """Plans one instance after the other."""
        return Planner(self.old, self.new, with_values=self.with_values)

    def _edition(self, sources: KindSources) -> Edition:
        kinds = sources.read(lambda _: None)  # the process that read them first reported what cannot be read
        return Edition(sources.texts, kinds, self.options.settings_of)


class PlanWork:
    """Plans the changes that it is given, in this process or in a worker."""

    def __init__(self, sides: Sides) -> None:
        self._sides = sides

    def __reduce__(self) -> tuple[type[PlanWork], tuple[Sides]]:
        return PlanWork, (replace(self._sides),)  # without what this process computed from it

    def __call__(self, change: InstanceChange) -> list[InstancePlan] | Failure:
        """Return the plans for one instance or all instances in a file, or why kro-ls fails on it."""
        try:
            return self._sides.planner.plan(change)
        except Exception as error:
            return Failure(f"not planned: {type(error).__name__}: {error}; please report it")


def new_sources(paths: tuple[Path, ...], options: Options, progress: Progress) -> KindSources:
    """Return the files as they are now. Raises InputError for what cannot be read."""
    unreadable: list[UnreadableFileError] = []
    _, sources = read_sources(paths, options, None, progress, unreadable)
    if unreadable:
        raise InputError("\n".join(map(str, unreadable)), shown=True)
    return sources


def sources_at(ref: str, paths: Iterable[Path], now: KindSources) -> KindSources:
    """Return the files as they are in a commit. Raises GitError or InputError if git cannot show them."""
    texts: dict[str, str] = {}
    for path, content in committed_files(ref, paths, "compare with a cluster instead: --cluster"):
        with suppress(UnreadableFileError):  # neither a definition nor an instance
            text = wanted_text(path, content)
            if text is not None:
                texts[str(path)] = text.content
    return replace(now, texts=texts, declared={})
