"""Errors of an evaluation for people who do not know cel-go."""

from __future__ import annotations

import pytest

from kro_ls.cel.evaluation.plain_words import plain_words


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("no such overload", "a function or operator gets a value of a type that it does not take"),
        ("no such key: size", "there is no 'size'"),
        ("no such attribute(s): a.b", "there is no 'a.b'"),
        ("optional.none() dereference", "the optional has no value"),
        ("type conversion error from 'string' to 'int'", "this string cannot be converted to int"),
        ("type conversion error from bytes to '*structpb.Value'", "a bytes has no JSON form"),
        ("unsupported index type 'string' in list", "a string cannot be an index"),
        ("unable to parse quantity's suffix", "not a quantity such as '500m' or '2Gi'"),
        ("network address parse error during conversion from string: x", "not an IP address or network: x"),
        ("division by zero", "division by zero"),
        ("a `b` c", "a 'b' c"),
    ],
)
def test_messages(message: str, expected: str) -> None:
    assert plain_words(message) == expected
