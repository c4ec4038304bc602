"""Blocks hold what a tuple would, and an edit shares the blocks that it does not touch."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kro_ls.queries.cells import Blocks, difference

VALUES = st.lists(st.integers(0, 3), max_size=400)


PLACE = st.integers(0, 1000)
"""In thousandths."""


@given(VALUES, st.lists(st.tuples(PLACE, PLACE, st.lists(st.integers(0, 3), max_size=90)), max_size=6))
def test_they_are_as_a_tuple_is(values: list[int], edits: list[tuple[int, int, list[int]]]) -> None:
    blocks, expected = Blocks.of(values), tuple(values)
    for one, other, new in edits:
        start, end = (place * len(expected) // 1000 for place in sorted((one, other)))
        before, blocks = blocks, blocks.replaced(start, end, new)
        known, expected = expected, (*expected[:start], *new, *expected[end:])
        assert tuple(blocks) == expected
        assert len(blocks) == len(expected)
        assert all(blocks.blocks)
        assert [blocks[number] for number in range(len(expected))] == list(expected)
        assert (blocks[start:end], blocks[::-2], blocks[-5:]) == (expected[start:end], expected[::-2], expected[-5:])
        assert blocks == Blocks.of(expected)
        first, before_last, last = difference(before, blocks)
        assert expected == (*known[:first], *expected[first:last], *known[before_last:])
        assert first in (last, before_last) or known[first] != expected[first]
        assert first in (last, before_last) or known[before_last - 1] != expected[last - 1]
        assert last - first <= len(new) or blocks == before


def test_an_edit_shares_what_it_does_not_touch() -> None:
    before = Blocks.of(range(10_000))
    after = before.replaced(5_000, 5_001, [-1, -2])
    shared = {id(block) for block in before.blocks} & {id(block) for block in after.blocks}
    assert len(shared) == len(before.blocks) - 1
    assert difference(before, after) == (5_000, 5_001, 5_002)


def test_there_is_nothing_after_the_last() -> None:
    assert Blocks.of(range(100))[-1] == 99
    for number in (100, -101):
        with pytest.raises(IndexError):
            Blocks.of(range(100))[number]
