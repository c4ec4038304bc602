"""Passes, waves and critical paths of any graph, by what they must satisfy."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kro_ls.analysis.names.dependency_graph import Graph
from kro_ls.analysis.names.longest_chains import apply_waves, creation_passes, critical_path
from kro_ls.runtime.passes.metadata import apply_orders
from tests.analysis.names.test_dependency_graph import NAMES, WITHOUT_CYCLES


def graph_of(needs: dict[str, list[str]]) -> Graph:
    return Graph(tuple((name, tuple(found)) for name, found in needs.items()))


@given(WITHOUT_CYCLES, st.sets(st.sampled_from(NAMES)))
def test_a_pass_is_the_first_after_those_of_the_objects_that_are_read(
    needs: dict[str, list[str]], seen: set[str]
) -> None:
    passes = creation_passes(graph_of(needs), seen)
    assert passes.keys() == needs.keys()
    for name, found in needs.items():
        assert passes[name] == max((passes[need] + (need not in seen) for need in found), default=1)


@given(WITHOUT_CYCLES)
def test_a_wave_is_the_last_before_those_of_the_resources_that_read(needs: dict[str, list[str]]) -> None:
    waves = apply_waves(graph_of(needs))
    assert waves.keys() == needs.keys()
    assert min(waves.values()) == 1
    for need in needs:
        dependents = [name for name, found in needs.items() if need in found]
        assert waves[need] == min((waves[name] - 1 for name in dependents), default=max(waves.values()))


@given(WITHOUT_CYCLES)
def test_the_runtime_writes_the_same_waves(needs: dict[str, list[str]]) -> None:
    assert apply_orders(graph_of(needs)) == apply_waves(graph_of(needs))


@given(WITHOUT_CYCLES)
def test_a_critical_path_has_a_resource_of_each_wave_and_begins_with_the_first_ones(
    needs: dict[str, list[str]],
) -> None:
    graph = graph_of(needs)
    path, waves = critical_path(graph), apply_waves(graph)
    assert [waves[name] for name in path] == [*range(1, max(waves.values()) + 1)]
    for before, name in zip((None, *path), path, strict=False):
        possible = [each for each in graph.order if waves[each] == waves[name]]
        assert name == next(each for each in possible if before is None or before in needs[each])


def test_a_graph_with_a_cycle_has_none_of_them() -> None:
    graph = graph_of({"a": ["b"], "b": ["a"], "c": []})
    assert creation_passes(graph, ()) == apply_waves(graph) == apply_orders(graph) == {}
    assert critical_path(graph) == ()


def test_a_graph_may_be_empty() -> None:
    graph = graph_of({})
    assert creation_passes(graph, ()) == apply_waves(graph) == apply_orders(graph) == {}
    assert critical_path(graph) == ()
