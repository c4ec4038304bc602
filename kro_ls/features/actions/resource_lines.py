"""The lines of a list's items, with the comments above them."""

from __future__ import annotations

from kro_ls.repairs.declarations import line_of
from kro_ls.yaml_positions.positions import Span


def start_of_entry(content: str, offset: int) -> int | None:
    """Return where the lines of a list's item begin, with the comments above it; None where it shares its line.

    A comment has the column of the dash: other such lines may be a text of the item before.
    """
    start, before = line_of(content, offset)
    if before.strip(" ") != "-":
        return None
    while start:
        above, line = line_of(content, start - 1)
        if not line.startswith(before.replace("-", "#").rstrip()):
            break
        start = above
    return start


def span_of_entry(content: str, span: Span) -> Span | None:
    """Return the lines of a list's item, with the comments and blank lines above it; None where it shares its line."""
    start = start_of_entry(content, span.start)
    if start is None:
        return None
    while start and not content[line_of(content, start - 1)[0] : start].strip():
        start = line_of(content, start - 1)[0]
    end = span.start + len(content[span.start : span.end].rstrip())
    line_end = content.find("\n", end)
    return Span(start, len(content) if line_end < 0 else line_end + 1)
