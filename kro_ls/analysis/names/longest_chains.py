"""What networkx says of a dependency graph: passes of creation, apply waves, the critical path.

Its import takes 0.16 s of processor time and 13 MB, so import this module where one of these is asked for. What a key
stroke, `check` or a preview needs of the graph is in `dependency_graph.py` and needs no networkx.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import networkx

if TYPE_CHECKING:
    from collections.abc import Container

    from kro_ls.analysis.names.dependency_graph import Graph


def creation_passes(graph: Graph, external: Container[str]) -> dict[str, int]:
    """Return the earliest pass, from 1, in which kro can create each resource; empty while the graph has a cycle.

    kro looks up what exists before it applies anything, so a resource waits one pass for each object that it reads. An
    external reference is looked up and read in the same pass.

    Source: kro `pkg/controller/instance/resources.go`.
    """
    if graph.cycles:
        return {}
    waits: networkx.DiGraph[str] = networkx.DiGraph()
    start = ""  # which no id equals
    waits.add_weighted_edges_from((start, resource, -1) for resource in graph.order)
    needs = dict(graph.dependencies)
    waits.add_weighted_edges_from(
        (need, resource, -(need not in external)) for resource in graph.order for need in needs[resource]
    )
    # The longest chain is the shortest path of negative lengths.
    lengths = networkx.single_source_bellman_ford_path_length(waits, start) if graph.order else {}
    return {resource: -int(lengths[resource]) for resource in graph.order}


def apply_waves(graph: Graph) -> dict[str, int]:
    """Return each resource's apply wave, from 1, which `apply_orders` of the runtime has as well.

    kro deletes the highest wave first; in it are the resources that nothing depends on. Empty while the graph has a
    cycle.
    """
    if graph.cycles:
        return {}
    generations = [*networkx.topological_generations(_needs(graph))]
    return {resource: wave for wave, found in enumerate(reversed(generations), 1) for resource in found}


def critical_path(graph: Graph) -> tuple[str, ...]:
    """Return the longest chain of resources that wait for one another, dependencies first; empty if there is a cycle.

    Of several, it is the one that begins with the first resource in topological order, and so on.
    """
    waves = apply_waves(graph)
    # From the last wave to the first, because networkx follows the path back from the first of its possible ends.
    order = sorted(graph.order, key=waves.__getitem__, reverse=True) if waves else ()
    return tuple(reversed(networkx.dag_longest_path(_needs(graph), topo_order=order))) if order else ()


def _needs(graph: Graph) -> networkx.DiGraph[str]:
    """Return the graph with an edge from each resource to each that it needs, both in topological order."""
    found: networkx.DiGraph[str] = networkx.DiGraph()
    found.add_nodes_from(graph.order)
    needs = dict(graph.dependencies)
    found.add_edges_from((resource, need) for resource in graph.order for need in needs[resource])
    return found
