"""Cycles of a directed graph: the nodes on one, and a few short cycles to show to people.

It is code of our own because a person who is typing a cycle would wait for the import of a library.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

Node = TypeVar("Node")

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
        cycle = shortest_cycle(node, targets, knotted)
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


def shortest_cycle(start: str, targets: Mapping[str, Sequence[str]], among: Collection[str]) -> tuple[str, ...]:
    """Return the shortest way from a node back to itself through others `among` these; empty where there is none."""
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


def knots(targets: Mapping[Node, Sequence[Node]]) -> list[frozenset[Node]]:
    """Return the strongly connected components that have a cycle, one of a node to itself included.

    `targets` are the nodes that each node points at, all of them keys. This is Kosaraju's algorithm.
    """
    sources: dict[Node, list[Node]] = {node: [] for node in targets}
    for node, others in targets.items():
        for other in others:
            sources[other].append(node)
    seen: set[Node] = set()
    finished = [each for node in targets for each in _reached(node, targets, seen)]
    seen.clear()
    components = [_reached(node, sources, seen) for node in reversed(finished)]
    return [frozenset(each) for each in components if len(each) > 1 or (each and each[0] in targets[each[0]])]


def _reached(start: Node, targets: Mapping[Node, Sequence[Node]], seen: set[Node]) -> list[Node]:
    """Return the unseen nodes that can be reached from a node, each after the nodes that it points at."""
    found: list[Node] = []
    path = [(start, iter(targets[start]))] if start not in seen else []
    seen.add(start)
    while path:
        node, onward = path[-1]
        following = next((each for each in onward if each not in seen), None)
        if following is None:
            found.append(node)
            path.pop()
        else:
            seen.add(following)
            path.append((following, iter(targets[following])))
    return found
