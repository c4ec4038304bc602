"""Types that hold themselves or each other, with networkx as a second opinion."""

import networkx
from hypothesis import given
from hypothesis import strategies as st

from kro_ls.analysis.simpleschema.custom_types import order_types
from kro_ls.analysis.simpleschema.results import TypeReference
from kro_ls.yaml_positions.positions import Span

NAMES = ("A", "B", "C", "D", "E", "F")


@given(st.fixed_dictionaries({name: st.lists(st.sampled_from(NAMES), max_size=3, unique=True) for name in NAMES}))
def test_recursive_types_are_the_strongly_connected_ones(uses: dict[str, list[str]]) -> None:
    references = {
        name: [TypeReference("types", (name,), Span(0, 1), each) for each in used] for name, used in uses.items()
    }
    found = order_types(references)
    graph: networkx.DiGraph[str] = networkx.DiGraph((name, each) for name, used in uses.items() for each in used)
    components = [each for each in networkx.strongly_connected_components(graph) if len(each) > 1]
    selves = {name for name, used in uses.items() if name in used}
    assert found.recursive == frozenset(selves.union(*components))
    assert len([error for error in found.errors if error.code == "recursive-type"]) == len(components) + len(selves)
    position = {name: number for number, name in enumerate(found.order)}
    assert sorted(position) == sorted(NAMES) or found.recursive
    assert all(
        position[each] < position[name]
        for name, used in uses.items()
        if name in position and name not in found.recursive
        for each in used
        if each in position
    )
