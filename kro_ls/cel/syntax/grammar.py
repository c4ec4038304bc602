"""CEL's grammar as a graph of states, for explaining syntax errors in ANTLR's words (cel-go parser/gen/CEL.g4).

A rule is a chain of states from its first to `STOP`. A `Match` needs a token, a `Call` runs another rule, a `Choice`
goes one of several ways. What can follow a state is computed from the graph.
"""

from __future__ import annotations

from functools import cache
from typing import TypeAlias

from msgspec import Struct

from kro_ls.cel.syntax.lexer import EOF

STOP = -1
"""The state at the end of a rule."""

END_OF_RULE = "end of rule"
"""Stands among the tokens that can follow a state when the rule can end there."""


class Match(Struct, frozen=True):
    """One token of some kinds."""

    tokens: frozenset[str]
    following: int


class Call(Struct, frozen=True):
    """Another rule; `precedence` is the least that an operator in its loop may have."""

    rule: str
    precedence: int
    following: int


class Choice(Struct, frozen=True):
    """Several ways on. `name` is how the parser chooses, empty for an optional part that the next token decides.

    `is_loop_back` marks the choice at the end of a loop's turn, where errors are treated differently.
    """

    ways: tuple[int, ...]
    name: str
    is_loop_back: bool


State: TypeAlias = Match | Call | Choice


class Token(Struct, frozen=True):
    """In a rule's text: a token of one of some kinds."""

    kinds: frozenset[str]


class Rule(Struct, frozen=True):
    """In a rule's text: another rule."""

    name: str
    precedence: int = 0


class Either(Struct, frozen=True):
    """In a rule's text: one of several alternatives."""

    name: str
    alternatives: tuple[tuple[Part, ...], ...]


class Repeat(Struct, frozen=True):
    """In a rule's text: parts repeated any number of times, or `at_least_once`."""

    name: str
    parts: tuple[Part, ...]
    at_least_once: bool = False


Part: TypeAlias = Token | Rule | Either | Repeat


def _token(*kinds: str) -> Token:
    return Token(frozenset(kinds))


def _optional(*parts: Part) -> Either:
    return Either("", (parts, ()))


def _repeat(*parts: Part) -> Repeat:
    return Repeat("", parts)


_IDENTIFIER = _token("IDENTIFIER")
_LEADING_DOT = _optional(_token("."))
_TRAILING_COMMA = _optional(_token(","))
_ARGUMENTS = (_optional(Rule("exprList")), _token(")"))
_ENTRY = (Rule("optExpr"), _token(":"), Rule("expr"))
_FIELD = (Rule("optField"), _token(":"), Rule("expr"))

_GRAMMAR: dict[str, tuple[Part, ...]] = {
    "start": (Rule("expr"), _token(EOF)),
    "expr": (
        Rule("conditionalOr"),
        _optional(_token("?"), Rule("conditionalOr"), _token(":"), Rule("expr")),
    ),
    "conditionalOr": (Rule("conditionalAnd"), _repeat(_token("||"), Rule("conditionalAnd"))),
    "conditionalAnd": (Rule("relation"), _repeat(_token("&&"), Rule("relation"))),
    "relation": (
        Rule("calc"),
        Repeat("operators", (_token("<", "<=", ">=", ">", "==", "!=", "in"), Rule("relation", 2))),
    ),
    "calc": (
        Rule("unary"),
        Repeat(
            "operators",
            (
                Either(
                    "alternatives",
                    ((_token("*", "/", "%"), Rule("calc", 3)), (_token("+", "-"), Rule("calc", 2))),
                ),
            ),
        ),
    ),
    "unary": (
        Either(
            "unary",
            (
                (Rule("member"),),
                (Repeat("", (_token("!"),), at_least_once=True), Rule("member")),
                (Repeat("minus", (_token("-"),), at_least_once=True), Rule("member")),
            ),
        ),
    ),
    "member": (
        Rule("primary"),
        Repeat(
            "operators",
            (
                Either(
                    "member",
                    (
                        (_token("."), _optional(_token("?")), Rule("escapeIdent")),
                        (_token("."), _IDENTIFIER, _token("("), *_ARGUMENTS),
                        (_token("["), _optional(_token("?")), Rule("expr"), _token("]")),
                    ),
                ),
            ),
        ),
    ),
    "primary": (
        Either(
            "primary",
            (
                (_LEADING_DOT, _IDENTIFIER),
                (_LEADING_DOT, _IDENTIFIER, _token("("), *_ARGUMENTS),
                (_token("("), Rule("expr"), _token(")")),
                (_token("["), _optional(Rule("listInit")), _TRAILING_COMMA, _token("]")),
                (_token("{"), _optional(Rule("mapInitializerList")), _TRAILING_COMMA, _token("}")),
                (
                    _LEADING_DOT,
                    _IDENTIFIER,
                    _repeat(_token("."), _IDENTIFIER),
                    _token("{"),
                    _optional(Rule("fieldInitializerList")),
                    _TRAILING_COMMA,
                    _token("}"),
                ),
                (Rule("literal"),),
            ),
        ),
    ),
    "exprList": (Rule("expr"), _repeat(_token(","), Rule("expr"))),
    "listInit": (Rule("optExpr"), Repeat("elements", (_token(","), Rule("optExpr")))),
    "fieldInitializerList": (*_FIELD, Repeat("elements", (_token(","), *_FIELD))),
    "optField": (_optional(_token("?")), Rule("escapeIdent")),
    "mapInitializerList": (*_ENTRY, Repeat("elements", (_token(","), *_ENTRY))),
    "escapeIdent": (Either("alternatives", ((_IDENTIFIER,), (_token("ESC_IDENTIFIER"),))),),
    "optExpr": (_optional(_token("?")), Rule("expr")),
    "literal": (
        Either(
            "literal",
            (
                (_optional(_token("-")), _token("NUM_INT")),
                (_token("NUM_UINT"),),
                (_optional(_token("-")), _token("NUM_FLOAT")),
                (_token("STRING"),),
                (_token("BYTES"),),
                (_token("true"),),
                (_token("false"),),
                (_token("null"),),
            ),
        ),
    ),
}

OPERATOR_PRECEDENCE = {
    **dict.fromkeys(("<", "<=", ">=", ">", "==", "!=", "in"), ("relation", 1)),
    **dict.fromkeys(("*", "/", "%"), ("calc", 2)),
    **dict.fromkeys(("+", "-"), ("calc", 1)),
    **dict.fromkeys((".", "["), ("member", 1)),
}
"""The rule in whose loop a token can stand, and its precedence there."""


class Graph:
    """The states of all rules."""

    def __init__(self) -> None:
        self.states: list[State] = []
        self.starts = {name: self._chain(parts, STOP) for name, parts in _GRAMMAR.items()}

    def _chain(self, parts: tuple[Part, ...], following: int) -> int:
        """Add the states of `parts` and return the first, `following` when there are none."""
        for part in reversed(parts):
            following = self._state(part, following)
        return following

    def _state(self, part: Part, following: int) -> int:
        match part:
            case Token():
                return self._add(Match(part.kinds, following))
            case Rule():
                return self._add(Call(part.name, part.precedence, following))
            case Either():
                ways = tuple(self._chain(alternative, following) for alternative in part.alternatives)
                return self._add(Choice(ways, part.name, is_loop_back=False))
            case Repeat():
                return self._loop(part, following)

    def _loop(self, part: Repeat, following: int) -> int:
        back = self._add(Choice((), part.name, is_loop_back=True))
        turn = self._chain(part.parts, back)
        self.states[back] = Choice((turn, following), part.name, is_loop_back=True)
        if part.at_least_once:
            return turn
        return self._add(Choice((turn, following), part.name, is_loop_back=False))

    def _add(self, state: State) -> int:
        self.states.append(state)
        return len(self.states) - 1

    @cache  # noqa: B019 - there is one graph
    def next_tokens(self, number: int) -> frozenset[str]:
        """Return the kinds of token that can come next in this rule, with `END_OF_RULE` if it can end."""
        if number == STOP:
            return frozenset({END_OF_RULE})
        tokens: set[str] = set()
        pending, seen = [number], {number}
        while pending:
            state = self.states[pending.pop()]
            match state:
                case Match():
                    tokens |= state.tokens
                    continue
                case Call():
                    ways: tuple[int, ...] = (self.starts[state.rule],)
                case Choice():
                    ways = state.ways
            if STOP in ways:
                tokens.add(END_OF_RULE)
            new = {way for way in ways if way != STOP} - seen
            seen |= new
            pending.extend(new)
        return frozenset(tokens)


@cache  # built once, from constants
def graph() -> Graph:
    """Return the grammar's graph."""
    return Graph()
