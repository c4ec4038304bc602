"""What a query reads, when its value is valid, cycles, cancellation, threads, and memory."""

import gc
import weakref
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event

import pytest

from kro_ls.queries.engine import Cancelled, CycleError, Input, OwnedQuery, Query, Reader, Revision
from tests.queries.shop import NUMBERS, PRICES, RUNS, Item, bill, doubled, is_even, label, ran, total


@pytest.fixture(autouse=True)
def nothing_ran() -> None:
    RUNS.clear()


def test_a_value_is_computed_once_in_a_revision() -> None:
    reader = Revision({NUMBERS: (1, 2)}).reader()
    assert (label(reader), label(reader)) == ("odd", "odd")
    assert ran() == ["label", "is_even", "total"]


def test_an_equal_input_runs_nothing_again() -> None:
    first = Revision({NUMBERS: (1, 2)})
    label(first.reader())
    ran()
    assert label(first.changed({NUMBERS: tuple(range(1, 3))}).reader()) == "odd"
    assert ran() == []


def test_an_equal_value_stops_the_edit() -> None:
    first = Revision({NUMBERS: (1, 2)})
    label(first.reader())
    ran()
    second = first.changed({NUMBERS: (3, 2)})
    assert label(second.reader()) == "odd"
    assert ran() == ["total", "is_even"]


def test_another_value_reaches_those_who_read_it() -> None:
    first = Revision({NUMBERS: (1, 2)})
    label(first.reader())
    ran()
    assert label(first.changed({NUMBERS: (2, 2)}).reader()) == "even"
    assert ran() == ["total", "is_even", "label"]


def test_an_input_that_was_not_read_does_not_count() -> None:
    first = Revision({NUMBERS: (1,), PRICES: {}})
    label(first.reader())
    ran()
    assert label(first.changed({PRICES: {"a": 1}}).reader()) == "odd"
    assert ran() == []


def test_what_came_out_equal_stays_the_same_object() -> None:
    @Query
    def halves(reader: Reader) -> list[int]:
        return [number // 2 for number in NUMBERS(reader)]

    first = Revision({NUMBERS: (2, 4)})
    found = halves(first.reader())
    assert halves(first.changed({NUMBERS: (3, 5)}).reader()) is found


def test_what_is_read_can_depend_on_what_was_read() -> None:
    @Query
    def chosen(reader: Reader) -> int:
        RUNS.append("chosen")
        return NUMBERS(reader)[0] if is_even(reader) else 0

    first = Revision({NUMBERS: (1, 2)})
    chosen(first.reader())
    ran()
    assert chosen(first.changed({NUMBERS: (2, 3)}).reader()) == 0
    assert ran() == ["total", "is_even"]


def test_what_a_final_revision_computed_stands_in_no_other_one() -> None:
    item = Item("apple")
    final = Revision({NUMBERS: (1, 2), PRICES: {"apple": 1}}, is_final=True)
    assert [(label(final.reader()), bill(final.reader(), item)) for _ in range(2)] == [("odd", "apple 2")] * 2
    assert ran() == ["label", "is_even", "total", "bill apple", "doubled"]
    others = (final.changed({NUMBERS: (2, 2)}), Revision({NUMBERS: (2, 2), PRICES: {"apple": 2}}, is_final=True))
    assert [label(each.reader()) for each in others] == ["even", "even"]
    assert [bill(each.reader(), item) for each in others] == ["apple 2", "apple 4"]
    assert bill(final.reader(), item) == "apple 2"
    recorded = final.changed({PRICES: {"apple": 5}})
    assert bill(recorded.reader(), item) == "apple 10"


# Entries of mappings


def test_who_reads_one_entry_does_not_notice_the_others() -> None:
    apple, pear = Item("apple"), Item("pear")
    first = Revision({PRICES: {"apple": 1, "pear": 2}})
    assert [bill(first.reader(), each) for each in (apple, pear)] == ["apple 2", "pear 4"]
    ran()
    second = first.changed({PRICES: {"apple": 1, "pear": 3, "fig": 4}})
    assert [bill(second.reader(), each) for each in (apple, pear)] == ["apple 2", "pear 6"]
    assert ran() == ["doubled", "bill pear"]


def test_that_an_entry_is_missing_was_read_too() -> None:
    fig = Item("fig")
    first = Revision({PRICES: {}})
    assert bill(first.reader(), fig) == "fig None"
    assert bill(first.changed({PRICES: {"fig": 4}}).reader(), fig) == "fig 8"


def test_who_also_reads_all_entries_notices_each() -> None:
    @Query
    def share(reader: Reader) -> float:
        return (doubled.entry(reader, "apple") or 0) / sum(doubled(reader).values())

    first = Revision({PRICES: {"apple": 1, "pear": 1}})
    assert share(first.reader()) == 0.5
    assert share(first.changed({PRICES: {"apple": 1, "pear": 3}}).reader()) == 0.25


def test_whether_entries_are_there_was_read_of_these_alone() -> None:
    @Query
    def is_stocked(reader: Reader) -> bool:
        RUNS.append("is_stocked")
        return doubled.has_all(reader, frozenset({"apple", "pear"})) and doubled.entry(reader, "apple") == 2

    first = Revision({PRICES: {"apple": 1, "pear": 2}})
    assert is_stocked(first.reader())
    ran()
    second = first.changed({PRICES: {"apple": 1, "pear": 2, "fig": 4}})
    assert (is_stocked(second.reader()), ran()) == (True, ["doubled"])
    assert not is_stocked(second.changed({PRICES: {"apple": 1}}).reader())


def test_only_owners_that_read_what_has_changed_run_again() -> None:
    items = [Item("apple"), Item("pear"), Item("fig")]
    first = Revision({PRICES: {"apple": 1, "pear": 2}})
    bill.each(first.reader(), items)
    ran()
    second = first.changed({PRICES: {"apple": 1, "pear": 3}})
    assert bill.each(second.reader(), items) == ["apple 2", "pear 6", "fig None"]
    assert ran() == ["doubled", "bill pear"]


def test_what_a_part_reads_counts_for_who_asks_it() -> None:
    apple = Item("apple")

    @Query
    def sheet(reader: Reader) -> str:
        RUNS.append("sheet")
        return f"<{bill(reader, apple)}>"

    first = Revision({PRICES: {"apple": 1, "pear": 1}})
    sheet(first.reader())
    ran()
    second = first.changed({PRICES: {"apple": 1, "pear": 2}})
    assert (sheet(second.reader()), ran()) == ("<apple 2>", ["doubled"])
    third = second.changed({PRICES: {"apple": 2, "pear": 2}})
    assert (sheet(third.reader()), ran()) == ("<apple 4>", ["doubled", "sheet", "bill apple"])


@Query
def discount(reader: Reader, percent: int) -> int:
    RUNS.append(f"discount {percent}")
    return sum(NUMBERS(reader)) * percent // 100


def test_each_key_has_a_value_of_its_own() -> None:
    first = Revision({NUMBERS: (100, 200)})
    assert [discount(first.reader(), percent) for percent in (10, 50, 10)] == [30, 150, 30]
    assert ran() == ["discount 10", "discount 50"]
    second = first.changed({NUMBERS: (200, 100)})
    assert (discount(second.reader(), 50), ran()) == (150, ["discount 50"])


def test_entries_of_a_key_are_read_alone() -> None:
    @Query
    def multiplied(reader: Reader, factor: int) -> Mapping[str, int]:
        return {name: factor * price for name, price in PRICES(reader).items()}

    @Query
    def price_of_three_apples(reader: Reader) -> int | None:
        RUNS.append("apples")
        return multiplied.entry(reader, "apple", 3)

    first = Revision({PRICES: {"apple": 1}})
    second = first.changed({PRICES: {"apple": 1, "fig": 2}})
    assert [price_of_three_apples(each.reader()) for each in (first, second)] == [3, 3]
    assert ran() == ["apples"]


# Owners and memory


@OwnedQuery
def times(reader: Reader, item: Item, factor: int) -> int:
    RUNS.append(f"times {factor}")
    return factor * (doubled.entry(reader, item.name) or 0)


def test_other_arguments_give_another_value() -> None:
    apple, reader = Item("apple"), Revision({PRICES: {"apple": 1}}).reader()
    assert [times(reader, apple, factor) for factor in (1, 1, 2)] == [2, 2, 4]
    assert [each for each in ran() if each != "doubled"] == ["times 1", "times 2"]
    assert len(apple.cells) == 1


def test_a_value_goes_with_its_owner() -> None:
    apple, revision = Item("apple"), Revision({PRICES: {"apple": 1}})
    bill(revision.reader(), apple)
    gone = weakref.ref(apple)
    del apple
    assert gone() is None


def test_of_many_revisions_the_last_one_is_kept() -> None:
    class Text(str):
        __slots__ = ("__weakref__",)

    source = Input[Text]("text")

    @Query
    def length(reader: Reader) -> int:
        return len(source(reader))

    texts = [Text("a" * number) for number in range(50)]
    alive = [weakref.ref(text) for text in texts]
    revision = Revision({source: texts[0]})
    while texts:
        revision = revision.changed({source: texts.pop(0)})
        length(revision.reader())
    gc.collect()
    assert sum(each() is not None for each in alive) == 1


def test_what_nobody_asks_for_is_forgotten() -> None:
    revision = Revision({NUMBERS: (1, 2)})
    label(revision.reader())
    for _ in range(200):
        revision = revision.changed({})
        total(revision.reader())
    assert set(revision.cells) == {total}


def test_a_trial_leaves_the_revision_alone_that_it_starts_from() -> None:
    apple, main = Item("apple"), Revision({PRICES: {"apple": 1}})
    assert bill(main.reader(), apple) == "apple 2"
    trial = main.branched({PRICES: {"apple": 5}})
    assert bill(trial.reader(), apple) == "apple 10"
    assert bill(main.reader(), apple) == "apple 2"
    ran()
    assert doubled(main.changed({PRICES: {"apple": 1}}).reader()) == {"apple": 2}
    assert ran() == []


def test_what_an_earlier_revision_still_computes_is_of_use_to_the_next() -> None:
    first = Revision({NUMBERS: (1, 2)})
    second = first.changed({NUMBERS: (3, 2)})
    label(first.reader())
    ran()
    assert (label(second.reader()), ran()) == ("odd", ["total", "is_even"])
    assert (label(first.reader()), ran()) == ("odd", [])


# Failures, cycles and cancellation


def test_an_error_is_raised_again_and_not_kept() -> None:
    @Query
    def inverse(reader: Reader) -> float:
        return 1 / total(reader)

    first = Revision({NUMBERS: (0,)})
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            inverse(first.reader())
    assert inverse(first.changed({NUMBERS: (4,)}).reader()) == 0.25


def test_an_error_in_what_is_not_read_any_more_is_none() -> None:
    @Query
    def inverse(reader: Reader) -> float:
        return 1 / NUMBERS(reader)[1]

    @Query
    def guarded(reader: Reader) -> float:
        return inverse(reader) if is_even(reader) else 0.0

    first = Revision({NUMBERS: (2, 2)})
    assert guarded(first.reader()) == 0.5
    assert guarded(first.changed({NUMBERS: (1, 0)}).reader()) == 0.0


def test_a_cycle_is_reported_whoever_is_asked_first() -> None:
    reader = Revision({}).reader()
    for _ in range(2):
        with pytest.raises(CycleError, match="chicken asks egg asks chicken"):
            chicken(reader)
        with pytest.raises(CycleError, match="egg asks chicken asks egg"):
            egg(reader)


def test_a_query_may_ask_itself_for_another_key() -> None:
    @Query
    def factorial(reader: Reader, number: int) -> int:
        return number * factorial(reader, number - 1) if number else 1

    assert factorial(Revision({}).reader(), 5) == 120


def test_owners_of_a_query_may_ask_it_of_each_other() -> None:
    apple = Item("apple")
    basket = Item("basket")

    @OwnedQuery
    def weight(reader: Reader, item: Item) -> int:
        return 1 if item is apple else 2 * weight(reader, apple)

    assert weight(Revision({}).reader(), basket) == 2


@Query
def chicken(reader: Reader) -> str:
    return egg(reader)


@Query
def egg(reader: Reader) -> str:
    return chicken(reader)


def test_a_cancelled_revision_ends_at_the_next_query() -> None:
    revision = Revision({NUMBERS: (1, 2)})
    assert total(revision.reader()) == 3
    revision.cancel()
    assert total(revision.reader()) == 3
    with pytest.raises(Cancelled):
        label(revision.reader())
    assert label(revision.changed({}).reader()) == "odd"


def test_work_is_cancelled_while_it_runs() -> None:
    @Query
    def slow(reader: Reader) -> int:
        reader.revision.cancel()  # as another thread does
        return total(reader)

    with pytest.raises(Cancelled):
        slow(Revision({NUMBERS: (1, 2)}).reader())


# Threads


def test_threads_get_the_same_values_in_their_own_revisions() -> None:
    items = [Item(f"item{number}") for number in range(30)]
    start = Barrier(8)

    def bills(price: int) -> list[str]:
        reader = Revision({PRICES: {each.name: price for each in items}}).reader()
        start.wait()
        return [bill(reader, each) for _ in range(20) for each in items]

    with ThreadPoolExecutor(8) as threads:
        for price, found in zip(range(8), threads.map(bills, range(8)), strict=True):
            assert found == [f"{each.name} {2 * price}" for _ in range(20) for each in items]


def test_threads_of_one_revision_share_the_value_that_came_first() -> None:
    start = Barrier(8)

    @Query
    def made(_reader: Reader) -> object:
        return object()

    revision = Revision({})

    def ask(_: int) -> object:
        start.wait()
        return made(revision.reader())

    with ThreadPoolExecutor(8) as threads:
        assert len(set(map(id, threads.map(ask, range(8))))) == 1


def test_a_source_that_another_thread_still_compares_counts() -> None:
    comparing, may_end = Event(), Event()

    class Price:
        def __init__(self, amount: int) -> None:
            self.amount = amount

        def __eq__(self, other: object) -> bool:
            if not comparing.is_set():
                comparing.set()
                assert may_end.wait(10)
            return isinstance(other, Price) and other.amount == self.amount

        __hash__ = None  # type: ignore[assignment]

    price = Input[Price]("price")

    @OwnedQuery
    def tag(reader: Reader, item: Item) -> str:
        return f"{item.name} {price(reader).amount}"

    apple, pear, first = Item("apple"), Item("pear"), Revision({price: Price(1)})
    assert [tag(first.reader(), each) for each in (apple, pear)] == ["apple 1", "pear 1"]
    second = first.changed({price: Price(2)})
    with ThreadPoolExecutor(1) as threads:
        slow = threads.submit(tag, second.reader(), apple)
        assert comparing.wait(10)
        found = tag(second.reader(), pear)
        may_end.set()
        assert (found, slow.result(10)) == ("pear 2", "apple 2")


def test_a_query_that_has_ended_reads_no_more() -> None:
    leaked: list[Reader] = []

    @Query
    def leaking(reader: Reader) -> int:
        leaked.append(reader)
        return 0

    first = Revision({NUMBERS: (1,)})
    leaking(first.reader())
    total(leaked[0])
    ran()
    leaking(first.changed({NUMBERS: (2,)}).reader())
    assert ran() == []
