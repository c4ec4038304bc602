"""Writes the fixes that are certain into files that were checked."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec import Struct

from kro_ls.cli.inputs import STANDARD_INPUT, folders_of
from kro_ls.printable import printable
from kro_ls.repairs.everything import fix_everything
from kro_ls.workspace.documents import Document
from kro_ls.workspace.project_file import project_settings
from kro_ls.workspace.rewriting import UnwritableFileError, rewrite

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kro_ls.cli.checking import Report
    from kro_ls.rules.settings import Settings


class Fixed(Struct, frozen=True):
    """Whether a file was rewritten, and the files that should have been and were left as they are."""

    is_any: bool
    failed: tuple[UnwritableFileError, ...]


def fix_files(report: Report, settings: Settings, named: Sequence[Path], *, names_version: bool) -> Fixed:
    """Rewrite the files of a report on what the user `named`, and show each fix on standard error.

    Standard input cannot be rewritten, and is left alone. A `.kro-ls.yaml` says what the settings do not say;
    `names_version` tells that they say the version of kro.
    """
    is_any = False
    failed: list[UnwritableFileError] = []
    folders = folders_of(named)
    seen: set[str] = set()  # a file and a link to it are one
    for file in report.files:
        path, rgds = Path(file.path), file.diagnosis.analysis.rgds
        real = os.path.realpath(path)
        if path == STANDARD_INPUT or not rgds or real in seen:
            continue
        seen.add(real)
        project = project_settings(path)
        chosen = project.under(settings, names_version=names_version) if project else settings
        text, schemas = file.diagnosis.analysis.text, rgds[0].surroundings.schemas
        mended = fix_everything(Document(file.path, None, text, settings=chosen, schemas=schemas))
        if not mended.steps:
            continue
        try:
            rewrite(path, text.content, mended.document.text.content, folders)
        except UnwritableFileError as error:
            failed.append(error)
            continue
        is_any = True
        for step in mended.steps:
            click.echo(printable(f"{file.path}: fixed: {step.title}: {step.message}"), err=True)
    return Fixed(is_any, tuple(failed))
