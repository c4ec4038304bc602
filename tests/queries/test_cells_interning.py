"""Sets that share memory if they are equal."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kro_ls.queries.cells import set_of, union


@given(st.lists(st.frozensets(st.integers(0, 3), max_size=3), max_size=4))
def test_a_union_is_that_of_python(sets: list[frozenset[int]]) -> None:
    assert union(sets) == frozenset().union(*sets)
    assert set_of(item for each in sets for item in each) == union(sets)


def test_what_is_empty_is_one_object() -> None:
    assert set_of(()) is set_of([]) is union([]) is union([frozenset(), set_of("")])


def test_a_union_with_nothing_is_the_other_set() -> None:
    one = set_of("a")
    assert union([frozenset(), one]) is one
