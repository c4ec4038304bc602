"""Text for people: each diagnostic with the line it is about, the wrong word underlined, and what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from kro_ls.cli.formats.source_frame import source_frame
from kro_ls.cli.formats.summary import summary
from kro_ls.cli.proved_fixes import ProvedFixes
from kro_ls.printable import printable
from kro_ls.rules.diagnostics import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.cli.checking import CheckedFile, Report
    from kro_ls.rules.diagnostics import Diagnostic, Fix
    from kro_ls.yaml_positions.positions import Span
    from kro_ls.yaml_positions.text import Text

_COLOURS = {
    Severity.ERROR: "red",
    Severity.WARNING: "yellow",
    Severity.INFORMATION: "blue",
    Severity.HINT: "cyan",
}


def render(report: Report) -> str:
    """Return the text with its colours, which `click.echo` takes out where they are not wanted; hints are left out."""
    fixes = ProvedFixes()
    blocks = [
        "\n".join(block(file, each, fixes.of(file, each))) + "\n"
        for file in report.files
        for each in file.diagnosis.diagnostics
        if each.severity is not Severity.HINT
    ]
    if report.files:
        blocks.append(click.style(summary(report), bold=True))
    return "".join(f"{block}\n" for block in blocks)


def block(file: CheckedFile, diagnostic: Diagnostic, fixes: tuple[Fix, ...]) -> Iterator[str]:
    """Yield the lines about one diagnostic, with the fixes to tell of."""
    text = file.diagnosis.analysis.text
    colour = _COLOURS[diagnostic.severity]
    label = click.style(f"{diagnostic.severity}[{diagnostic.code}]", fg=colour, bold=True)
    yield f"{_place(file.path, text, diagnostic.span)}: {label}: {printable(diagnostic.message)}"
    spans = (diagnostic.span, *(related.span for related in diagnostic.related))
    digits = max(len(str(text.position(span.start).line + 1)) for span in spans)
    yield from source_frame(text, diagnostic.span, "^", colour, digits)
    if diagnostic.kro_note:
        yield f"  note: {printable(diagnostic.kro_note)}"
    for related in diagnostic.related:
        yield f"  note: {printable(related.message)}: {_place(file.path, text, related.span)}"
        yield from source_frame(text, related.span, "-", "blue", digits)
    for other in diagnostic.files:
        yield f"  note: {printable(other.message)}: {click.style(printable(other.path), bold=True)}"
    for fix in fixes:
        yield f"  {click.style('help', fg='green', bold=True)}: {printable(fix.title)}"


def _place(path: str, text: Text, span: Span) -> str:
    position = text.position(span.start)
    shown = "<stdin>" if path == "-" else printable(path)
    return f"{click.style(shown, bold=True)}:{position.line + 1}:{position.column + 1}"
