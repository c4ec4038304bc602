"""Why Go refuses a pattern, for people."""

from __future__ import annotations

import pytest

from kro_ls.golang.re2.pattern_cache import pattern_error


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("[a-z", "a '[' is never closed"),
        ("(a", "a '(' is never closed"),
        ("a)", "a ')' closes nothing"),
        ("*a", "'*' repeats nothing"),
        ("a**", "'**' repeats a repetition"),
        ("(?=a)", "RE2 has no '(?='"),
        (r"\1", r"'\1' is not an escape of RE2"),
        ("[z-a]", "'z-a' is not a range of characters"),
        ("a\\", "a backslash at the end escapes nothing"),
        ("a{1001}", "'{1001}' must repeat 1000 times at most"),
    ],
)
def test_refused_patterns_are_explained(pattern: str, expected: str) -> None:
    error = pattern_error(pattern)
    assert error is not None
    assert error.plain == expected
