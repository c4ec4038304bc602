"""A line of source with a part of it underlined."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from kro_ls.printable import printable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.yaml_positions.positions import Span
    from kro_ls.yaml_positions.text import Text

_TAB = "    "
_LONGEST_LINE = 160
_KEPT_BEFORE = 60
_CUT = "..."


def source_frame(text: Text, span: Span, mark: str, colour: str, digits: int) -> Iterator[str]:
    """Yield the line on which a span begins, and a line that marks the part of the span on it.

    `digits` is the width of line numbers. Of a very long line, only the part around the span is shown.
    """
    line = text.position(span.start).line
    bounds = text.line_span(line)
    start = min(span.start, bounds.end)
    end = max(min(span.end, bounds.end), start)
    before, marked, after = (
        text.content[bounds.start : start],
        text.content[start:end],
        text.content[end : bounds.end],
    )
    if bounds.end - bounds.start > _LONGEST_LINE:
        before, marked, after = _shorten(before, marked, after)
    before, marked = _shown(before), _shown(marked)
    gutter = click.style(f"{'':{digits}} |", fg="blue")
    numbered = click.style(f"{line + 1:{digits}} |", fg="blue")
    yield gutter
    # Parts that are printable one by one may not be so joined: `##` at the end of one, `[` at the start of the next.
    yield f"{numbered} {printable(f'{before}{marked}{_shown(after)}')}".rstrip()
    yield f"{gutter} {' ' * _width(before)}{click.style(mark * max(1, _width(marked)), fg=colour, bold=True)}"


def _shorten(before: str, marked: str, after: str) -> tuple[str, str, str]:
    if len(before) > _KEPT_BEFORE:
        before = _CUT + before[-_KEPT_BEFORE:]
    room = _LONGEST_LINE - len(before)
    if len(marked) > room:
        return before, marked[:room], _CUT
    room -= len(marked)
    return before, marked, after if len(after) <= room else after[:room] + _CUT


def _shown(source: str) -> str:
    return printable(source.replace("\ufeff", "").replace("\t", _TAB))


def _width(shown: str) -> int:
    """Return how many columns of a terminal the text takes."""
    if shown.isascii():
        return len(shown)
    from rich.cells import cell_len

    return cell_len(shown)
