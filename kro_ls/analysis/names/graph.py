"""The dependency graph of a ResourceGraphDefinition: order, apply waves, cycles.

Source: kro `pkg/graph/dag/dag.go`. networkx is imported only where it is needed, because importing it takes longer
than checking a file.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import networkx

Dependencies: TypeAlias = tuple[tuple[str, tuple[str, ...]], ...]
"""Each resource id in the order of `spec.resources`, with the ids that it depends on. Ids are unique, all known."""

# A strongly connected tangle can hold exponentially many cycles; nobody reads more than a handful.
_MOST_CYCLES = 20


@dataclass(frozen=True, slots=True)
class Graph:
    """The graph's facts. `order` has dependencies first and leaves out what a cycle holds up.

    `cycles` follow "depends on" and start at their member that stands first in `spec.resources`.
    """

    dependencies: Dependencies
    order: tuple[str, ...]
    cycles: tuple[tuple[str, ...], ...]


@lru_cache(maxsize=256)
def build_graph(dependencies: Dependencies) -> Graph:
    """Return the graph; an unlocked resource comes as early as its place in `spec.resources` allows."""
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
    complete = len(order) == len(dependencies)
    return Graph(dependencies, tuple(order), () if complete else _cycles(dependencies, position))


def _cycles(dependencies: Dependencies, position: dict[str, int]) -> tuple[tuple[str, ...], ...]:
    import networkx

    graph = to_networkx(dependencies)
    graph.remove_edges_from(list(networkx.selfloop_edges(graph)))
    cycles: list[tuple[str, ...]] = []
    for cycle in islice(networkx.simple_cycles(graph), _MOST_CYCLES):
        first = min(range(len(cycle)), key=lambda index: position[cycle[index]])
        cycles.append(tuple(cycle[first:] + cycle[:first]))
    return tuple(sorted(cycles, key=lambda cycle: (position[cycle[0]], len(cycle), cycle)))


def apply_waves(graph: Graph) -> dict[str, int]:
    """Return each resource's apply wave: the resources that nothing depends on have the highest number.

    Empty while the graph has a cycle.
    """
    import networkx

    if graph.cycles:
        return {}
    layers = list(networkx.topological_generations(to_networkx(graph.dependencies)))
    return {resource: len(layers) - index for index, layer in enumerate(layers) for resource in layer}


def to_networkx(dependencies: Dependencies) -> networkx.DiGraph[str]:
    """Return the graph for networkx, with an edge from each resource to what it depends on."""
    import networkx

    graph: networkx.DiGraph[str] = networkx.DiGraph()
    graph.add_nodes_from(resource for resource, _ in dependencies)
    graph.add_edges_from((resource, need) for resource, needs in dependencies for need in needs)
    return graph
