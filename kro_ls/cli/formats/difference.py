"""The unified diff of two versions of a file, as `git diff` prints it and `patch` reads it."""

from __future__ import annotations

from difflib import unified_diff

import click

from kro_ls.cli.inputs import shown_name
from kro_ls.printable import printable_lines

_NO_NEWLINE = "\\ No newline at end of file\n"


def difference(path: str, previous: str, new: str) -> str:
    """Return the diff with its colours, which `click.echo` removes where they are not wanted."""
    name = shown_name(path)
    lines = unified_diff(previous.splitlines(keepends=True), new.splitlines(keepends=True), name, name)
    return "".join(_coloured(line if line.endswith("\n") else f"{line}\n{_NO_NEWLINE}") for line in lines)


def _coloured(line: str) -> str:
    shown = printable_lines(line.removesuffix("\n").removesuffix("\r"))
    if line.startswith(("--- ", "+++ ")):
        return click.style(shown, bold=True) + "\n"
    colour = {"+": "green", "-": "red", "@": "cyan"}.get(line[:1])
    return (click.style(shown, fg=colour) if colour else shown) + "\n"
