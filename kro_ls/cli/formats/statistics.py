"""The number of diagnostics of each rule."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

import click

from kro_ls.cli.formats.text import COLOURS
from kro_ls.rules.registry import RULES

if TYPE_CHECKING:
    from kro_ls.cli.report import Report
    from kro_ls.rules.diagnostics import Severity


def render(report: Report, level: str) -> str:
    """Return a line for each code and severity, the most frequent first."""
    counts = _counts(report, level)
    summaries = {rule.code: rule.summary for rule in RULES}
    number_width = max((len(str(number)) for number in counts.values()), default=0)
    width = max((len(code) for code, _ in counts), default=0)
    return "".join(
        f"{number:{number_width}}  {click.style(f'{code:{width}}', fg=COLOURS[severity])}  {summaries[code]}\n"
        for (code, severity), number in counts.items()
    )


def render_json(report: Report, level: str) -> str:
    """Return an array of the same."""
    summaries = {rule.code: rule.summary for rule in RULES}
    found = [
        {"code": code, "severity": severity.value, "count": number, "summary": summaries[code]}
        for (code, severity), number in _counts(report, level).items()
    ]
    return json.dumps(found, indent=2) + "\n"


def _counts(report: Report, level: str) -> dict[tuple[str, Severity], int]:
    found = Counter((each.code, each.severity) for _, each in report.shown(level))
    return dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))
