"""The line that sums up a check."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.diagnostics import Severity

if TYPE_CHECKING:
    from kro_ls.cli.checking import Report


def summary(report: Report) -> str:
    """Return one line: what was checked and found, and what comments silence."""
    counts = report.severities
    found = [count(counts[Severity.ERROR], "error"), count(counts[Severity.WARNING], "warning")]
    notes = counts[Severity.INFORMATION] + counts[Severity.HINT]
    if notes:
        found.append(count(notes, "hint"))
    if report.silenced > report.silenced_errors:
        found.append(count(report.silenced - report.silenced_errors, "silenced warning"))
    checked = f"{count(len(report.files), 'file')}, {count(report.definitions, 'ResourceGraphDefinition')}"
    line = f"Checked {checked}: {', '.join(found)}"
    if report.silenced_errors:
        line += f"; {count(report.silenced_errors, 'silenced error')}: kro will still refuse it"
    return line


def count(number: int, noun: str) -> str:
    """Return a number with its noun, in the plural where it is not 1."""
    return f"{number} {noun}{'' if number == 1 else 's'}"
