"""Numbers of all kinds: their order, their equality and their texts."""

import math

from hypothesis import given
from hypothesis import strategies as st

from kro_ls.cel.evaluation.equality import NOT_COMPARABLE, compare, compare_numbers, equal
from kro_ls.cel.evaluation.errors import Budget
from kro_ls.cel.evaluation.json_text import write_json
from kro_ls.cel.evaluation.printing import go_float, shortest_decimal
from kro_ls.cel.evaluation.values import UInt, Value

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
