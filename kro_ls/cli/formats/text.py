"""Text for people: each diagnostic with its line, the wrong word underlined, and how to fix it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from kro_ls.cli.formats.source_frame import source_frame
from kro_ls.cli.inputs import position_text, shown_name
from kro_ls.printable import printable
from kro_ls.rules.diagnostics import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.cli.file_check import FileCheck
    from kro_ls.cli.report import CheckedFile, Report
    from kro_ls.rules.diagnostics import Diagnostic, Fix, RelatedFile
    from kro_ls.workspace.documents import Document
    from kro_ls.yaml_positions.positions import Span
    from kro_ls.yaml_positions.text import Text

_MOST_WORK: Final = 25
_LINES_OF_WORK: Final = 500
"""An error in a file of this length is twice as much work as one in a short file."""

COLOURS = {
    Severity.ERROR: "red",
    Severity.WARNING: "yellow",
    Severity.INFORMATION: "blue",
    Severity.HINT: "cyan",
}


def render(report: Report, level: str, check: FileCheck) -> str:
    """Return a block for each diagnostic of a level with its colours, which `click.echo` removes if need be."""
    fixes = ProvedFixes(check)
    return "".join("\n".join(block(file, each, fixes.of(file, each))) + "\n\n" for file, each in report.shown(level))


def block(file: CheckedFile, diagnostic: Diagnostic, fixes: tuple[Fix, ...]) -> Iterator[str]:
    """Yield the lines about one diagnostic, with its fixes."""
    text = file.text
    colour = COLOURS[diagnostic.severity]
    label = click.style(f"{diagnostic.severity}[{diagnostic.code}]", fg=colour, bold=True)
    yield f"{place(file.path, text, diagnostic.span)}: {label}: {printable(diagnostic.message)}"
    spans = (diagnostic.span, *(related.span for related in diagnostic.related))
    digits = max(len(str(text.position(span.start).line + 1)) for span in spans)
    yield from source_frame(text, diagnostic.span, "^", colour, digits)
    if diagnostic.kro_note:
        yield f"  note: {printable(diagnostic.kro_note)}"
    for related in diagnostic.related:
        yield f"  note: {printable(related.message)}: {place(file.path, text, related.span)}"
        yield from source_frame(text, related.span, "-", "blue", digits)
    for other in diagnostic.files:
        yield f"  note: {printable(other.message)}: {file_place(other)}"
    for fix in fixes:
        yield f"  {click.style('help', fg='green', bold=True)}: {printable(fix.title)}"


def file_place(other: RelatedFile) -> str:
    """Return `path`, or `path:line` if the line is known."""
    line = f":{other.line}" if other.line else ""
    return f"{click.style(shown_name(other.path), bold=True)}{line}"


def place(path: str, text: Text, span: Span) -> str:
    """Return `path:line:column` of the start of a span; line and column are 1-based, columns count code points."""
    return position_text(click.style(shown_name(path), bold=True), text, span.start)


class ProvedFixes:
    """Finds the fixes of one run; once a person would notice the wait, only those that need no proof."""

    def __init__(self, check: FileCheck) -> None:
        self._check = check
        self._left = _MOST_WORK
        self._documents: dict[str, Document] = {}

    def of(self, file: CheckedFile, diagnostic: Diagnostic) -> tuple[Fix, ...]:
        """Return the fixes to show, the best first."""
        work = 1 + file.text.line_count // _LINES_OF_WORK
        if diagnostic.severity is not Severity.ERROR or not file.found.definitions or work > self._left:
            return diagnostic.fixes
        self._left -= work
        from kro_ls.repairs.proof import fixes

        if file.path not in self._documents:
            self._documents[file.path] = self._check.document(file.path, file.found.settings)
        return fixes(self._documents[file.path], diagnostic)
