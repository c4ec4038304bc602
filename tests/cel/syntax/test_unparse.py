"""Trees written as text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kro_ls.cel.syntax.ast import (
    Call,
    Identifier,
    ListLiteral,
    Literal,
    LiteralKind,
    MapEntry,
    MapLiteral,
    Node,
    Operator,
    Select,
    StructField,
    StructLiteral,
)
from tests.cel.support import parse
from tests.cel.syntax.unparse import dump, unparse


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("( a+b )*c", "(a + b) * c"),
        ("a+(b*c)", "a + b * c"),
        ("a-(b-c)", "a - (b - c)"),
        ("a&&b&&c&&d", "a && b && c && d"),
        ("a&&(b&&c)", "a && (b && c)"),
        ("(a&&b)&&c&&d", "(a && b && c) && d"),
        ("(a||b)&&c", "(a || b) && c"),
        ("(a?b:c)?(d?e:f):g?h:i", "(a ? b : c) ? (d ? e : f) : g ? h : i"),
        ("!(a==b)", "!(a == b)"),
        ("-(-a)", "-(-a)"),
        ("- 1", "-1"),
        ("-(1)", "-(1)"),
        ("(-1).f()", "(-1).f()"),
        ("-(1.f())", "-(1.f())"),
        ("'it\\'s \\x07 ü'", '"it\'s \\U00000007 ü"'),
        ("b'\\xffa\"'", 'b"\\xffa\\""'),
        ("1.0", "1.0"),
        ("1e30", "1e+30"),
        ("7u", "7u"),
        ("a [ ?b ]", "a[?b]"),
        ("a . ? b", "a.?b"),
        ("a.`b-c`.`in`", "a.`b-c`.`in`"),
        ("A . B{ c : 1 , ?`d.e` : 2 }", "A.B{c: 1, ?`d.e`: 2}"),
        ("{ ?a : b , c:d }", "{?a: b, c: d}"),
        ("[ ?a, b ]", "[?a, b]"),
        ("r.map(x,x+1)", "r.map(x, x + 1)"),
        ("has( a.b )", "has(a.b)"),
        (".f(.a)", ".f(.a)"),
        ("a in b", "a in b"),
    ],
)
def test_unparse(text: str, expected: str) -> None:
    result = parse(text)
    assert result.errors == ()
    assert unparse(result.root) == expected
    assert dump(parse(expected).root) == dump(result.root)


def test_holes_and_loops_have_no_text() -> None:
    assert unparse(parse("a + ").root) == "a + "
    assert dump(parse("f(").root) == "call:f(hole)"


NAMES = st.sampled_from(["a", "bc", "_d1", "x"])
FIELDS = NAMES | st.sampled_from(["in", "for", "a-b", "c.d/e f"])
BINARY = [
    *("_+_", "_-_", "_*_", "_/_", "_%_", "_==_", "_!=_", "_<_", "_<=_", "_>_", "_>=_", "@in", "_&&_", "_||_"),
    *("_&&_", "_||_", Operator.INDEX, Operator.OPTIONAL_INDEX),
]


def literal(kind: LiteralKind) -> "st.SearchStrategy[Node]":
    values: dict[LiteralKind, st.SearchStrategy[bool | int | float | str | bytes | None]] = {
        LiteralKind.NULL: st.none(),
        LiteralKind.BOOL: st.booleans(),
        LiteralKind.INT: st.integers(-(2**63), 2**63 - 1),
        LiteralKind.UINT: st.integers(0, 2**64 - 1),
        LiteralKind.DOUBLE: st.floats(allow_nan=False, allow_infinity=False),
        LiteralKind.STRING: st.text(max_size=5),
        LiteralKind.BYTES: st.binary(max_size=5),
    }
    return values[kind].map(lambda value: Literal(0, 0, 0, value, kind))


def call(function: str, *arguments: Node) -> Call:
    return Call(0, 0, 0, function, None, arguments, (0, 0))


def select(operand: Node, field: str, optional: bool) -> Node:
    return Select(0, 0, 0, operand, field, (0, 0), optional)


def negate(operand: Node) -> Node:
    # A sign before a number that has one already, or before none, is what the parser gives as well.
    return call(Operator.NEGATE, operand)


def larger(nodes: "st.SearchStrategy[Node]") -> "st.SearchStrategy[Node]":
    lists = st.lists(nodes, max_size=3)
    return st.one_of(
        st.builds(call, st.sampled_from(BINARY), nodes, nodes),
        st.builds(lambda operand: call(Operator.NOT, operand), nodes),
        st.builds(negate, nodes),
        st.builds(lambda a, b, c: call(Operator.CONDITIONAL, a, b, c), nodes, nodes, nodes),
        st.builds(select, nodes, FIELDS, st.booleans()),
        st.builds(lambda name, items: call(name, *items), NAMES, lists),
        st.builds(
            lambda target, name, items: Call(0, 0, 0, name, target, tuple(items), (0, 0)), nodes, NAMES, lists
        ),
        st.builds(lambda items, optional: ListLiteral(0, 0, 0, tuple(items), (0,) * (optional and bool(items))),
                  lists, st.booleans()),
        st.lists(st.tuples(nodes, nodes, st.booleans()), max_size=2).map(
            lambda entries: MapLiteral(0, 0, 0, tuple(MapEntry(0, 0, 0, *entry) for entry in entries))
        ),
        st.lists(st.tuples(FIELDS, nodes, st.booleans()), max_size=2).map(
            lambda fields: StructLiteral(
                0, 0, 0, "T.U", (0, 0), tuple(StructField(0, 0, 0, name, (0, 0), value, optional)
                                              for name, value, optional in fields)
            )
        ),
    )  # fmt: skip


TREES = st.recursive(
    st.sampled_from(LiteralKind).flatmap(literal)
    | st.builds(lambda name, dot: Identifier(0, 0, 0, name, dot), NAMES, st.booleans()),
    larger,
    max_leaves=25,
)


@given(TREES)
def test_any_tree_survives(tree: Node) -> None:
    result = parse(unparse(tree))
    assert result.errors == ()
    assert dump(result.root) == dump(tree)
