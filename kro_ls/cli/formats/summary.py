"""The summary lines of a check."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.cli.report import is_unknown_kind_hint
from kro_ls.printable import printable
from kro_ls.rules.diagnostics import Severity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kro_ls.cli.report import Report

_MOST_KINDS = 10


def summary(report: Report, level: str = Severity.INFORMATION.value) -> str:
    """Return one line that counts files, diagnostics and silenced diagnostics, and one about unknown kinds."""
    counts = report.severities
    found = [count(counts[Severity.ERROR], "error"), count(counts[Severity.WARNING], "warning")]
    summed_up = sum(is_unknown_kind_hint(each) for file in report.files for each in file.diagnostics)
    if counts[Severity.INFORMATION]:
        found.append(count(counts[Severity.INFORMATION], "remark"))
    if counts[Severity.HINT] > summed_up:
        advice = "" if level == Severity.HINT else " (see --show hint)"
        found.append(f"{count(counts[Severity.HINT] - summed_up, 'hint')}{advice}")
    if report.silenced > report.silenced_errors:
        found.append(count(report.silenced - report.silenced_errors, "silenced warning"))
    checked = f"{count(len(report.files), 'file')}, {count(report.definitions, 'ResourceGraphDefinition')}"
    line = f"Checked {checked}: {', '.join(found)}"
    if report.silenced_errors:
        line += f"; {count(report.silenced_errors, 'silenced error')}: kro will still refuse it"
    if report.doubtful:
        verb = "rests" if report.doubtful == 1 else "rest"
        message = f"{count(report.doubtful, 'diagnostic')} {verb} on kinds that come with kro-ls"
        line += f"\n{message}, and cannot fail the check; see --kinds"
    kinds = report.unknown_kinds
    if not kinds:
        return line
    verb = "is unknown and was not checked" if len(kinds) == 1 else "are unknown and were not checked"
    return f"{line}\n{count(len(kinds), 'kind')} {verb}: {listed(kinds, _MOST_KINDS)}; see --crds"


def listed(names: Sequence[str], most: int) -> str:
    """Return the first names, and how many more there are; printable."""
    rest = f" and {len(names) - most} more" if len(names) > most else ""
    return printable(", ".join(names[:most]) + rest)


def count(number: int, noun: str) -> str:
    """Return a number with its noun, in the plural unless it is 1."""
    return f"{number} {noun}{'' if number == 1 else 's'}"
