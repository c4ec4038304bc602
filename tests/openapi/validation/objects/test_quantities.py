"""Quantities as the API server reads them."""

from fractions import Fraction

import pytest

from kro_ls.openapi.validation.objects.quantities import FORM, amount, quantity_problem


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0),
        ("500m", Fraction(1, 2)),
        ("1.5Gi", Fraction(3 * 2**30, 2)),
        ("-2k", -2000),
        (".5", Fraction(1, 2)),
        ("1.", 1),
        ("1e3", 1000),
        ("1E-2", Fraction(1, 100)),
        ("2E", 2 * 10**18),
        ("100n", Fraction(1, 10**7)),
        ("+1u", Fraction(1, 10**6)),
    ],
)
def test_quantities(text: str, value: Fraction) -> None:
    assert quantity_problem(text) == ""
    assert amount(text) == value


@pytest.mark.parametrize("text", ["", "128Mib", "1 Gi", "Mi", "1.2.3", "0x10", "1,5", "1KB", "--1", "example-memory"])
def test_what_has_not_the_form_of_a_quantity(text: str) -> None:
    assert quantity_problem(text) == FORM
    assert amount(text) is None


@pytest.mark.parametrize("text", ["1KM", "1Em", "1e", "1ee3"])
def test_a_suffix_that_there_is_not(text: str) -> None:
    assert quantity_problem(text) == "unable to parse quantity's suffix"


def test_numbers_are_quantities_too() -> None:
    found = [amount(2), amount(0.5), amount(True), amount([])]
    assert found == [Fraction(2), Fraction(1, 2), None, None]
    assert amount(f"1e{'9' * 100}") is None
