"""The dependency graph of a ResourceGraphDefinition: its order, which is kro's, and its cycles.

Source: kro `pkg/graph/dag/dag.go`. It is our own code because the message about a cycle that someone is typing would
have to wait for the import of networkx, which answers what drawings ask (`longest_chains.py`).
"""

from __future__ import annotations

import heapq
from collections import deque
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from kro_ls.queries.cells import cached_attribute

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence


Dependencies: TypeAlias = tuple[tuple[str, tuple[str, ...]], ...]
"""Each resource id in the order of `spec.resources`, with the ids that it depends on. Ids are unique and declared."""


class Graph:
    """The dependencies among resources: each with those that it depends on. All else is computed on demand."""

    def __init__(self, dependencies: Dependencies) -> None:
        self.dependencies = dependencies

    @cached_attribute
    def order(self) -> tuple[str, ...]:
        """The resources in topological order, without those that a cycle holds up."""
        return topological_order(self.dependencies)

    @cached_attribute
    def cycles(self) -> tuple[tuple[str, ...], ...]:
        """Short cycles, if there are any. They follow "depends on", from their member that stands first."""
        if len(self.order) == len(self.dependencies):
            return ()
        return short_cycles(dict(self.dependencies))

    @cached_attribute
    def dependents(self) -> dict[str, list[str]]:
        """Each resource with those that depend on it, in their order."""
        found: dict[str, list[str]] = {resource: [] for resource, _ in self.dependencies}
        for resource, needs in self.dependencies:
            for need in needs:
                found[need].append(resource)
        return found

    def depending_on(self, resource: str) -> frozenset[str]:
        """Return the resource and those that depend on it, directly or through others."""
        found = {resource}
        pending = [resource]
        while pending:
            for dependent in self.dependents[pending.pop()]:
                if dependent not in found:
                    found.add(dependent)
                    pending.append(dependent)
        return frozenset(found)


def topological_order(dependencies: Dependencies) -> tuple[str, ...]:
    """Return the nodes, dependencies first, each as early as its place allows; without those that a cycle holds up."""
    position = {resource: index for index, (resource, _) in enumerate(dependencies)}
    waiting = {resource: len(set(needs)) for resource, needs in dependencies}
    dependents: dict[str, list[str]] = {resource: [] for resource in position}
    for resource, needs in dependencies:
        for need in set(needs):
            dependents[need].append(resource)
    ready = [position[resource] for resource, count in waiting.items() if count == 0]
    order: list[str] = []
    while ready:
        resource = dependencies[heapq.heappop(ready)][0]
        order.append(resource)
        for dependent in dependents[resource]:
            waiting[dependent] -= 1
            if waiting[dependent] == 0:
                heapq.heappush(ready, position[dependent])
    return tuple(order)


Node = TypeVar("Node")

# There can be exponentially many cycles, and a handful is enough to read.
_MOST_CYCLES = 20
_MOST_SEARCHES = 200


def short_cycles(targets: Mapping[str, Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    """Return a shortest cycle through each node that is in one, each cycle once.

    `targets` are the nodes that each node points at, all of them keys. A cycle starts at its member that stands first
    among the keys; the cycles are in the order of these. Edges from a node to itself are left out.
    """
    position = {node: number for number, node in enumerate(targets)}
    knotted = frozenset[str]().union(*knots(targets))
    found: dict[frozenset[str], tuple[str, ...]] = {}
    for searches, node in enumerate(sorted(knotted, key=position.__getitem__)):
        if searches >= _MOST_SEARCHES or len(found) >= _MOST_CYCLES:
            break
        cycle = shortest_cycle(node, targets, knotted)
        if cycle:
            first = min(range(len(cycle)), key=lambda number: position[cycle[number]])
            found.setdefault(frozenset(cycle), cycle[first:] + cycle[:first])
    return tuple(sorted(found.values(), key=lambda cycle: (position[cycle[0]], len(cycle), cycle)))


def shortest_cycle(start: str, targets: Mapping[str, Sequence[str]], among: Collection[str]) -> tuple[str, ...]:
    """Return the shortest cycle from a node back to itself through nodes `among` these; empty where there is none."""
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
