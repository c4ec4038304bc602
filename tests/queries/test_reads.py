"""How two values differ."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kro_ls.queries.reads import UNKNOWN, Joined, change_between

_PART = st.dictionaries(st.sampled_from("abcdef"), st.sampled_from((None, 1, 2)), max_size=3)


@st.composite
def _versions(draw: st.DrawFn) -> tuple[tuple[dict[str, int | None], ...], ...]:
    """Return the parts of two versions, which share some of them."""
    pool = draw(st.lists(_PART, min_size=1, max_size=5))
    parts = st.lists(st.sampled_from(pool), max_size=5).map(tuple)
    return draw(parts), draw(parts)


@given(_versions())
def test_joined_mappings_differ_as_plain_ones_do(versions: tuple[tuple[dict[str, int | None], ...], ...]) -> None:
    before, after = map(Joined, versions)
    assert change_between(before, after) == change_between(dict(before), dict(after))


def test_the_first_mapping_counts() -> None:
    assert Joined(({"a": 1}, {"a": 2, "b": 3})) == {"a": 1, "b": 3}


def test_equal_values_have_not_changed() -> None:
    assert change_between([1], [1]) is None
    assert change_between({"a": [1]}, {"a": [1]}) is None


def test_other_values_than_mappings_differ_as_a_whole() -> None:
    assert change_between([1], [2]) is UNKNOWN
