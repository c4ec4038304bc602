"""Macros: their expansions, and the errors for wrong arguments."""

import pytest

from kro_ls.cel.library import standard
from kro_ls.cel.syntax import parser
from kro_ls.cel.syntax.ast import Call, Comprehension, Hole, Identifier, MacroCall, Node, children, walk
from kro_ls.cel.types.declarations import Libraries
from tests.cel.support import parse
from tests.cel.syntax.unparse import dump, unparse


def expansion(text: str) -> str:
    result = parse(text)
    assert result.errors == ()
    assert isinstance(result.root, MacroCall)
    assert unparse(result.root) == text
    return dump(result.root, expanded=True)


def collected(variables: str, elements: str, step: str) -> str:
    return f"comprehension:{variables},@result(name:{elements}, list(), bool:True, {step}, name:@result)"


APPEND_T = "call:_+_(name:@result, list(name:t))"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("has(a.b)", "has:b(name:a)"),
        ("has(a.b.c)", "has:c(select:b(name:a))"),
        (
            "r.all(x, p)",
            (
                "comprehension:x,@result(name:r, bool:True, call:@not_strictly_false(name:@result),"
                " call:_&&_(name:@result, name:p), name:@result)"
            ),
        ),
        (
            "r.exists(x, p)",
            (
                "comprehension:x,@result(name:r, bool:False, call:@not_strictly_false(call:!_(name:@result)),"
                " call:_||_(name:@result, name:p), name:@result)"
            ),
        ),
        (
            "r.exists_one(x, p)",
            (
                "comprehension:x,@result(name:r, int:0, bool:True,"
                " call:_?_:_(name:p, call:_+_(name:@result, int:1), name:@result), call:_==_(name:@result, int:1))"
            ),
        ),
        (
            "r.existsOne(i, v, p)",
            (
                "comprehension:i,v,@result(name:r, int:0, bool:True,"
                " call:_?_:_(name:p, call:_+_(name:@result, int:1), name:@result), call:_==_(name:@result, int:1))"
            ),
        ),
        ("r.map(x, t)", collected("x", "r", APPEND_T)),
        ("r.map(x, p, t)", collected("x", "r", f"call:_?_:_(name:p, {APPEND_T}, name:@result)")),
        (
            "r.filter(x, p)",
            collected("x", "r", "call:_?_:_(name:p, call:_+_(name:@result, list(name:x)), name:@result)"),
        ),
        ("r.transformList(i, v, t)", collected("i,v", "r", APPEND_T)),
        ("r.transformList(i, v, p, t)", collected("i,v", "r", f"call:_?_:_(name:p, {APPEND_T}, name:@result)")),
        (
            "r.transformMap(k, v, t)",
            (
                "comprehension:k,v,@result(name:r, map(), bool:True, call:cel.@mapInsert(name:@result, name:k, name:t),"
                " name:@result)"
            ),
        ),
        (
            "r.transformMapEntry(k, v, p, m)",
            (
                "comprehension:k,v,@result(name:r, map(), bool:True,"
                " call:_?_:_(name:p, call:cel.@mapInsert(name:@result, name:m), name:@result), name:@result)"
            ),
        ),
        (
            "l.sortBy(x, x.k)",
            "comprehension:#unused,@__sortBy_input__(list(), name:l, bool:False, name:@__sortBy_input__,"
            " method:@sortByAssociatedKeys(name:@__sortBy_input__, "
            + collected("x", "@__sortBy_input__", "call:_+_(name:@result, list(select:k(name:x)))")
            + "))",
        ),
        ("cel.bind(x, i, e)", "comprehension:#unused,x(list(), name:i, bool:False, name:x, name:e)"),
        (
            "o.optMap(x, e)",
            (
                "call:_?_:_(method:hasValue(name:o), call:optional.of(comprehension:#unused,x(list(),"
                " method:value(name:o), bool:False, name:x, name:e)), call:optional.none())"
            ),
        ),
        (
            "o.f().optFlatMap(x, e)",
            (
                "comprehension:#unused,@target(list(), method:f(name:o), bool:False, name:@target,"
                " call:_?_:_(method:hasValue(name:@target), comprehension:#unused,x(list(), method:value(name:@target),"
                " bool:False, name:x, name:e), call:optional.none()))"
            ),
        ),
    ],
)
def test_expansions(text: str, expected: str) -> None:
    assert expansion(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "all(x, p)",
        "r.has(a.b)",
        ".has(a.b)",
        "has(a.b, c)",
        "r.map(x)",
        "r.map(i, v, p, t)",
        "r.existsOne(x, p)",
        "r.transformList(x, t)",
        "other.bind(x, i, e)",
        "a.cel.bind(x, i, e)",
        "l.sortBy(x)",
    ],
)
def test_calls_that_are_not_macros(text: str) -> None:
    result = parse(text)
    assert result.errors == ()
    assert isinstance(result.root, Call)


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("has(a)", 5, "invalid argument to has() macro"),
        ("has(a[0])", 6, "invalid argument to has() macro"),
        ("has(a.?b)", 6, "invalid argument to has() macro"),
        ("r.all(x.y, p)", 8, "argument must be a simple name"),
        ("r.exists(f(x), p)", 11, "argument must be a simple name"),
        ("r.exists_one(1, p)", 14, "argument must be a simple name"),
        ("r.all(i, 'v', p)", 10, "argument must be a simple name"),
        ("r.all(i, i, p)", 10, "duplicate variable name: i"),
        ("r.map('x', t)", 7, "argument is not an identifier"),
        ("r.map([x], p, t)", 7, "argument is not an identifier"),
        ("r.filter(x + y, p)", 12, "argument is not an identifier"),
        ("r.transformMap(k, 1, t)", 19, "argument must be a simple name"),
        ("r.map(__result__, t)", 7, "iteration variable overwrites accumulator variable"),
        ("r.all(__result__, v, t)", 7, "iteration variable overwrites accumulator variable"),
        (
            "'l'.sortBy(x, x)",
            1,
            "sortBy can only be applied to a list, identifier, comprehension, call or select expression",
        ),
        ("l.sortBy(1, x)", 10, "argument is not an identifier"),
        ("cel.bind(x.y, i, e)", 11, "cel.bind() variable names must be simple identifiers"),
        ("o.optMap(1, e)", 10, "optMap() variable name must be a simple identifier"),
        ("o.optFlatMap(a.b, e)", 15, "optFlatMap() variable name must be a simple identifier"),
    ],
)
def test_wrong_arguments(text: str, column: int, message: str) -> None:
    result = parse(text)
    assert [(error.line, error.column, error.message) for error in result.errors] == [(1, column, message)]
    assert isinstance(result.root, MacroCall)
    assert isinstance(result.root.expansion, Hole)


def test_a_failed_macro_is_not_a_list_either() -> None:
    assert [(error.column, error.message.split(" only")[0]) for error in parse("l.map(0, x).sortBy(y, y)").errors] == [
        (7, "argument is not an identifier"),
        (7, "sortBy can"),
    ]


def nodes_of_expansion(node: Node) -> list[Node]:
    """Return the nodes below `node`, those of expansions in the place of those of calls."""
    nodes: list[Node] = []
    pending = [node]
    while pending:
        current = pending.pop()
        nodes.append(current)
        pending.extend((current.expansion,) if isinstance(current, MacroCall) else children(current))
    return nodes


@pytest.mark.parametrize(
    "text",
    [
        "a.b.map(x, x.c).filter(y, y.d > 1)",
        "f(a).optMap(x, x.b)",
        "a.optMap(x, x.b)",
        "cel.bind(x, a.b, x + c.d)",
        "a.b.sortBy(x, x.c)",
        "a.transformMapEntry(k, v, k != b.c, {k: v.d})",
    ],
)
def test_what_the_user_wrote_is_in_the_expansion(text: str) -> None:
    root = parse(text).root
    written = [node for node in walk(root) if not isinstance(node, (MacroCall, Call))]
    expanded = nodes_of_expansion(root)
    assert len(expanded) == len(set(expanded)), "a node is in the expansion once"
    missing = set(written) - set(expanded)
    assert all(isinstance(node, Identifier) for node in missing)
    assert {node.name for node in missing if isinstance(node, Identifier)} <= {"x", "y", "k", "v", "cel"}


def test_added_nodes_have_the_place_of_the_call() -> None:
    root = parse("a.b.all(x, x.c)").root
    assert isinstance(root, MacroCall)
    loop = root.expansion
    assert isinstance(loop, Comprehension)
    for node in (loop, loop.initializer, loop.condition, loop.step, loop.result):
        assert (node.start, node.end, node.position) == (0, 15, 7)
    assert loop.variable_span == (8, 9)
    bind = parse("cel.bind(xy, a, b)").root
    assert isinstance(bind, MacroCall)
    assert isinstance(bind.expansion, Comprehension)
    assert bind.expansion.accumulator_span == (9, 11)


def test_the_caller_chooses_the_macros() -> None:
    macros = Libraries([standard.LIBRARY]).macro_set
    assert isinstance(parser.parse("cel.bind(x, i, e)", macros).root, Call)
    assert isinstance(parser.parse("r.map(x, x)", macros).root, MacroCall)
