"""The syntax tree of a pattern.

Every node covers the code points `[start, end)` of the pattern. Groups that do not capture have no node of their own.
`measures` is what Go bounds.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from kro_ls.golang.unicode import union

if TYPE_CHECKING:
    from kro_ls.golang.unicode import CharacterSet


class Assertion(Enum):
    """A condition on a place between two characters."""

    TEXT_START = r"\A"
    TEXT_END = r"\z"
    LINE_START = "^"
    LINE_END = "$"
    WORD_BOUNDARY = r"\b"
    NO_WORD_BOUNDARY = r"\B"


class Measures(NamedTuple):
    """The height of a tree, its number of instructions, and the largest product of counts that repeat one another."""

    height: int = 1
    size: int = 1
    repeats: int = 1


_LEAF = Measures()


class Empty(NamedTuple):
    """Matches the empty text."""

    start: int
    end: int

    @property
    def measures(self) -> Measures:
        """Those of a single node."""
        return _LEAF


class Character(NamedTuple):
    """Matches one character of a set; a literal is one character, with its other cases where case does not count."""

    start: int
    end: int
    characters: CharacterSet
    is_literal: bool

    @property
    def measures(self) -> Measures:
        """Those of a single node."""
        return _LEAF


class Place(NamedTuple):
    """Matches the empty text where an assertion holds."""

    start: int
    end: int
    assertion: Assertion

    @property
    def measures(self) -> Measures:
        """Those of a single node."""
        return _LEAF


class Group(NamedTuple):
    """A group that captures, numbered from 1; the name of one without is empty."""

    start: int
    end: int
    inner: Node
    number: int
    name: str
    measures: Measures


class Repetition(NamedTuple):
    """At least `least` and at most `most` times the inner node; None is any number of times."""

    start: int
    end: int
    inner: Node
    least: int
    most: int | None
    is_greedy: bool
    measures: Measures


class Sequence(NamedTuple):
    """One node after the other."""

    start: int
    end: int
    parts: tuple[Node, ...]
    measures: Measures


class Alternation(NamedTuple):
    """One of several nodes, the first that leads to a match."""

    start: int
    end: int
    choices: tuple[Node, ...]
    measures: Measures


Node: TypeAlias = Empty | Character | Place | Group | Repetition | Sequence | Alternation


def group(start: int, end: int, inner: Node, number: int, name: str) -> Group:
    """Return a group."""
    height, size, repeats = inner.measures
    return Group(start, end, inner, number, name, Measures(height + 1, size + 2, repeats))


def repetition(end: int, inner: Node, least: int, most: int | None, is_greedy: bool) -> Repetition:
    """Return the repetition of a node, whose operator ends at `end`."""
    height, size, repeats = inner.measures
    if most is None:
        size = size + 2 if least == 0 else least * size + 1
        repeats *= max(least, 1)
    else:
        size = max(1, most * size + most - least)
        repeats = max(1, repeats * most)
    return Repetition(inner.start, end, inner, least, most, is_greedy, Measures(height + 1, size, repeats))


def sequence(start: int, end: int, operands: list[Node]) -> Node:
    """Return one node for a sequence; a sequence in it becomes a part of it."""
    if len(operands) == 1:
        return operands[0]
    if not operands:
        return Empty(start, end)
    parts = [part for each in operands for part in (each.parts if isinstance(each, Sequence) else (each,))]
    measures = _of_all(parts)
    if all(isinstance(part, Character) and part.is_literal for part in parts):
        measures = measures._replace(height=1)  # Go keeps a text as one node
    return Sequence(start, end, tuple(parts), measures)


def alternation(start: int, end: int, operands: list[Node]) -> Node:
    """Return one node for alternatives; an alternation in them becomes a part of it, and characters become one set."""
    if len(operands) == 1:
        return operands[0]
    characters = [each.characters for each in operands if isinstance(each, Character)]
    if len(characters) == len(operands):
        return Character(start, end, union(*characters), is_literal=False)
    choices = [one for each in operands for one in (each.choices if isinstance(each, Alternation) else (each,))]
    measures = _of_all(choices)
    return Alternation(start, end, tuple(choices), measures._replace(size=measures.size + len(choices) - 1))


def _of_all(nodes: list[Node]) -> Measures:
    heights, sizes, repeats = zip(*(node.measures for node in nodes), strict=True)
    return Measures(1 + max(heights), sum(sizes), max(repeats))
