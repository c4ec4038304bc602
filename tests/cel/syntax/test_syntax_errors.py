"""The messages of kro's parser for broken expressions (cel-go with ANTLR's default strategy)."""

import pytest

from tests.cel.support import parse

EXPRESSION = (
    "'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER"
)
E = "{" + EXPRESSION + "}"
E_OR_CLOSE = E.replace("'(', ", "'(', ')', ")
E_OR_OPTIONAL = E.replace("'!', ", "'!', '?', ")
E_IN_LIST = "{'[', ']', '{', '(', '.', ',', '-', '!', '?', " + EXPRESSION.split("'!', ")[1] + "}"
E_IN_MAP = "{'[', '{', '}', '(', '.', ',', '-', '!', '?', " + EXPRESSION.split("'!', ")[1] + "}"


@pytest.mark.parametrize(
    ("text", "errors"),
    [
        ("", [(1, f"mismatched input '<EOF>' expecting {E}")]),
        ("a +", [(4, f"mismatched input '<EOF>' expecting {E}")]),
        ("a ? b :", [(8, f"mismatched input '<EOF>' expecting {E}")]),
        ('"a" in', [(7, f"mismatched input '<EOF>' expecting {E}")]),
        ("!", [(2, f"extraneous input '<EOF>' expecting {E}")]),
        ("!-a", [(3, "no viable alternative at input '-a'")]),
        ("-!a", [(2, "no viable alternative at input '-!'")]),
        ("--", [(3, "no viable alternative at input '-'"), (3, f"mismatched input '<EOF>' expecting {E}")]),
        ("a ? b ? c : d : e", [(7, "mismatched input '?' expecting ':'")]),
        ("a + + b", [(5, f"extraneous input '+' expecting {E}")]),
        ("a == == b", [(6, f"extraneous input '==' expecting {E}")]),
        ("&& a", [(1, f"extraneous input '&&' expecting {E}")]),
        ("a ? b", [(6, "mismatched input '<EOF>' expecting ':'")]),
        ("a ? b c", [(7, "missing ':' at 'c'")]),
        ("(a", [(3, "missing ')' at '<EOF>'")]),
        ("a[1", [(4, "missing ']' at '<EOF>'")]),
        ("(1 2)", [(4, "extraneous input '2' expecting ')'")]),
        ("a)", [(2, "extraneous input ')' expecting <EOF>")]),
        ("not a", [(5, "extraneous input 'a' expecting <EOF>")]),
        ("a.b c.d", [(5, "mismatched input 'c' expecting <EOF>")]),
        ("a and b", [(3, "mismatched input 'and' expecting <EOF>")]),
        ("foo(", [(5, f"mismatched input '<EOF>' expecting {E_OR_CLOSE}")]),
        ("foo(1,)", [(7, f"mismatched input ')' expecting {E}")]),
        ("[", [(2, f"mismatched input '<EOF>' expecting {E_IN_LIST}")]),
        ("[1", [(3, "mismatched input '<EOF>' expecting {']', ','}")]),
        ("[1,", [(4, "missing ']' at '<EOF>'")]),
        ("{", [(2, f"mismatched input '<EOF>' expecting {E_IN_MAP}")]),
        ("{1", [(3, "mismatched input '<EOF>' expecting ':'")]),
        ("{1:", [(4, f"mismatched input '<EOF>' expecting {E}")]),
        ("{1:2", [(5, "mismatched input '<EOF>' expecting {'}', ','}")]),
        ("{1:2,", [(6, "missing '}' at '<EOF>'")]),
        ('{"a" 1}', [(6, "missing ':' at '1'")]),
        ("a[]", [(3, f"mismatched input ']' expecting {E_OR_OPTIONAL}")]),
        ("foo{", [(5, "mismatched input '<EOF>' expecting {'}', ',', '?', IDENTIFIER, ESC_IDENTIFIER}")]),
        ("a.", [(3, "no viable alternative at input '.'")]),
        ("a..b", [(3, "no viable alternative at input '..'")]),
        ("a.(b)", [(3, "no viable alternative at input '.('")]),
        ("1.", [(3, "no viable alternative at input '.'")]),
        (
            "a.?",
            [(4, "mismatched input '<EOF>' expecting {IDENTIFIER, ESC_IDENTIFIER}"), (4, "unsupported ident kind")],
        ),
        (
            "a.?1 + as",
            [
                (4, "mismatched input '1' expecting {IDENTIFIER, ESC_IDENTIFIER}"),
                (4, "unsupported ident kind"),
                (8, "reserved identifier: as"),
            ],
        ),
        (
            "f(has(ab c.d).e())",
            [
                (7, "invalid argument to has() macro"),
                (10, "mismatched input 'c' expecting ')'"),
                (18, "extraneous input ')' expecting <EOF>"),
            ],
        ),
        ("{as", [(4, "mismatched input '<EOF>' expecting ':'")]),
        ("a.true", [(3, "mismatched input 'true' expecting IDENTIFIER")]),
        ("x?.y", [(5, "mismatched input '<EOF>' expecting ':'")]),
        ("x?[1]", [(6, "mismatched input '<EOF>' expecting ':'")]),
        ("in", [(1, f"mismatched input 'in' expecting {E}"), (3, f"mismatched input '<EOF>' expecting {E}")]),
        ("ind[a{b}]", [(8, "mismatched input '}' expecting ':'")]),
        ('{"a": 1}."a"', [(10, "no viable alternative at input '.\"a\"'")]),
        (
            '"\\q"',
            [
                (1, "token recognition error at: '\"\\q'"),
                (4, "token recognition error at: '\"'"),
                (5, f"mismatched input '<EOF>' expecting {E}"),
            ],
        ),
        ("a = b", [(3, "token recognition error at: '= '"), (5, "extraneous input 'b' expecting <EOF>")]),
        ("a ?: b", [(4, f"extraneous input ':' expecting {E}"), (7, "mismatched input '<EOF>' expecting ':'")]),
        ("-1 2", [(4, "extraneous input '2' expecting <EOF>")]),
        ("-1.", [(4, "no viable alternative at input '.'")]),
    ],
)  # fmt: skip
def test_messages(text: str, errors: list[tuple[int, str]]) -> None:
    found = [(error.column, error.message.removeprefix("Syntax error: ")) for error in parse(text).errors]
    assert found == errors


def test_characters_beyond_ascii_and_lines() -> None:
    errors = parse("1 +\n   && in.😁").errors
    assert [(error.line, error.column, error.message.split(" expecting")[0]) for error in errors] == [
        (2, 4, "Syntax error: mismatched input '&&'"),
        (2, 7, "Syntax error: extraneous input 'in'"),
        (2, 10, "Syntax error: token recognition error at: '😁'"),
        (2, 11, "Syntax error: no viable alternative at input '.'"),
    ]


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("a +", "expected an expression after '+'"),
        ("", "expected an expression"),
        ("f(a", "expected ')'; the '(' at column 2 is not closed"),
        ("a.", "expected a field or method name after '.'"),
        ("a.in", "'in' is a keyword; write the field in backticks"),
        ("a and b", "'and' is not an operator; use '&&'"),
        ("not a", "'not' is not an operator; use '!'"),
        ("a = b", "'=' is not an operator; use '=='"),
        ("'abc", "the string is not closed; add ' at its end"),
        ("'a\nb'", "strings in single or double quotes cannot span lines; use triple quotes or \\n"),
        (r'"\d+"', "unknown escape; double the backslash, or put r before the string"),
        ("a ? b", "expected ':' and what the conditional gives otherwise"),
        ("x?.y", "'?' needs a ':' here; a field that may be missing is written 'a.?b' or 'a[?i]'"),
        ("a)", "')' closes nothing"),
        ("a b", "expected an operator or the end of the expression before 'b'"),
        ("a $ b", "'$' has no meaning in CEL"),
    ],
)
def test_hints(text: str, hint: str) -> None:
    assert parse(text).errors[0].hint == hint


def test_errors_mark_the_token() -> None:
    (error,) = parse("abc def").errors
    assert (error.position, error.start, error.end) == (4, 4, 7)
    (error,) = parse("abc. ").errors
    assert (error.position, error.start, error.end) == (5, 5, 5)
