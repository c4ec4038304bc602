"""A line for each diagnostic, in which editors and other programs find places: `path:line:column: code message`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from kro_ls.cli.formats.text import COLOURS, place
from kro_ls.printable import printable

if TYPE_CHECKING:
    from kro_ls.cli.report import Report


def render(report: Report, level: str) -> str:
    """Return the lines with their colours; lines and columns are 1-based, columns count code points."""
    return "".join(
        f"{place(file.path, file.text, each.span)}: {click.style(each.code, fg=COLOURS[each.severity], bold=True)} "
        f"{printable(each.message)}\n"
        for file, each in report.shown(level)
    )
