"""Trees of valid and of broken expressions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kro_ls.cel.syntax.ast import (
    Call,
    Comprehension,
    Hole,
    Identifier,
    Literal,
    MacroCall,
    MapLiteral,
    Select,
    StructLiteral,
    children,
    node_at,
    path_at,
    walk,
)
from kro_ls.cel.syntax.lexer import tokenize
from kro_ls.cel.syntax.syntax_errors import explain
from kro_ls.cel.syntax.tree_builder import TreeBuilder
from tests.cel.support import LIBRARIES, parse
from tests.cel.syntax.unparse import dump
from tests.fixtures.examples import MANY


def tree(text: str) -> str:
    result = parse(text)
    assert result.errors == ()
    return dump(result.root)


def broken_tree(text: str) -> str:
    result = parse(text)
    assert result.errors
    return dump(result.root)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # Literals
        ("null", "null:None"),
        ("true", "bool:True"),
        ("-1", "int:-1"),
        ("- 1", "int:-1"),
        ("--1", "int:1"),
        ("-1u", "call:-_(uint:1)"),
        ("-1.5", "double:-1.5"),
        ("!-1", "call:!_(int:-1)"),
        ("-(1)", "call:-_(int:1)"),
        ("b'a'", "bytes:b'a'"),
        # Members
        ("a.b.c", "select:c(select:b(name:a))"),
        (".a", "name:.a"),
        (".a.f(b)", "method:f(name:.a, name:b)"),
        (".f()", "call:.f()"),
        ("a.for", "select:for(name:a)"),
        ("a.`b-c`", "select:b-c(name:a)"),
        ("a.?b", "optional-select:b(name:a)"),
        ("a[0][?1]", "call:_[?_](call:_[_](name:a, int:0), int:1)"),
        ("f(a, b)", "call:f(name:a, name:b)"),
        ("1.f()", "method:f(int:1)"),
        ('"a".f()', "method:f(string:'a')"),
        # Operators
        ("a + b * c", "call:_+_(name:a, call:_*_(name:b, name:c))"),
        ("(a + b) * c", "call:_*_(call:_+_(name:a, name:b), name:c)"),
        ("a - b - c", "call:_-_(call:_-_(name:a, name:b), name:c)"),
        ("a == b != c", "call:_!=_(call:_==_(name:a, name:b), name:c)"),
        ("a in b", "call:@in(name:a, name:b)"),
        ("!a.b", "call:!_(select:b(name:a))"),
        ("!!a", "name:a"),
        ("---a", "call:-_(name:a)"),
        ("a - -1", "call:_-_(name:a, int:-1)"),
        ("a || b && c", "call:_||_(name:a, call:_&&_(name:b, name:c))"),
        ("a && b && c", "call:_&&_(call:_&&_(name:a, name:b), name:c)"),
        ("a && b && c && d", "call:_&&_(call:_&&_(name:a, name:b), call:_&&_(name:c, name:d))"),
        ("a && (b && c)", "call:_&&_(name:a, call:_&&_(name:b, name:c))"),
        ("a ? b : c ? d : e", "call:_?_:_(name:a, name:b, call:_?_:_(name:c, name:d, name:e))"),
        ("a ? (b ? c : d) : e", "call:_?_:_(name:a, call:_?_:_(name:b, name:c, name:d), name:e)"),
        ("a == b ? -c : d", "call:_?_:_(call:_==_(name:a, name:b), call:-_(name:c), name:d)"),
        ("x ?.y : z", "call:_?_:_(name:x, name:.y, name:z)"),
        # Collections
        ("[]", "list()"),
        ("[,]", "list()"),
        ("[a, ?b,]", "list(name:a, ?name:b)"),
        ("{}", "map()"),
        ("{,}", "map()"),
        ("{a ? b : c: d, ?e: f,}", "map(call:_?_:_(name:a, name:b, name:c) => name:d, ?name:e => name:f)"),
        ("{'a': {'b': 1}}", "map(string:'a' => map(string:'b' => int:1))"),
        ("A{}", "struct:A()"),
        ("A{,}", "struct:A()"),
        (".a.B{c: 1, ?`d-e`: 2,}", "struct:.a.B(c => int:1, ?d-e => int:2)"),
        ("A{b: 1}.b", "select:b(struct:A(b => int:1))"),
    ],
)
def test_valid_expressions(text: str, expected: str) -> None:
    assert tree(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "hole"),
        ("a.", "select(name:a)"),
        ("a.b.", "select(select:b(name:a))"),
        ("a.?", "optional-select(name:a)"),
        ("a. == 1", "call:_==_(select(name:a), int:1)"),
        ("a + ", "call:_+_(name:a, hole)"),
        ("a && ", "call:_&&_(name:a, hole)"),
        ("!", "call:!_(hole)"),
        ("f(", "call:f(hole)"),
        ("f(a, ", "call:f(name:a, hole)"),
        ("f(a,)", "call:f(name:a, hole)"),
        ("a.f(", "method:f(name:a, hole)"),
        ("()", "hole"),
        ("[1, 2", "list(int:1, int:2)"),
        ("[1, ", "list(int:1, hole)"),
        ("{", "map(hole => hole)"),
        ('{"a": ', "map(string:'a' => hole)"),
        ('{"a" 1}', "map(string:'a' => hole)"),
        ("x ? ", "call:_?_:_(name:x, hole, hole)"),
        ("x ? y", "call:_?_:_(name:x, name:y, hole)"),
        ("x ? y : ", "call:_?_:_(name:x, name:y, hole)"),
        ("a ? b ? c : d : e", "call:_?_:_(name:a, call:_?_:_(name:b, name:c, name:d), name:e)"),
        ("A{", "struct:A( => hole)"),
        ("A{b", "struct:A(b => hole)"),
        ("a[", "call:_[_](name:a, hole)"),
        ("f([a)", "call:f(list(name:a))"),
        ("f(a]", "call:f(name:a)"),
        ("a)", "name:a"),
        ("a b.c(d) + e", "call:_+_(name:a, name:e)"),
        ("f(a b, c)", "call:f(name:a, name:c)"),
        ("a + + b", "call:_+_(call:_+_(name:a, hole), name:b)"),
        ("a.in", "select:in(name:a)"),
        ("`a`", "hole"),
        ("a = b", "name:a"),
        ("!-a", "call:!_(call:-_(name:a))"),
    ],
)
def test_broken_expressions_have_holes(text: str, expected: str) -> None:
    assert broken_tree(text) == expected


def test_a_variable_is_in_scope_in_an_unfinished_macro() -> None:
    root = parse("xs.map(x, x.").root
    assert isinstance(root, MacroCall)
    loop = root.expansion
    assert isinstance(loop, Comprehension)
    assert (loop.variable, loop.variable_span) == ("x", (7, 8))
    selection = path_at(root, 12)[-1]
    assert isinstance(selection, Select)
    assert selection in tuple(walk(loop))


def test_unfinished_calls_reach_to_the_next_token() -> None:
    assert [type(node) for node in path_at(parse("f(a   ").root, 5)] == [Call]
    assert [type(node) for node in path_at(parse("f(a,  ").root, 5)] == [Call, Hole]
    assert isinstance(node_at(parse("a +   b").root, 4), Call)


# Positions: where cel-go reports errors of a node, and the span of the whole sub-expression.


@pytest.mark.parametrize(
    ("text", "position", "span"),
    [
        ("ab", 0, (0, 2)),
        (" .ab", 2, (1, 4)),
        ("- 1", 0, (0, 3)),
        ("a.b", 1, (0, 3)),
        ("a.?b", 1, (0, 4)),
        ("a [0]", 2, (0, 5)),
        ("f (a)", 2, (0, 5)),
        ("a.f(b)", 3, (0, 6)),
        ("!!!a", 0, (0, 4)),
        ("a + b", 2, (0, 5)),
        ("(a) + (b)", 4, (0, 9)),
        ("(a).b", 3, (0, 5)),
        ("a in b", 2, (0, 6)),
        ("a && b && c", 7, (0, 11)),
        ("(a) && (b)", 4, (0, 10)),
        ("a ? b : c", 2, (0, 9)),
        (" [a]", 1, (1, 4)),
        ("{a: b}", 0, (0, 6)),
        ("A.B{c: 1}", 3, (0, 9)),
        ("xs.map(x, x)", 6, (0, 12)),
    ],
)
def test_positions(text: str, position: int, span: tuple[int, int]) -> None:
    root = parse(text).root
    assert (root.position, (root.start, root.end)) == (position, span)


def test_positions_of_inner_nodes() -> None:
    root = parse("(a) && (b) && (c) && (d)").root
    assert [(node.start, node.end) for node in children(root)] == [(0, 10), (14, 24)]
    entries = parse("{(a): (b)}").root
    assert isinstance(entries, MapLiteral)
    assert (entries.entries[0].start, entries.entries[0].end, entries.entries[0].position) == (1, 9, 4)
    message = parse("A.B{cd: 1}").root
    assert isinstance(message, StructLiteral)
    assert (message.type_name_span, message.fields[0].name_span, message.fields[0].position) == ((0, 3), (4, 6), 6)
    call = parse("a.size( )").root
    assert isinstance(call, Call)
    assert call.name_span == (2, 6)
    field = parse("a.`b c`").root
    assert isinstance(field, Select)
    assert field.field_span == (2, 7)


def test_code_points_are_counted() -> None:
    root = parse('"😀" + a').root
    assert (root.position, root.end) == (4, 7)


def test_path_at() -> None:
    root = parse("a.b + f(c)").root
    assert [type(node) for node in path_at(root, 1)] == [Call, Select, Identifier]
    assert [type(node) for node in path_at(root, 3)] == [Call, Select]
    assert [type(node) for node in path_at(root, 9)] == [Call, Call, Identifier]
    assert path_at(root, 11) == ()
    assert node_at(root, 11) is None


# Errors of names and literals


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("as", 1, "reserved identifier: as"),
        ("a + while(x)", 5, "reserved identifier: while"),
        (".loop", 1, "reserved identifier: loop"),
        ("if(as)", 1, "reserved identifier: if"),
        ("9223372036854775808", 1, "invalid int literal"),
        ("a + -9223372036854775809", 5, "invalid int literal"),
        ("18446744073709551616u", 1, "invalid uint literal"),
        ("1e999", 1, "invalid double literal"),
        (r'"\ud800"', 1, "invalid unicode code point"),
        (r'b"\u0041"', 1, "unable to unescape string"),
    ],
)
def test_names_and_literals_that_are_refused(text: str, column: int, message: str) -> None:
    (error,) = parse(text).errors
    assert (error.line, error.column, error.message) == (1, column, message)
    assert error.start < error.end


def test_reserved_words_are_fields_and_methods() -> None:
    assert parse("a.for.while(1)").errors == ()
    assert parse("A{as: 1}").errors == ()


def test_lines_are_counted_and_errors_sorted() -> None:
    errors = parse("as +\n  (b c)").errors
    assert [(error.line, error.column) for error in errors] == [(1, 1), (2, 6)]


# Properties

TOKENS = st.sampled_from(
    "a b x . .? ? : ( ) [ ] { } , + - ! && || == < in true null 1 1u 0.5 'ab' `e` b'' has( .map( x, .all( cel.bind("
    " .optMap( .sortBy( as A{ // \n = ' \" \\ $ é".split(" ")
)
TOKEN_SOUP = st.lists(TOKENS, max_size=25).map(" ".join) | st.lists(TOKENS, max_size=12).map("".join)


def check_whatever(text: str) -> None:
    tokens = tokenize(text)
    builder = TreeBuilder(tokens, LIBRARIES.macro_set)
    root = builder.build()
    for node in walk(root):
        assert 0 <= node.start <= node.end <= len(text)
        assert 0 <= node.position <= len(text)
        assert all(node.start <= child.start and child.end <= node.end for child in children(node))
    # The tree builder finds damage exactly where the grammar refuses the tokens.
    explanation = explain(tokens)
    assert bool(builder.damages or tokens.errors) == bool(explanation.errors or explanation.limit)
    result = parse(text)
    assert bool(result.errors) >= bool(builder.damages)
    assert result.is_valid is not bool(result.errors)
    if result.is_valid:
        assert not any(isinstance(node, Hole) for node in walk(result.root))
    for error in result.errors:
        assert 0 <= error.start <= error.end <= len(text)


@MANY
@given(st.text(max_size=40))
def test_any_text_gives_a_tree(text: str) -> None:
    check_whatever(text)


@MANY
@given(TOKEN_SOUP)
def test_any_tokens_give_a_tree(text: str) -> None:
    check_whatever(text)


def test_literals_keep_their_place_in_the_tree() -> None:
    literals = [node for node in walk(parse("[1, 'a', -2]").root) if isinstance(node, Literal)]
    assert [(node.value, node.start, node.end) for node in literals] == [(1, 1, 2), ("a", 4, 7), (-2, 9, 11)]


_NAMES = ["a", "_b1", "schema", "in", "true", "for", "while", "b", "r"]


@given(st.lists(st.sampled_from(_NAMES), min_size=1, max_size=5))
def test_a_name_with_fields_has_the_tree_that_the_builder_gives(names: list[str]) -> None:
    text = ".".join(names)
    result, builder = parse(text), TreeBuilder(tokenize(text), LIBRARIES.macro_set)
    assert repr(result.root) == repr(builder.build())
    assert bool(result.errors) == bool(builder.errors or builder.damages)


@pytest.mark.parametrize("count", [240, 248, 249, 250, 251, 252, 260])
def test_a_name_with_many_fields_has_the_limits_that_the_builder_has(count: int) -> None:
    text = ".".join(["a"] * count)
    assert [error.message for error in parse(text).errors] == [error.message for error in parse(text + " ").errors]
