"""Writes the fixes that are certain into files that were checked."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kro_ls.cli.inputs import STANDARD_INPUT
from kro_ls.printable import printable
from kro_ls.repairs.everything import fix_everything
from kro_ls.workspace.documents import Document
from kro_ls.workspace.project_file import project_settings

if TYPE_CHECKING:
    from kro_ls.cli.checking import Report
    from kro_ls.rules.settings import Settings


def fix_files(report: Report, settings: Settings, *, names_version: bool) -> bool:
    """Rewrite the files of a report, tell each fix on standard error, and return whether there was one.

    Standard input cannot be rewritten, and is left alone. A `.kro-ls.yaml` says what the settings do not say;
    `names_version` tells that they say the version of kro.
    """
    is_any = False
    for file in report.files:
        path, rgds = Path(file.path), file.diagnosis.analysis.rgds
        if path == STANDARD_INPUT or not rgds:
            continue
        project = project_settings(path)
        chosen = project.under(settings, names_version=names_version) if project else settings
        text, schemas = file.diagnosis.analysis.text, rgds[0].surroundings.schemas
        mended = fix_everything(Document(file.path, None, text, settings=chosen, schemas=schemas))
        if mended.steps:
            is_any = True
            path.write_text(mended.document.text.content, encoding="utf-8", newline="")
        for step in mended.steps:
            click.echo(printable(f"{file.path}: fixed: {step.title}: {step.message}"), err=True)
    return is_any
