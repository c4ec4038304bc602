"""Numbers of all kinds: their order, equality and texts; searching and sorting against what Python does."""

import math

from hypothesis import given
from hypothesis import strategies as st

from kro_ls.cel.evaluation.costs import Budget
from kro_ls.cel.evaluation.operators import NOT_COMPARABLE, compare, compare_numbers, equal
from kro_ls.cel.evaluation.printing import go_float, in_order, shortest_decimal, write_json
from kro_ls.cel.evaluation.values import UInt, Value
from kro_ls.cel.library import strings_functions as searching

NUMBERS = st.integers(-(2**63), 2**63 - 1) | st.integers(0, 2**64 - 1).map(UInt) | st.floats(allow_nan=False)


@given(NUMBERS, NUMBERS)
def test_order_and_equality_of_numbers_agree(one: Value, other: Value) -> None:
    assert compare(one, other, Budget()) == -compare(other, one, Budget())
    assert (compare(one, other, Budget()) == 0) is equal(one, other, Budget())


@given(NUMBERS)
def test_nothing_compares_with_nan(other: int | float) -> None:
    assert compare_numbers(math.nan, other) == compare_numbers(other, math.nan) == NOT_COMPARABLE


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_texts_of_doubles_read_as_the_double(value: float) -> None:
    assert float(go_float(value)) == value
    assert float(shortest_decimal(value)) == value
    assert math.copysign(1, float(write_json(value, Budget()))) == math.copysign(1, value)


_LETTERS = st.text("ab", max_size=4)
_LONG = st.builds(lambda text, part, times: text + part * times, _LETTERS, _LETTERS, st.integers(0, 400))


@given(_LONG, _LONG, st.integers(0, 300))
def test_searching_finds_what_python_finds(text: str, part: str, start: int) -> None:
    wanted = part or "a"
    assert searching.find(Budget(), text, wanted, start) == text.find(wanted, start)
    assert searching.find_last(Budget(), text, wanted) == text.rfind(wanted)
    assert searching.count(Budget(), text, wanted) == text.count(wanted)
    for most in (-1, 0, 1, 3):
        assert searching.split(Budget(), text, wanted, most) == text.split(wanted, most)


@given(_LONG, _LETTERS.filter(bool), st.integers(0, 250))
def test_searching_for_long_parts_finds_what_python_finds(text: str, piece: str, repeated: int) -> None:
    part = piece * (repeated + 100)
    longer = text + part + text + part[:-1] + text + part
    assert searching.find(Budget(), longer, part) == longer.find(part)
    assert searching.find_last(Budget(), longer, part) == longer.rfind(part)
    assert searching.count(Budget(), longer, part) == longer.count(part)
    assert searching.split(Budget(), longer, part) == longer.split(part)
    assert searching.split(Budget(), longer, part, 1) == longer.split(part, 1)


@given(st.lists(st.text(max_size=3), max_size=50))
def test_sorting_in_pieces_gives_what_sorting_gives(texts: list[str]) -> None:
    many = texts * 900
    assert in_order(many) == sorted(many)
