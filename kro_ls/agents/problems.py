"""Diagnostics as answers, with the fixes that are proved by applying them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kro_ls.agents.answers import Fix, Problem, Range, Replacement
from kro_ls.agents.unusable import MOST_ITEMS, first, short
from kro_ls.repairs.proof import fixes
from kro_ls.rules.diagnostics import Severity
from kro_ls.shortening import shortened

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kro_ls.rules import diagnostics
    from kro_ls.workspace.documents import Document
    from kro_ls.yaml_positions.positions import Span
    from kro_ls.yaml_positions.text import Text

_RANKS: Final = {severity: rank for rank, severity in enumerate(Severity)}
_MOST_FIXES: Final = 2
_LONGEST_FIX: Final = 1_000
_MOST_PROVED: Final = 10
"""Of so many errors are the fixes looked for, which means to check the definition again with each."""


def range_of(text: Text, span: Span) -> Range:
    """Return where a span is, lines and columns counted from 1."""
    start, end = text.position(span.start), text.position(span.end)
    return Range(start.line + 1, start.column + 1, end.line + 1, end.column + 1)


def problems_of(
    document: Document, found: Iterable[diagnostics.Diagnostic], file: str, most: int = MOST_ITEMS
) -> tuple[list[Problem], int]:
    """Return diagnostics of a document, the errors first, and how many more there are."""
    shown, left_out = first(sorted(found, key=lambda each: (_RANKS[each.severity], each.span.start)), most)
    problems = []
    for number, each in enumerate(shown):
        is_proved = each.severity is Severity.ERROR and number < _MOST_PROVED and bool(document.analysis.rgds)
        offered = fixes(document, each) if is_proved else each.fixes
        problems.append(_problem(document.text, each, offered[:_MOST_FIXES], file))
    return problems, left_out


def _problem(text: Text, found: diagnostics.Diagnostic, offered: Iterable[diagnostics.Fix], file: str) -> Problem:
    marked = text.content[found.span.start : found.span.end]
    small = (each for each in offered if sum(len(edit.text) for edit in each.replacements) <= _LONGEST_FIX)
    return Problem(
        found.code,
        found.severity.value,
        short(found.message),
        file,
        range_of(text, found.span),
        shortened(marked),
        short(found.kro_message or ""),
        [_fix(text, each) for each in small],
    )


def _fix(text: Text, fix: diagnostics.Fix) -> Fix:
    return Fix(fix.title, [Replacement(range_of(text, each.span), each.text) for each in fix.replacements])
