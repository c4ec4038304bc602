"""The dependency graph of a ResourceGraphDefinition: order, passes of creation, apply waves, cycles.

Source: kro `pkg/graph/dag/dag.go`.
"""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING, TypeAlias

from kro_ls.analysis.names.cycles import short_cycles
from kro_ls.queries.cells import cached_attribute

if TYPE_CHECKING:
    from collections.abc import Container

Dependencies: TypeAlias = tuple[tuple[str, tuple[str, ...]], ...]
"""Each resource id in the order of `spec.resources`, with the ids that it depends on. Ids are unique, all known."""


class Graph:
    """The dependencies among resources: each with what it depends on. What follows is computed when asked for.

    `is_in_order` tells that each is known to depend on earlier ones alone, as in most definitions.
    """

    def __init__(self, dependencies: Dependencies, *, is_in_order: bool = False) -> None:
        self.dependencies = dependencies
        self._is_in_order = is_in_order

    @cached_attribute
    def order(self) -> tuple[str, ...]:
        """The resources, dependencies first, each as early as its place allows; without those that a cycle holds up."""
        return _order(self.dependencies)

    @cached_attribute
    def cycles(self) -> tuple[tuple[str, ...], ...]:
        """Short cycles, if there are any. They follow "depends on", from their member that stands first."""
        if self._is_in_order or len(self.order) == len(self.dependencies):
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
        """Return the resource, and those that depend on it, perhaps through others."""
        found = {resource}
        pending = [resource]
        while pending:
            for dependent in self.dependents[pending.pop()]:
                if dependent not in found:
                    found.add(dependent)
                    pending.append(dependent)
        return frozenset(found)


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
