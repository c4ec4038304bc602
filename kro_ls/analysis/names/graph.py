"""The dependency graph of a ResourceGraphDefinition: order, passes of creation, apply waves, cycles.

Source: kro `pkg/graph/dag/dag.go`.
"""

from __future__ import annotations

import heapq
from functools import cached_property
from typing import TYPE_CHECKING, Protocol, TypeAlias

from kro_ls.analysis.layered import LayeredDict
from kro_ls.analysis.names.cycles import short_cycles

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

    from kro_ls.yaml_positions.blocks import Difference

Dependencies: TypeAlias = tuple[tuple[str, tuple[str, ...]], ...]
"""Each resource id in the order of `spec.resources`, with the ids that it depends on. Ids are unique, all known."""


class _Node(Protocol):
    @property
    def id(self) -> str | None: ...
    @property
    def needs(self) -> tuple[str, ...]: ...


class _Table(Protocol):
    """The resources: `numbers` has the number of the first one with each id, `repeated` the ids of several.

    `numbers_mentioning` finds the resources that mention one of some names.
    """

    @property
    def facts(self) -> Sequence[_Node]: ...
    @property
    def numbers(self) -> Mapping[str, int]: ...
    @property
    def repeated(self) -> frozenset[str]: ...
    def numbers_mentioning(self, changed: frozenset[str]) -> Iterator[int]: ...


class Graph:
    """The dependencies among resources. The order of all is worked out when it is asked for.

    A `rank` for each resource proves that there is no cycle: each is above those that it depends on. It is carried on
    from the graph before an edit, so that an edit looks at the edges that it changed; `edited` is where the resources
    may be other ones.
    """

    def __init__(self, table: _Table, before: Graph | None = None, edited: Difference | None = None) -> None:
        self._facts = table.facts
        self._numbers = table.numbers
        self._is_unique = not table.repeated
        self._ranks = self._carried_ranks(before, table, edited) if before and edited else None

    @cached_property
    def dependencies(self) -> Dependencies:
        """Each resource with what it depends on."""
        return tuple((resource, self._needs(number)) for resource, number in self._numbers.items())

    @cached_property
    def order(self) -> tuple[str, ...]:
        """The resources, dependencies first, each as early as its place allows; without those that a cycle holds up."""
        return _order(self.dependencies)

    @cached_property
    def cycles(self) -> tuple[tuple[str, ...], ...]:
        """Short cycles, if there are any. They follow "depends on", from their member that stands first."""
        if self._ranks is None:
            order = self.order
            if len(order) < len(self.dependencies):
                return short_cycles(dict(self.dependencies))
            self._ranks = LayeredDict({resource: rank for rank, resource in enumerate(order)})
        return ()

    def ranked_below(self, other: str, names: Iterable[str]) -> list[str]:
        """Return those of some names of which it is known without a search that they do not depend on another."""
        ranks = self._ranks
        if ranks is None:
            return []
        limit = _rank(ranks, other)
        return [name for name in names if (rank := ranks.get(name)) is None or rank < limit]

    def _needs(self, number: int) -> tuple[str, ...]:
        return tuple(name for name in self._facts[number].needs if name in self._numbers)

    def _carried_ranks(self, before: Graph, table: _Table, edited: Difference) -> LayeredDict[int] | None:
        """Return ranks that hold for this graph, None where those of the graph before do not tell."""
        ranks = before._ranks
        if ranks is None or not self._is_unique or not before._is_unique:
            return None
        names_before = {node.id for node in before._facts[edited.start : edited.before_end] if node.id is not None}
        touched = {node.id: node.needs for node in self._facts[edited.start : edited.end] if node.id is not None}
        gone = {name for name in names_before if name not in self._numbers}
        new = {name for name in touched if name not in before._numbers}
        if new or gone:
            ranks = ranks.without(gone)
            for name in new:
                ranks[name] = 1 + max((_rank(ranks, need) for need in touched[name]), default=-1)
            users = (self._facts[number] for number in table.numbers_mentioning(frozenset(new)))
            touched |= {node.id: node.needs for node in users if node.id is not None}
        for name, needs in touched.items():
            if any(_rank(ranks, need) >= _rank(ranks, name) for need in needs):
                return None
        return ranks


def _rank(ranks: LayeredDict[int], name: str) -> int:
    """Return a rank, -1 for a name that is no resource: nothing stands in its way."""
    rank = ranks.get(name)
    return -1 if rank is None else rank


def _order(dependencies: Dependencies) -> tuple[str, ...]:
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


def creation_passes(graph: Graph, external: Container[str]) -> dict[str, int]:
    """Return the earliest pass, from 1, in which kro can create each resource; empty while the graph has a cycle.

    kro looks up what exists before it applies anything, so a resource waits one pass for each object that it reads. An
    external reference is looked up and read in the same pass.

    Source: kro `pkg/controller/instance/resources.go`.
    """
    if graph.cycles:
        return {}
    needs = dict(graph.dependencies)
    passes: dict[str, int] = {}
    for resource in graph.order:
        passes[resource] = max((passes[need] + (need not in external) for need in needs[resource]), default=1)
    return passes


def apply_waves(graph: Graph) -> dict[str, int]:
    """Return each resource's apply wave, from 1. kro deletes the highest wave first.

    A resource is in the highest wave if nothing depends on it. Empty while the graph has a cycle.
    """
    if graph.cycles:
        return {}
    needs = dict(graph.dependencies)
    depths = dict.fromkeys(graph.order, 0)
    for resource in reversed(graph.order):
        for need in needs[resource]:
            if need in depths:
                depths[need] = max(depths[need], depths[resource] + 1)
    count = max(depths.values(), default=-1) + 1
    return {resource: count - depth for resource, depth in depths.items()}
