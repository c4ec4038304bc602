"""RE2 regular expressions."""

import contextlib
import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kro_ls.golang.re2.pattern_cache import find, search
from kro_ls.golang.re2.pattern_errors import PatternError, UndecidedError
from tests.fixtures.examples import MANY


@pytest.mark.parametrize(
    ("pattern", "matching", "not_matching"),
    [
        ("abc", ["abc", "xabcx"], ["ab", ""]),
        ("^abc$", ["abc"], ["abc\n", "xabc", "abcd"]),
        ("^[a-z]([-a-z0-9]*[a-z0-9])?$", ["a", "a-b", "ab9"], ["", "-a", "a-", "A"]),
        ("^v[0-9]+(alpha[0-9]+|beta[0-9]+)?$", ["v1", "v1beta22"], ["v1alpha", "v"]),
        ("a|b|", ["", "zzz"], []),
        ("^(a|bc)+$", ["abcbca"], ["", "abca b"]),
        ("^a{2}$", ["aa"], ["a", "aaa"]),
        ("^a{2,}$", ["aa", "aaaaa"], ["a"]),
        ("^a{1,3}?$", ["a", "aaa"], ["aaaa", ""]),
        ("^a{,3}$", ["a{,3}"], ["a"]),
        ("^x{a}$", ["x{a}"], ["xa"]),
        ("^.$", ["a", "é", "😀"], ["\n", ""]),
        ("(?s)^.$", ["\n"], []),
        ("(?i)^straße$", ["STRAßE", "straße"], ["strasse"]),
        ("(?i:A)b", ["ab", "Ab"], ["aB"]),
        ("a(?i)b", ["aB"], ["Ab"]),
        ("(?m)^b$", ["a\nb\nc", "b"], ["ab"]),
        (r"\Aa\z", ["a"], ["a\n"]),
        (r"\bfoo\b", ["a foo b", "foo"], ["food", "_foo"]),
        (r"\Boo", ["foo"], ["oo"]),
        (r"^\d\w\s\D\W\S$", ["1_ a-b"], ["١_ a-b"]),
        (r"^[\d\-x]+$", ["1-x"], ["a"]),
        (r"^[^\s/]+$", ["a-b"], ["a b", "a/b"]),
        (r"^[]a]+$", ["]a]"], ["b"]),
        (r"^[a-]+$", ["a-a"], ["b"]),
        (r"^[[:alpha:][:^space:]]$", ["a", "1"], [" "]),
        (r"^\p{Lu}\pL\P{L}$", ["Éé1"], ["éé1", "Éée"]),
        (r"^[\p{L}]+$", ["aé"], ["1"]),
        (r"^\x41\x{1F600}\101\t$", ["A😀A\t"], ["A"]),
        (r"^\Qa.b\E+$", ["a.bbb"], ["axb"]),
        (r"^(?P<name>a)(?:b)(?<other>c)$", ["abc"], ["ab"]),
        (r"^https?://[^\s/$.?#].[^\s]*$", ["http://a.b"], ["http:// "]),
        (r"^\/\.\_*".replace(r"\_", "_"), ["/._"], ["."]),
        ("(a*)*b", ["b", "aab"], ["aaa"]),
        ("^(a*)+$", ["", "aaa"], ["b"]),
    ],
)
def test_matching(pattern: str, matching: list[str], not_matching: list[str]) -> None:
    assert [text for text in matching if not search(pattern, text)] == []
    assert [text for text in not_matching if search(pattern, text)] == []


NO_PATTERNS = (
    r"( ) a) [ [a * a** a+* (? (?<n (?=a) (?!a) \ \8 \y a{1001} a{3,2} [b-a] [[:no:]] \x{110000} \xZ |*".split()
)


@pytest.mark.parametrize("pattern", [*NO_PATTERNS, "((a{1000}){1000})", "(?i)*"])
def test_what_is_not_a_regular_expression(pattern: str) -> None:
    with pytest.raises(PatternError):
        search(pattern, "")


@pytest.mark.parametrize("pattern", ["^(a+)+$", "^(a|a)*$", "^(a*)*$", "(x+x+)+y", "^(.*)*(.*)*$z"])
def test_patterns_that_make_others_backtrack_are_quick(pattern: str) -> None:
    assert not search(pattern, "a" * 5_000 + "!" if "x" not in pattern else "x" * 5_000)


def test_patterns_with_very_many_states_are_given_up() -> None:
    with pytest.raises(UndecidedError, match="too large"):
        search("(.?){1000}" * 5 + "x", "a")
    with pytest.raises(UndecidedError, match="too costly"):
        search("a[ab]{600}c", "".join(random.Random(1).choices("ab", k=20_000)))


def test_deep_nesting_is_refused() -> None:
    with pytest.raises(PatternError):
        search("(" * 5_000 + ")" * 5_000, "")


patterns = st.recursive(
    st.sampled_from(["a", "b", "[ab]", "[^a]", ".", r"\d", "^", "$", r"\b", ""]),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map("".join),
        st.tuples(inner, inner).map(lambda pair: f"(?:{pair[0]}|{pair[1]})"),
        st.tuples(inner, st.sampled_from(["*", "+", "?", "{2}", "{1,2}", "*?"])).map(
            lambda pair: f"(?:{pair[0]}){pair[1]}"
        ),
    ),
    max_leaves=6,
)


@MANY
@given(patterns, st.text("ab1 ", max_size=6))
def test_agrees_with_python_where_both_mean_the_same(pattern: str, text: str) -> None:
    expected = re.search(pattern.replace("$", r"\Z"), text, re.ASCII) is not None
    assert search(pattern, text) is expected


@MANY
@given(st.text(r"ab(){}[]*+?|\^$.:-<>P,12dpQ", max_size=12), st.text("ab\n1", max_size=5))
def test_any_text_is_a_pattern_or_refused(pattern: str, text: str) -> None:
    with contextlib.suppress(PatternError):
        found = find(pattern, text)
        assert search(pattern, text) is (found is not None)
        assert found is None or 0 <= found[0] <= found[1] <= len(text)


repeated = st.tuples(
    st.sampled_from(["a", "b", "[ab]", ".", r"\d", "ab", "(?:a|ab)", "(?:ab|a)"]).map(lambda part: f"(?:{part})"),
    st.sampled_from(["", "*", "+", "?", "{2}", "{1,2}", "{2,}", "*?", "+?", "??", "{1,2}?"]),
).map("".join)
alternatives = st.lists(st.lists(st.one_of(repeated, st.sampled_from(["^", "$", r"\b"])), max_size=3), min_size=1)


@MANY
@given(alternatives, st.text("ab1 ", max_size=8), st.integers(0, 3))
def test_finds_the_match_that_python_prefers(parts: list[list[str]], text: str, start: int) -> None:
    pattern = "|".join(map("".join, parts))
    start = min(start, len(text))
    # Python's `^` also matches where a search begins, unless that is distinguished.
    expected = re.compile(pattern.replace("^", r"(?<![\s\S])").replace("$", r"\Z"), re.ASCII).search(text, start)
    assert find(pattern, text, start) == (expected.span() if expected else None)


@pytest.mark.parametrize(
    ("pattern", "text", "expected"),
    [
        ("(?:|a)*", "aa", (0, 0)),
        ("(?:a|)+", "aa", (0, 2)),
        ("(?U)a+", "aa", (0, 1)),
        ("(?U)a+?", "aa", (0, 2)),
        ("(?i)K", "\u212a", (0, 1)),
        ("ü+", "aüü", (1, 3)),
    ],
)
def test_finds(pattern: str, text: str, expected: tuple[int, int]) -> None:
    assert find(pattern, text) == expected
