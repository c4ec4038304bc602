"""The limits of kro's parser, and inputs that exceed them."""

import pytest

from kro_ls.cel.syntax.ast import Hole
from tests.cel.support import parse
from tests.cel.syntax.unparse import dump, unparse

GRAMMAR = "expression recursion limit exceeded: 250"
TREE = "max recursion depth exceeded"


@pytest.mark.parametrize(
    "text",
    [
        "(" * 249 + "a" + ")" * 249,
        "[" * 250 + "]" * 250,
        "a ? b : " * 249 + "c",
        "1" + " + 1" * 250,
        "a" + ".b" * 250,
        "a" + ".f()" * 250,
        "a && " * 10_000 + "a",
        "!" * 10_000 + "a",
        "[1].map(x, " * 60 + "x" + ")" * 60,
        "a.b.optMap(x, x)" + ".optMap(x, x)" * 200,
    ],
)
def test_within_the_limits(text: str) -> None:
    result = parse(text)
    assert result.errors == ()
    assert dump(parse(unparse(result.root)).root) == dump(result.root)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(" * 250 + "a" + ")" * 250, GRAMMAR),
        ("[" * 251 + "]" * 251, GRAMMAR),
        ("f(" * 50_000, GRAMMAR),
        ("a ? b : " * 250 + "c", GRAMMAR),
        ("1 + 2 * (" * 90 + "b" + ")" * 90, GRAMMAR),
        ("1" + " + 1" * 251, TREE),
        ("a" + ".b" * 251, TREE),
        ("a" + ".f()" * 251, TREE),
        ("a" * 100_001, "expression code point size exceeds limit: size: 100001, limit 100000"),
    ],
)
def test_beyond_the_limits(text: str, message: str) -> None:
    (error,) = parse(text).errors
    assert (error.line, error.column, error.message) == (-1, 0, message)
    assert (error.start, error.end) == (0, len(text))


def test_too_many_nodes() -> None:
    errors = parse("[].map(x, x) && " * 6_200 + "true").errors
    assert {error.message for error in errors} == {
        "expression count exceeds limit of 100000 while expanding macro 'map'"
    }


def test_too_many_errors_and_recoveries() -> None:
    errors = parse("$" * 1000).errors
    assert len(errors) == 100
    assert len(parse("a + " + "$" * 1000).errors) == 100
    assert parse("in " * 100).errors[-1].message == "Syntax error: error recovery attempt limit exceeded: 30"
    lookahead = "error recovery token lookahead limit exceeded: 256"
    assert [error.message.split(" at")[0] for error in parse("a " * 300 + "'").errors] == [
        lookahead,
        "Syntax error: mismatched input 'a' expecting <EOF>",
    ]


@pytest.mark.parametrize(
    "unit",
    [*"()[]{}.,:?!-+'\"`$\\ \n1a", "in ", "a b ", "a.", "f(", "[f(", "{a:", "A{a:", "a?b:", "-1.", "'''", '"\\x4', "//",
     "([{", "[].map(x,", "`a`", "&&", "a||"],
)  # fmt: skip
def test_anything_repeated(unit: str) -> None:
    text = unit * (5_000 // len(unit))  # far beyond each of the limits
    result = parse(text)
    assert result.errors or unit in (*" \na1!", "//") or isinstance(result.root, Hole)
    assert unparse(result.root) is not None
