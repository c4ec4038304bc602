"""Collects definitions into a folder and reports the result; `add`, `fetch` and `pull` share it."""

from __future__ import annotations

from collections import Counter
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec import Struct, field

from kro_ls.cli.options import together
from kro_ls.cli.progress import Progress
from kro_ls.openapi.sources.disk_cache import store_folder
from kro_ls.printable import printable
from kro_ls.workspace.gathering.keeping import best_of_each, keep
from kro_ls.workspace.gathering.part import UnusableError
from kro_ls.workspace.gathering.texts import definitions_of, gathered, stretches

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kro_ls.workspace.gathering.keeping import Kept
    from kro_ls.workspace.gathering.part import Gathered, Part

collecting_options = together(
    click.option(
        "-o",
        "--output",
        "folder",
        metavar="FOLDER",
        type=click.Path(path_type=Path, file_okay=False),
        help="Write into this folder, such as crds/ in a repository, and not into your store.",
    ),
    click.option("-q", "--quiet", is_flag=True, help="Print errors and nothing else."),
)
"""Give a command the options that say where definitions go."""


class Collection(Struct):
    """Definitions that are being collected into a folder, by default the user's store."""

    folder: Path | None
    is_quiet: bool
    problems: list[UnusableError] = field(default_factory=list)
    found: list[Gathered] = field(default_factory=list)

    def take(self, parts: Iterable[Part]) -> int:
        """Find the definitions in some texts, and return how many there are."""
        progress = Progress(is_quiet=self.is_quiet)
        cut = (stretch for part in parts for stretch in stretches(part, self.problems.append))
        previous = len(self.found)
        for stretch in progress.of("Reading", cut, noun="definition"):
            for definition in definitions_of(stretch, self.problems.append):
                self.found.append(gathered(definition, stretch.part))
        return len(self.found) - previous

    def finish(self) -> int:
        """Write what was found, print what changed, and return the exit code."""
        folder = self.folder or store_folder()
        stored: list[Kept] = []
        best = best_of_each(self.found)
        try:
            writing = keep(folder, best, date.today().isoformat())
            stored += Progress(is_quiet=self.is_quiet).of("Writing", writing, len(best), "definition")
        except UnusableError as error:
            self.problems.append(error)
        if stored and not self.is_quiet:
            click.echo(_summary(stored, folder), nl=False)
        for message in dict.fromkeys(map(str, self.problems)):
            click.echo(f"error: {printable(message)}", err=True)
        return 2 if self.problems else 0


def _summary(stored: list[Kept], folder: Path) -> str:
    kinds = Counter((each.group, str(each.origin)) for each in stored)
    width = max(len(group) for group, _ in kinds)
    lines = [
        f"{group:{width}}  {number:>4} {'kind ' if number == 1 else 'kinds'}  {printable(origin)}"
        for (group, origin), number in kinds.items()
    ]
    changes = Counter(each.change for each in stored)
    changed = ", ".join(
        f"{changes[change]} {change}" for change in ("added", "updated", "unchanged") if changes[change]
    )
    return "\n".join([*lines, f"{changed} in {printable(str(folder))}\n"])
