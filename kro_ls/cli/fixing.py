"""Applies the certain fixes to checked files, or shows them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec import Struct

from kro_ls.cli.formats.difference import difference
from kro_ls.cli.inputs import STANDARD_INPUT, folders_of, shown_name
from kro_ls.printable import printable
from kro_ls.repairs.upgrade import fix_everything
from kro_ls.workspace.check import file_document
from kro_ls.workspace.rewriting import UnwritableFileError, rewrite

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kro_ls.cli.file_check import FileCheck
    from kro_ls.cli.report import CheckedFile, Report
    from kro_ls.repairs.upgrade import Mended


class Fixed(Struct, frozen=True):
    """Whether anything was fixed, and the files that could not be written.

    `stdin` is the new text of standard input, None if nothing was fixed in it.
    """

    is_any: bool
    failed: tuple[UnwritableFileError, ...]
    stdin: str | None = None


def fix_files(report: Report, check: FileCheck, named: Sequence[Path], stdin: Path, *, is_quiet: bool) -> Fixed:
    """Rewrite the files of a report that lie in what the user `named`, and show each fix on standard error.

    For standard input, whose name is `stdin`, no file is written.
    """
    is_any = False
    new_stdin = None
    failed: list[UnwritableFileError] = []
    folders = folders_of(named)
    seen: set[str] = set()  # a file and a link to it are one
    for file in report.files:
        path = Path(file.path)
        real = os.path.realpath(path)
        is_stdin = path == stdin and STANDARD_INPUT in named
        if real in seen and not is_stdin:
            continue
        mended = _mended(file, check)
        if mended is None:
            continue
        if is_stdin:
            new_stdin = mended.document.text.content
        else:
            seen.add(real)
            try:
                rewrite(path, file.text.content, mended.document.text.content, folders)
            except UnwritableFileError as error:
                failed.append(error)
                continue
        is_any = True
        for step in () if is_quiet else mended.steps:
            click.echo(f"{shown_name(file.path)}: fixed: {printable(step.title)}: {printable(step.message)}", err=True)
    return Fixed(is_any, tuple(failed), new_stdin)


def differences(report: Report, check: FileCheck) -> Iterator[str]:
    """Yield what `fix_files` would change, a coloured diff for each file; nothing is written."""
    for file in report.files:
        mended = _mended(file, check)
        if mended is not None:
            yield difference(file.path, file.text.content, mended.document.text.content)


def _mended(file: CheckedFile, check: FileCheck) -> Mended | None:
    """Return a file after the certain fixes of reported rules, None if there are none."""
    if not file.found.definitions:
        return None
    settings = check.selection.only_shown(file.found.settings)
    mended = fix_everything(file_document(file.path, file.text, settings, check.kinds))
    return mended if mended.steps else None
