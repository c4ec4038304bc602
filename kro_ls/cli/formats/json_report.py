"""JSON for programs: one array of diagnostics, with ranges as in LSP."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from kro_ls.printable import printable_literals, unicode_text
from kro_ls.yaml_positions.positions import PositionEncoding

if TYPE_CHECKING:
    from kro_ls.cli.report import Report
    from kro_ls.yaml_positions.positions import Span
    from kro_ls.yaml_positions.text import Text


def render(report: Report, level: str) -> str:
    """Return the array of what a level shows.

    Lines and characters are 0-based, characters count UTF-16 code units, ends are exclusive.
    """
    found = [
        {
            "path": unicode_text(file.path),
            "range": range_of(file.text, diagnostic.span),
            "severity": diagnostic.severity.value,
            "code": diagnostic.code,
            "message": diagnostic.message,
            **({"kroMessage": diagnostic.kro_message} if diagnostic.kro_message else {}),
            "relatedInformation": [
                {
                    "location": {
                        "path": unicode_text(file.path),
                        "range": range_of(file.text, related.span),
                    },
                    "message": related.message,
                }
                for related in diagnostic.related
            ]
            + [
                {"location": {"path": unicode_text(each.path), "range": _line(each.line)}, "message": each.message}
                for each in diagnostic.files
            ],
        }
        for file, diagnostic in report.shown(level)
    ]
    return printable_literals(json.dumps(found, indent=2)) + "\n"


def _line(number: int) -> dict[str, dict[str, int]]:
    """Return the start of a line that counts from 1, or of the file for 0."""
    start = {"line": max(0, number - 1), "character": 0}
    return {"start": start, "end": start}


def range_of(text: Text, span: Span) -> dict[str, dict[str, int]]:
    """Return a range as in LSP, in UTF-16 code units."""
    return {"start": _position(text, span.start), "end": _position(text, span.end)}


def _position(text: Text, offset: int) -> dict[str, int]:
    position = text.encoded_position(offset, PositionEncoding.UTF16)
    return {"line": position.line, "character": position.column}
