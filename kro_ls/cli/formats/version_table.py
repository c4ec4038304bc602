"""A table for people: which versions of kro accept which files, and why the others do not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from msgspec.structs import replace

from kro_ls.analysis.analysis import analyze
from kro_ls.cli.formats.text import block
from kro_ls.printable import printable
from kro_ls.rules.diagnosis import diagnose
from kro_ls.rules.diagnostics import Severity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kro_ls.cli.file_check import FileCheck
    from kro_ls.cli.report import Report
    from kro_ls.kro.versions.version import Version
    from kro_ls.rules.diagnosis import Diagnosis
    from kro_ls.rules.diagnostics import Diagnostic
    from kro_ls.rules.settings import Settings


def render(report: Report, check: FileCheck, settings: Settings, versions: Sequence[Version]) -> tuple[str, bool]:
    """Return the table with each error and the versions that have it, and whether any version refuses a file."""
    files = [file for file in report.files if file.found.definitions]
    names = [printable(file.path) for file in files]
    width = max(map(len, names), default=0)
    rows = ["  ".join(["".ljust(width), *(f"{version!s:8}" for version in versions)]).rstrip()]
    reasons: list[str] = []
    for file, name in zip(files, names, strict=True):
        errors = _errors(check.document(file.path, file.found.settings).diagnosis, settings, versions)
        refusing = {version for found in errors.values() for version in found}
        cells = [_cell(refused=version in refusing) for version in versions]
        rows.append("  ".join([name.ljust(width), *cells]).rstrip())
        for diagnostic, found in errors.items():
            refusing_ones = ", ".join(map(str, found))
            lines = (*block(file, diagnostic, diagnostic.fixes), f"  refused by kro {refusing_ones}")
            reasons.append("\n".join(lines) + "\n")
    return "".join(f"{line}\n" for line in (*rows, *(["", *reasons] if reasons else []))), bool(reasons)


def _cell(*, refused: bool) -> str:
    return click.style("refused ", fg="red") if refused else click.style("accepted", fg="green")


def _errors(diagnosis: Diagnosis, settings: Settings, versions: Sequence[Version]) -> dict[Diagnostic, list[Version]]:
    """Return each error with the versions that have it, in the order of the file."""
    found: dict[Diagnostic, list[Version]] = {}
    for version in versions:
        chosen = replace(settings, version=version)
        analysis = diagnosis.analysis
        if analysis.rgds and analysis.features != chosen.features:
            analysis = analyze(analysis.text, analysis.rgds[0].schemas, chosen.features)
        diagnosis = diagnose(analysis, chosen)
        for diagnostic in diagnosis.diagnostics:
            if diagnostic.severity is Severity.ERROR:
                found.setdefault(diagnostic, []).append(version)
    return dict(sorted(found.items(), key=lambda each: each[0].span.start))
