"""The order and the cycles of any graph, with networkx as a second opinion."""

from __future__ import annotations

import networkx
from hypothesis import given
from hypothesis import strategies as st

from kro_ls.analysis.names.dependency_graph import Graph, knots

NAMES = ("a", "b", "c", "d", "e", "f", "g")

GRAPHS = st.fixed_dictionaries(
    {
        name: st.lists(st.sampled_from([each for each in NAMES if each != name]), max_size=3, unique=True)
        for name in NAMES
    }
)
WITHOUT_CYCLES = st.permutations(NAMES).flatmap(
    lambda names: st.fixed_dictionaries(
        {
            name: st.lists(st.sampled_from(names[:number]), max_size=3, unique=True) if number else st.just([])
            for number, name in enumerate(names)
        }
    )
)


def graph_of(needs: dict[str, list[str]]) -> tuple[Graph, networkx.DiGraph[str]]:
    """Return the graph of a definition, and that of networkx, whose edges begin at the needed resource."""
    other: networkx.DiGraph[str] = networkx.DiGraph()
    other.add_nodes_from(needs)
    other.add_edges_from((need, name) for name, found in needs.items() for need in found)
    return Graph(tuple((name, tuple(found)) for name, found in needs.items())), other


@given(WITHOUT_CYCLES)
def test_the_order_is_that_of_kro(needs: dict[str, list[str]]) -> None:
    graph, other = graph_of(needs)
    place = {name: number for number, name in enumerate(needs)}
    assert graph.order == tuple(networkx.lexicographical_topological_sort(other, key=place.__getitem__))
    assert graph.cycles == ()


@given(GRAPHS)
def test_cycles_are_in_the_strongly_connected_components(needs: dict[str, list[str]]) -> None:
    graph, other = graph_of(needs)
    components = {frozenset(each) for each in networkx.strongly_connected_components(other) if len(each) > 1}
    assert set(knots(needs)) == components
    assert {frozenset().union(*components)} == {frozenset(name for cycle in graph.cycles for name in cycle)}
    for cycle in graph.cycles:
        assert all(need in needs[name] for name, need in zip(cycle, (*cycle[1:], cycle[0]), strict=True))
        assert any(component.issuperset(cycle) for component in components)
