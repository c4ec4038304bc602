"""Queries have the same values after edits as in a new revision."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from kro_ls.queries.engine import Input, OwnedQuery, Query, Reader, Revision
from tests.queries.shop import NUMBERS, PRICES, Item, bill, doubled, is_even, label, total


@given(st.lists(st.dictionaries(st.sampled_from("abcdef"), st.integers(0, 2)), min_size=1, max_size=5), st.data())
def test_values_of_many_owners_are_those_of_each(prices: list[dict[str, int]], data: st.DataObject) -> None:
    """They are asked at different times, so some were verified in the previous revision and some much earlier."""
    items = [Item(name) for name in "abcdefabc"]

    @Query
    def sheet(reader: Reader) -> tuple[str, ...]:
        return tuple(bill.each(reader, items))

    revision = Revision({PRICES: prices[0]})
    for each in prices:
        revision = revision.changed({PRICES: each})
        for item in data.draw(st.lists(st.sampled_from(items), max_size=3)):
            bill(revision.reader(), item)
        if data.draw(st.booleans()):
            fresh = tuple(f"{item.name} {2 * each[item.name] if item.name in each else None}" for item in items)
            assert sheet(revision.reader()) == fresh


@OwnedQuery
def cheaper(reader: Reader, item: Item) -> bool:
    return (doubled.entry(reader, item.name) or 0) < total(reader)


@Query
def cheap_items(reader: Reader) -> tuple[str, ...]:
    return tuple(each.name for each in ITEMS(reader) if cheaper(reader, each))


@Query
def summary(reader: Reader) -> str:
    prices = [doubled.entry(reader, name) for name in cheap_items(reader)] if is_even(reader) else []
    return f"{label(reader)} {prices} {[bill(reader, each) for each in ITEMS(reader)[:2]]}"


ITEMS = Input[tuple[Item, ...]]("items")
_SUMMARIES = (summary, cheap_items, label)
_small = st.integers(0, 3)
_states = st.tuples(
    st.lists(_small, max_size=3).map(tuple),
    st.dictionaries(st.sampled_from("abcd"), _small),
    st.lists(st.sampled_from("abcd"), max_size=4),
    st.sets(st.sampled_from(_SUMMARIES)),
)


@given(st.lists(st.tuples(_states, st.booleans()), max_size=6))
def test_values_after_edits_are_those_of_a_fresh_revision(steps: list[tuple[Any, bool]]) -> None:
    items = {name: Item(name) for name in "abcd"}
    main = Revision({NUMBERS: (), PRICES: {}, ITEMS: ()})
    for (numbers, prices, names, asked), is_trial in steps:
        own = tuple(items[name] for name in names)
        inputs: dict[Input[Any], Any] = {NUMBERS: numbers, PRICES: prices, ITEMS: own}
        revision = main.branched(inputs) if is_trial else main.changed(inputs)
        fresh = Revision({**inputs, ITEMS: tuple(map(Item, names))})
        assert [each(revision.reader()) for each in asked] == [each(fresh.reader()) for each in asked]
        main = main if is_trial else revision
