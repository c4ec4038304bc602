"""The program that a pattern becomes: steps to follow, of which those that test a character consume it.

The moves of a step are in order of preference, as in Go (leftmost first).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from kro_ls.golang.re2 import tree
from kro_ls.golang.re2.pattern_errors import UndecidedError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.golang.unicode import CharacterSet

LARGEST_PROGRAM = 20_000
"""The most steps of a program; Go's own limit is `pattern_parser.MAX_SIZE`."""


class Program(NamedTuple):
    """The steps, by number; it starts at 0, and the last one accepts. A step has moves and one other thing.

    `tests` has the index in `sets` of what the next character must belong to, `slots` the place in the list of bounds
    that it sets; both are -1 for a step that has none.
    """

    sets: tuple[CharacterSet, ...]
    moves: tuple[tuple[int, ...], ...]
    tests: tuple[int, ...]
    assertions: tuple[tree.Assertion | None, ...]
    slots: tuple[int, ...]
    names: tuple[str, ...]
    """The names of the groups from 1 on; that of a group without one is empty."""

    @property
    def size(self) -> int:
        """The number of steps."""
        return len(self.moves)

    @property
    def accepting(self) -> int:
        """The step that accepts."""
        return len(self.moves) - 1


class _Step(NamedTuple):
    """A step of a part of a program; its moves are relative to it."""

    moves: tuple[int, ...] = (1,)
    test: int = -1
    assertion: tree.Assertion | None = None
    slot: int = -1


_Part: TypeAlias = list[_Step]
"""Steps that are entered at the first one and left after the last one."""

_ACCEPT = _Step(moves=())


def program_of(root: tree.Node) -> Program:
    """Return the program of a tree. Raises UndecidedError for one that becomes too large."""
    sets: dict[CharacterSet, int] = {}
    parts: dict[int, _Part] = {}
    names: dict[int, str] = {}
    filled: set[int] = set()
    for node in _inner_first(root):
        if not _may_be_empty(node, filled):
            filled.add(id(node))
        if isinstance(node, tree.Character):
            parts[id(node)] = [_Step((1,), sets.setdefault(node.characters, len(sets)))]
            continue
        if isinstance(node, tree.Group):
            names[node.number] = node.name
        part = _part(node, [parts.pop(id(inner)) for inner in _inside(node)], filled)
        if len(part) >= LARGEST_PROGRAM:
            raise UndecidedError("the regular expression is too large")
        parts[id(node)] = part
    steps = [*parts[id(root)], _ACCEPT]
    _, tests, assertions, slots = zip(*steps, strict=True)
    return Program(tuple(sets), _moves(steps), tests, assertions, slots, tuple(names[each] for each in sorted(names)))


def _inner_first(root: tree.Node) -> Iterator[tree.Node]:
    """Yield all nodes, those inside of a node before it; trees are too deep for recursion."""
    nodes = [root]
    for node in nodes:
        nodes += _inside(node)
    return reversed(nodes)


def _inside(node: tree.Node) -> tuple[tree.Node, ...]:
    match node:
        case tree.Sequence():
            return node.parts
        case tree.Alternation():
            return node.choices
        case tree.Group() | tree.Repetition():
            return (node.inner,)
    return ()


def _moves(steps: list[_Step]) -> tuple[tuple[int, ...], ...]:
    """Return where the moves of each step lead: on from steps that only move."""
    targets = list(range(len(steps)))
    for place in reversed(targets):
        moves, test, assertion, slot = steps[place]
        if len(moves) == 1 and test < 0 and assertion is None and slot < 0:
            targets[place] = targets[place + moves[0]]
    return tuple([tuple([targets[place + move] for move in step.moves]) for place, step in enumerate(steps)])


def _part(node: tree.Node, inner: list[_Part], filled: set[int]) -> _Part:
    """Return the part for a node from those of what is inside it, which are used up."""
    match node:
        case tree.Place():
            return [_Step(assertion=node.assertion)]
        case tree.Group():
            return [_Step(slot=2 * node.number), *inner[0], _Step(slot=2 * node.number + 1)]
        case tree.Sequence():
            first = inner[0]
            for part in inner[1:]:
                first += part
            return first
        case tree.Alternation():
            return _choice(inner)
        case tree.Repetition():
            return _repeated(node, inner[0], may_be_empty=id(node.inner) not in filled)
    return [_Step()]


def _may_be_empty(node: tree.Node, filled: set[int]) -> bool:
    """Whether a node may match the empty text; `filled` holds those inside of it that may not, by identity."""
    match node:
        case tree.Character():
            return False
        case tree.Alternation():
            return any(id(choice) not in filled for choice in node.choices)
        case tree.Repetition():
            return node.least == 0 or id(node.inner) not in filled
    return all(id(inner) not in filled for inner in _inside(node))


def _choice(choices: list[_Part]) -> _Part:
    after = choices[-1]
    total = sum(len(choice) + 2 for choice in choices[:-1]) + len(after)
    steps: _Part = []
    for choice in choices[:-1]:
        steps.append(_Step(moves=(1, len(choice) + 2)))
        steps += choice
        steps.append(_Step(moves=(total - len(steps),)))
    return steps + after


def _repeated(node: tree.Repetition, part: _Part, *, may_be_empty: bool) -> _Part:
    length, greedy = len(part), node.is_greedy
    if length * max(node.most or 0, node.least) >= LARGEST_PROGRAM:
        raise UndecidedError("the regular expression is too large")
    if node.most is None:
        if _is_same_loop(node):
            return part * max(1, node.least)
        if node.least == 0 and not may_be_empty:
            return [_fork(1, length + 2, greedy), *part, _Step(moves=(-length - 1,))]
        # The loop decides after each turn: a turn that matches nothing leaves it, as in Go.
        loop = [*part, _fork(-length, 1, greedy)]
        return [_fork(1, length + 2, greedy), *loop] if node.least == 0 else part * (node.least - 1) + loop
    steps = part * node.least
    for left in range(node.most - node.least, 0, -1):
        steps.append(_fork(1, left * (length + 1), greedy))
        steps += part
    return steps or [_Step()]


def _is_same_loop(node: tree.Repetition) -> bool:
    """Whether what is repeated any number of times is a loop of the same kind already: another adds nothing."""
    inner = node.inner
    while isinstance(inner, tree.Repetition) and inner.least == inner.most == 1:
        inner = inner.inner
    if not isinstance(inner, tree.Repetition) or inner.most is not None:
        return False
    return inner.least == min(node.least, 1) and inner.is_greedy == node.is_greedy


def _fork(inside: int, outside: int, is_greedy: bool) -> _Step:
    return _Step(moves=(inside, outside) if is_greedy else (outside, inside))
