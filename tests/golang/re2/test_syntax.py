"""RE2 syntax: what Go compiles, and the texts of what it does not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kro_ls.golang.re2.pattern_cache import pattern_error
from tests.fixtures.examples import MANY


@pytest.mark.parametrize(
    "pattern",
    [
        "",
        "^[a-z]([-a-z0-9]*[a-z0-9])?$",
        r"^(foo|bar)\d{2,4}$",
        "a|b|",
        "(|a)*",
        "()*",
        "^*",
        "a{,2}",
        "a{2",
        "{",
        "x{0}{",
        "[]a]",
        "[^]a]",
        "[a-]",
        "[-a]",
        r"[\d\-z]",
        "[[:alpha:][:^digit:]]",
        "[[:alpha]",
        r"\pL\p{Greek}\PN\p{^Han}\p{Letter}\p{any}",
        r"(?i)a(?-s:b)(?)",
        "(?P<name>a)(?<other>b)",
        r"\Q*(\E+",
        r"\x41\x{1F600}\0\12\_\.\z\A\b",
        "a??b*?c+?d{2}?",
        "(a{100}){10}",
        "(a{1000})?",
        "a{0,1000}",
        "((a{500}){0}){1000}",
        "é+",
    ],
)
def test_go_compiles(pattern: str) -> None:
    assert pattern_error(pattern) is None


@pytest.mark.parametrize(
    ("pattern", "reason", "at"),
    [
        ("[unclosed", "missing closing ]: `[unclosed`", "["),
        ("a[", "missing closing ]: `[`", "["),
        ("[a-", "missing closing ]: `[a-`", "["),
        ("(a", "missing closing ): `(a`", "("),
        ("x(a|(b)", "missing closing ): `x(a|(b)`", "("),
        ("a)b", "unexpected ): `a)b`", ")"),
        ("(?=x)", "invalid or unsupported Perl syntax: `(?=`", "(?="),
        ("(?!x)", "invalid or unsupported Perl syntax: `(?!`", "(?!"),
        ("(?<!x)", "invalid named capture: `(?<!x)`", "(?<!x)"),
        ("(?P<a b>x)", "invalid named capture: `(?P<a b>`", "(?P<a b>"),
        ("(?P=x)", "invalid or unsupported Perl syntax: `(?P`", "(?P"),
        ("(?i-)", "invalid or unsupported Perl syntax: `(?i-)`", "(?i-)"),
        ("(?i", "invalid or unsupported Perl syntax: `(?i`", "(?i"),
        ("*a", "missing argument to repetition operator: `*`", "*"),
        ("a|+?", "missing argument to repetition operator: `+?`", "+?"),
        ("(?i)*", "missing argument to repetition operator: `*`", "*"),
        ("a**", "invalid nested repetition operator: `**`", "**"),
        ("a{2}+", "invalid nested repetition operator: `{2}+`", "{2}+"),
        ("a{1001}", "invalid repeat count: `{1001}`", "{1001}"),
        ("a{99999999999999}", "invalid repeat count: `{99999999999999}`", "{99999999999999}"),
        ("a{2,1}", "invalid repeat count: `{2,1}`", "{2,1}"),
        ("(a{11}){100}", "invalid repeat count: `{100}`", "{100}"),
        ("(b|a{11,}){100}?", "invalid repeat count: `{100}?`", "{100}?"),
        ("[z-a]", "invalid character class range: `z-a`", "z-a"),
        (r"[a-\d]", r"invalid escape sequence: `\d`", r"\d"),
        ("[[:word:][:nope:]]", "invalid character class range: `[:nope:]`", "[:nope:]"),
        (r"\p{Nope}", r"invalid character class range: `\p{Nope}`", r"\p{Nope}"),
        (r"\p{Old_Italic}", r"invalid character class range: `\p{Old_Italic}`", r"\p{Old_Italic}"),
        (r"\pX", r"invalid character class range: `\pX`", r"\pX"),
        (r"\p{Greek", r"invalid character class range: `\p{Greek`", r"\p{Greek"),
        (r"\1", r"invalid escape sequence: `\1`", r"\1"),
        (r"\8", r"invalid escape sequence: `\8`", r"\8"),
        (r"\y", r"invalid escape sequence: `\y`", r"\y"),
        (r"\Ca", r"invalid escape sequence: `\C`", r"\C"),
        (r"\xg1", r"invalid escape sequence: `\xg1`", r"\xg1"),
        (r"\x{}", r"invalid escape sequence: `\x{}`", r"\x{}"),
        (r"\x{110000}", r"invalid escape sequence: `\x{110000`", r"\x{110000"),
        (r"\é", r"invalid escape sequence: `\é`", r"\é"),
        ("a\\", "trailing backslash at end of expression: ``", "\\"),
    ],
)
def test_go_refuses(pattern: str, reason: str, at: str) -> None:
    error = pattern_error(pattern)
    assert error is not None
    assert error.message == f"error parsing regexp: {reason}"
    assert pattern[error.start : error.end] == at


def test_nesting_is_bounded() -> None:
    error = pattern_error("(" * 2000 + "a" + ")" * 2000)
    assert error is not None
    assert "expression nests too deeply" in error.message
    assert pattern_error("(" * 500 + "a" + ")" * 500) is None


@MANY
@given(st.text(alphabet=r"ab()[]{}|*+?^$\-.:=<>Pi0129,xpQEdL" + "é\n", max_size=30))
def test_any_text_has_a_verdict(pattern: str) -> None:
    error = pattern_error(pattern)
    if error is not None:
        assert 0 <= error.start <= error.end <= len(pattern)
        assert error.message.startswith("error parsing regexp: ")
