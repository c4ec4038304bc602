"""A progress bar for long runs."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_PATIENCE_SECONDS = 0.5

Item = TypeVar("Item")


def with_progress(items: Sequence[Item]) -> Iterator[Item]:
    """Yield the items; show a bar on standard error if that is a terminal and the run takes longer than a moment."""
    remaining = iter(items)
    if not sys.stderr.isatty():
        yield from remaining
        return
    started = time.monotonic()
    done = 0
    for item in remaining:
        yield item
        done += 1
        if time.monotonic() - started > _PATIENCE_SECONDS:
            break
    if done < len(items):
        yield from _with_bar(remaining, done, len(items))


def _with_bar(remaining: Iterator[Item], done: int, total: int) -> Iterator[Item]:
    # Importing rich takes longer than checking a file.
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (TextColumn("Checking"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("files", total=total, completed=done)
        for item in remaining:
            yield item
            progress.advance(task)
