"""Workflow commands of GitHub Actions, which become annotations in a pull request.

Source: GitHub documentation, "Workflow commands for GitHub Actions", and the escapes of `actions/toolkit`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.cli.inputs import repository_path
from kro_ls.printable import printable
from kro_ls.rules.diagnostics import Severity

if TYPE_CHECKING:
    from kro_ls.cli.report import CheckedFile, Report
    from kro_ls.rules.diagnostics import Diagnostic

_COMMANDS = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFORMATION: "notice",
    Severity.HINT: "notice",
}
_MESSAGE_ESCAPES = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_PROPERTY_ESCAPES = _MESSAGE_ESCAPES | str.maketrans({":": "%3A", ",": "%2C"})


def render(report: Report, level: str) -> str:
    """Return a line for each diagnostic of a level; lines and columns are 1-based, ends are exclusive."""
    return "".join(f"{_annotation(file, diagnostic)}\n" for file, diagnostic in report.shown(level))


def _annotation(file: CheckedFile, diagnostic: Diagnostic) -> str:
    start = file.text.position(diagnostic.span.start)
    end = file.text.position(diagnostic.span.end)
    properties = {
        "file": repository_path(file.path, "GITHUB_WORKSPACE"),
        "line": str(start.line + 1),
        "col": str(start.column + 1),
        "endLine": str(end.line + 1),
        "endColumn": str(end.column + 1),
        "title": diagnostic.code,
    }
    listed = ",".join(f"{name}={printable(value.translate(_PROPERTY_ESCAPES))}" for name, value in properties.items())
    lines = (f"{each.message}: {each.path}:{each.line}" for each in diagnostic.files if each.line)
    texts = (diagnostic.message, *((diagnostic.kro_note,) if diagnostic.kro_note else ()), *lines)
    message = "%0A".join(printable(text.translate(_MESSAGE_ESCAPES)) for text in texts)
    return f"::{_COMMANDS[diagnostic.severity]} {listed}::{message}"
