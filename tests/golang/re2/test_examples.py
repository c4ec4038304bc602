"""Texts that patterns match."""

from __future__ import annotations

import pytest

from kro_ls.golang.re2.examples import example_of
from kro_ls.golang.re2.pattern_cache import search


@pytest.mark.parametrize(
    ("pattern", "shortest", "longest"),
    [
        ("^[a-z]+$", 0, None),
        ("^[a-z]+$", 12, 12),
        ("^[a-z0-9]([-a-z0-9]*[a-z0-9])?$", 3, 63),
        (r"^(\d{1,3}\.){3}\d{1,3}/\d+$", 0, None),
        ("^arn:aws:iam::[0-9]{12}:role/.+$", 0, 64),
        ("^(dev|staging|prod)$", 5, None),
        (r"(?i)^HELLO\b world$", 0, None),
        ("x", 4, 4),
        ("", 0, 0),
        ("a$", 6, None),
        ("^[^a-zA-Z0-9]{2}$", 0, None),
        ("\\n{3}", 0, None),
    ],
)
def test_an_example_matches_and_has_the_length(pattern: str, shortest: int, longest: int | None) -> None:
    text = example_of(pattern, shortest, longest)
    assert text is not None
    assert search(pattern, text)
    assert shortest <= len(text)
    assert longest is None or len(text) <= longest


@pytest.mark.parametrize(
    ("pattern", "shortest", "longest"),
    [("[", 0, None), ("^abc$", 5, None), ("^[a-z]{5}$", 0, 4), ("$a", 0, None), ("[☃]", 0, None)],
)
def test_there_may_be_none(pattern: str, shortest: int, longest: int | None) -> None:
    assert example_of(pattern, shortest, longest) is None


def test_a_costly_pattern_is_given_up() -> None:
    assert example_of("^((a{1,50}){1,50}){8}$", 5000) is None


def test_what_cannot_be_written_is_not_looked_for_in_ever_longer_texts() -> None:
    assert example_of("a.+\u263a") is None
    assert example_of("^(ab)*$", 5) == "ababab"
