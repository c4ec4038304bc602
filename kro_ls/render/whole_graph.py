"""A Graph with its child graphs as one dependency graph, whose nodes are named by the way to them: `inner/note`.

The node that has a child graph stands for what all of that gives, so it depends on the nodes in it. What these read of
the nodes around them is theirs alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.analysis.names.dependency_graph import Graph
from kro_ls.analysis.names.references import own_depending_references
from kro_ls.graphs import children_by_id, declaring_graph

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.model.model import PlacedResource


class Node(Struct, frozen=True):
    """A node by the way to it, with the ways to the nodes that it depends on."""

    id: str
    needs: tuple[str, ...]
    placed: PlacedResource


class WholeGraph(Struct, frozen=True):
    """The nodes by the ways to them, their graph, and the order in which kro takes them, but for those in cycles."""

    nodes: dict[str, Node]
    graph: Graph
    order: tuple[str, ...]


def whole_graph(analysis: RgdAnalysis) -> WholeGraph:
    """Return the graph of a definition, with the child graphs in it."""
    nodes = {each.id: each for each in _nodes(analysis)}
    has_children = len(nodes) > len(analysis.graph.dependencies)
    dependencies = tuple((id_, tuple(need for need in node.needs if need in nodes)) for id_, node in nodes.items())
    graph = Graph(dependencies) if has_children else analysis.graph
    return WholeGraph(nodes, graph, tuple(_order(analysis)))


def _nodes(graph: RgdAnalysis) -> Iterator[Node]:
    children = children_by_id(graph)
    for id_, needs in graph.graph.dependencies:
        placed = graph.resources[id_]
        names = dict.fromkeys(each.name for each in own_depending_references(placed.resource))
        ways = [_way(graph, need) for need in needs if need in names]
        ways += [way for name in names if name not in placed.resource.iterators for way in _outside(graph, name)]
        child = children.get(id_)
        ways += [_way(child, each) for each, _ in child.graph.dependencies] if child else ()
        yield Node(_way(graph, id_), tuple(ways), placed)
        yield from _nodes(child) if child else ()


def _order(graph: RgdAnalysis) -> Iterator[str]:
    children = children_by_id(graph)
    for id_ in graph.graph.order:
        yield from _order(children[id_]) if id_ in children else ()
        yield _way(graph, id_)


def _way(graph: RgdAnalysis, id_: str) -> str:
    return f"{graph.rgd.outer.path}/{id_}" if graph.rgd.outer else id_


def _outside(graph: RgdAnalysis, name: str) -> Iterator[str]:
    """Yield the way to what a name means around a child graph that does not declare it."""
    owner = None if name in graph.table.numbers else declaring_graph(graph, name)
    if owner:
        yield _way(owner, name)
