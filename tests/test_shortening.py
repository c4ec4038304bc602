"""Texts that are too long to be shown."""

from kro_ls.shortening import shortened


def test_a_text_that_fits_stays_as_it_is() -> None:
    assert shortened("a" * 80) == "a" * 80
    assert shortened("four", 4) == "four"


def test_a_longer_one_has_the_greatest_length_and_says_that_it_goes_on() -> None:
    assert shortened("a" * 81) == "a" * 77 + "..."
    assert shortened("fifteen letters", 8) == "fifte..."
