"""In which order kinds that rest on each other are worked out, and which of them do so in a circle."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from kro_ls.analysis.names.dependency_graph import knots

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Mapping

    from kro_ls.openapi.kind_schema import GroupVersionKind

Question: TypeAlias = "tuple[str, GroupVersionKind | None]"
"""What the text at a path makes of a kind; without a kind, whether kro accepts the text."""

Reads: TypeAlias = "Mapping[Question, tuple[Question, ...]]"
"""The questions whose answers each question rests on."""


def everything_read(
    question: Question, read_by: Callable[[Question], tuple[Question, ...]], known: Container[Question]
) -> Reads:
    """Return a question and what it rests on, directly or not: each comes after those that it reads, but for circles.

    What is `known` is left out, with all that this alone rests on.
    """
    reads: dict[Question, tuple[Question, ...]] = {}
    ordered: dict[Question, tuple[Question, ...]] = {}
    pending = [question]
    while pending:  # without recursion, for chains may be long
        current = pending[-1]
        if current not in reads:
            reads[current] = read_by(current)
            pending += (each for each in reads[current] if each not in reads and each not in known)
            continue
        pending.pop()
        ordered.setdefault(current, reads[current])
    return ordered


def circles(reads: Reads) -> dict[Question, frozenset[Question]]:
    """Return each question with all those that rest on it and that it rests on itself, none outside of a circle.

    `reads` is what `everything_read` gives.
    """
    within = {each: [read for read in found if read in reads] for each, found in reads.items()}
    outside: frozenset[Question] = frozenset()
    return dict.fromkeys(reads, outside) | {each: circle for circle in knots(within) for each in circle}
