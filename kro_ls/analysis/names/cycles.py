"""Cycles of a directed graph: a few short ones that show where it goes round."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# A tangle can hold exponentially many cycles; nobody reads more than a handful.
_MOST_CYCLES = 20
_MOST_SEARCHES = 200


def short_cycles(targets: Mapping[str, Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    """Return a shortest cycle through each node that is in one, each cycle once.

    `targets` are the nodes that each node points at, all of them keys. A cycle starts at its member that stands first
    among the keys; the cycles are in the order of these. Edges from a node to itself are left out.
    """
    position = {node: number for number, node in enumerate(targets)}
    knotted = _knotted(targets)
    found: dict[frozenset[str], tuple[str, ...]] = {}
    for searches, node in enumerate(sorted(knotted, key=position.__getitem__)):
        if searches >= _MOST_SEARCHES or len(found) >= _MOST_CYCLES:
            break
        cycle = _shortest_cycle(node, targets, knotted)
        if cycle:
            first = min(range(len(cycle)), key=lambda number: position[cycle[number]])
            found.setdefault(frozenset(cycle), cycle[first:] + cycle[:first])
    return tuple(sorted(found.values(), key=lambda cycle: (position[cycle[0]], len(cycle), cycle)))


def _knotted(targets: Mapping[str, Sequence[str]]) -> set[str]:
    """Return the nodes that are left when those without a way out, or without a way in, are taken away one by one."""
    sources: dict[str, list[str]] = {node: [] for node in targets}
    for node, others in targets.items():
        for other in set(others) - {node}:
            sources[other].append(node)
    left = set(targets)
    for onward, backward in ((targets, sources), (sources, targets)):
        ways = {node: len(set(onward[node]) & left - {node}) for node in left}
        loose = [node for node, count in ways.items() if count == 0]
        while loose:
            node = loose.pop()
            left.discard(node)
            for other in set(backward[node]) & left - {node}:
                ways[other] -= 1
                if ways[other] == 0:
                    loose.append(other)
    return left


def _shortest_cycle(start: str, targets: Mapping[str, Sequence[str]], among: set[str]) -> tuple[str, ...]:
    came_from = {start: start}
    pending = deque([start])
    while pending:
        node = pending.popleft()
        for other in targets[node]:
            if other == start and node != start:
                cycle = [node]
                while cycle[-1] != start:
                    cycle.append(came_from[cycle[-1]])
                return tuple(reversed(cycle))
            if other in among and other not in came_from:
                came_from[other] = node
                pending.append(other)
    return ()
