"""The syntax errors that cel-go prints: ANTLR's default error strategy on CEL's grammar, with cel-go's limits.

`explain` walks the grammar's graph over the tokens as ANTLR's generated parser would, without building a tree. Where a
token does not fit, the strategy (ANTLR DefaultErrorStrategy) drops it, supplies the missing one, or skips tokens until
one fits an enclosing rule. The choices look ahead as far as ANTLR does to tell the ways apart.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from msgspec import Struct, field

from kro_ls.cel.syntax import limits
from kro_ls.cel.syntax.constructs import TreeError
from kro_ls.cel.syntax.grammar import END_OF_RULE, OPERATOR_PRECEDENCE, STOP, Call, Choice, Graph, Match, graph
from kro_ls.cel.syntax.lexer import EOF, TOKEN_KINDS, Tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_LITERALS = frozenset({"NUM_FLOAT", "NUM_INT", "NUM_UINT", "STRING", "BYTES", "true", "false", "null"})
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_SIGNED_NUMBERS = frozenset({"NUM_INT", "NUM_FLOAT"})


class Explanation(Struct):
    """The result of the walk."""

    errors: list[TreeError] = field(default_factory=list)
    """The messages of lexer and parser, each about a token or characters that are none."""
    limit: str | None = None
    """The limit that ended the walk, to be reported without a place."""
    nameless: list[TreeError] = field(default_factory=list)
    """An error more for each `.?` without a name."""
    tokens: Tokens | None = None
    """The tokens as the parser understood them: dropped ones left out, missing ones supplied; None after a limit."""


class _Frame(Struct):
    """A rule that is running."""

    rule: str
    precedence: int
    following: int
    """The state of the caller to go on with."""
    awaited: str | None = None
    """The bracket that closes the one that the rule has opened."""


class _LimitError(Exception):
    """Parsing stops; the text, if any, is reported without a place."""


class _NoWayError(Exception):
    """A choice for which no way fits; holds the index of the token at which that shows."""

    def __init__(self, token: int) -> None:
        super().__init__()
        self.token = token


def explain(tokens: Tokens) -> Explanation:
    """Return the syntax errors of an expression, none if it is valid. A few times as slow as building its tree."""
    walk = _Walk(tokens)
    try:
        walk.run()
    except _LimitError as error:
        return Explanation(walk.errors_so_far(), str(error) or None)
    understood = Tokens(tokens.text, walk.kept_kinds, walk.kept_starts, walk.kept_ends, ())
    return Explanation(walk.errors, None, walk.nameless, understood)


class _Walk:
    """One walk over the tokens."""

    def __init__(self, tokens: Tokens) -> None:
        self.errors: list[TreeError] = []
        self.nameless: list[TreeError] = []
        self.kept_kinds: list[str] = []
        self.kept_starts: list[int] = []
        self.kept_ends: list[int] = []
        self._tokens = tokens
        self._kinds = tokens.kinds
        self._last = len(tokens.kinds) - 1
        self._graph: Graph = graph()
        self._index = 0
        self._state = 0
        self._frames: list[_Frame] = []
        self._depths: dict[str, int] = {}
        self._recovering = False
        self._recoveries = 0
        self._last_error_index = -1
        self._last_error_states: set[int] = set()

    def run(self) -> None:
        """Walk from the start of the grammar to its end."""
        for error in self._tokens.errors:
            text = self._tokens.text[error.start : error.end]
            self._report(f"token recognition error at: '{text}'", error.start, error.end)
        self._enter("start", 0, STOP)
        while self._frames:
            if self._state == STOP:
                self._leave()
                continue
            state = self._graph.states[self._state]
            match state:
                case Match():
                    self._match(state)
                case Call():
                    self._enter(state.rule, state.precedence, state.following)
                case Choice():
                    self._choose(state)
        if not self.kept_kinds or self.kept_kinds[-1] is not EOF:
            self._keep(EOF, self._last)

    def errors_so_far(self) -> list[TreeError]:
        """Return the errors up to the token after the next: cel-go has read no further when a limit stops it."""
        if not self._frames:
            return self.errors
        reached = self._tokens.starts[min(self._index + 1, self._last)]
        return [error for error in self.errors if error.start <= reached]

    def _enter(self, rule: str, precedence: int, following: int) -> None:
        depth = self._depths.get(rule, 0) + 1
        if depth > limits.RECURSION:
            raise _LimitError(f"expression recursion limit exceeded: {limits.RECURSION}")
        self._depths[rule] = depth
        self._frames.append(_Frame(rule, precedence, following))
        self._state = self._graph.starts[rule]

    def _leave(self) -> None:
        frame = self._frames.pop()
        self._depths[frame.rule] -= 1
        self._state = frame.following

    def _match(self, state: Match) -> None:
        if self._kinds[self._index] in state.tokens:
            self._matched(state)
            return
        self._count_recovery()
        if self._drop_token():
            self._matched(state)
        elif self._kinds[self._index] in self._next_tokens_in_context(state.following):
            self._report_token("missing {expecting} at {token}")
            missing = min(state.tokens, key=TOKEN_KINDS.index)
            self._keep(missing, self._index, supplied=True)
            self._state = state.following
        else:
            self._fail("mismatched input {token} expecting {expecting}")

    def _matched(self, state: Match) -> None:
        self._end_recovery()
        self._keep(self._kinds[self._index], self._index)
        self._consume()
        self._state = state.following

    def _choose(self, choice: Choice) -> None:
        if not self._synchronized(choice):
            return
        try:
            way = self._CHOICES[choice.name](self, choice)
        except _NoWayError as error:
            self._fail_without_way(error.token)
            return
        self._state = choice.ways[way]

    # The error strategy

    def _synchronized(self, choice: Choice) -> bool:
        """Make the next token one that the choice can take; False when the rule was given up instead."""
        if self._recovering:
            return True
        possible = self._graph.next_tokens(self._state)
        if END_OF_RULE in possible or self._kinds[self._index] in possible:
            return True
        if choice.is_loop_back:
            self._report_token("extraneous input {token} expecting {expecting}")
            self._skip_until(self._expected() | self._recovery_set())
            return True
        if self._drop_token():
            return True
        self._fail("mismatched input {token} expecting {expecting}")
        return False

    def _drop_token(self) -> bool:
        """Drop the next token if the one after it is expected."""
        if self._kinds[min(self._index + 1, self._last)] not in self._expected():
            return False
        self._report_token("extraneous input {token} expecting {expecting}")
        self._consume()
        self._end_recovery()
        return True

    def _fail(self, message: str) -> None:
        """Report, skip to a token that can follow an enclosing rule, and leave the rule."""
        if not self._recovering:
            self._report_token(message)
        self._recover()

    def _fail_without_way(self, offending: int) -> None:
        if not self._recovering:
            self._recovering = True
            tokens = self._tokens
            # With the whitespace in between, and at the end of the text also what follows.
            text = _without_errors(tokens, tokens.starts[self._index], tokens.ends[offending]) or EOF
            if len(text) > 1 and text[1:] in ("true", "false", "null"):
                message = f"mismatched input '{text[1:]}' expecting IDENTIFIER"
            else:
                message = f"no viable alternative at input {_quoted(text)}"
            self._report(message, tokens.starts[offending], tokens.ends[offending])
        self._recover()

    def _recover(self) -> None:
        if self._frames[-1].rule == "escapeIdent" and self._frames[-2].rule == "member":
            start, end = self._tokens.starts[self._index], self._tokens.ends[self._index]
            self.nameless.append(TreeError(start, "unsupported ident kind", start, end))
        self._count_recovery()
        skipped = 0
        if self._last_error_index == self._index and self._state in self._last_error_states:
            self._consume()
            skipped = 1
        awaited = self._frames[-1].awaited
        if awaited is not None:
            # The rule ends here, and with it what is in its brackets.
            self._keep(awaited, self._index, supplied=True)
        self._last_error_index = self._index
        self._last_error_states.add(self._state)
        self._skip_until(self._recovery_set(), limits.SKIPPED_TOKENS - skipped)
        self._state = STOP

    def _skip_until(self, wanted: frozenset[str], most: int | None = None) -> None:
        first = self._index
        while self._kinds[self._index] is not EOF and self._kinds[self._index] not in wanted:
            if most is not None and self._index - first >= most:
                raise _LimitError(f"error recovery token lookahead limit exceeded: {limits.SKIPPED_TOKENS}")
            self._consume()

    def _count_recovery(self) -> None:
        if self._recoveries == limits.RECOVERIES:
            token = self._index
            message = f"error recovery attempt limit exceeded: {limits.RECOVERIES}"
            self._report(message, self._tokens.starts[token], self._tokens.ends[token])
            raise _LimitError
        self._recoveries += 1

    def _end_recovery(self) -> None:
        self._recovering = False
        self._last_error_states = set()
        self._last_error_index = -1

    # What can follow

    def _expected(self) -> frozenset[str]:
        """Return the tokens that can come next, those after the enclosing rules included where they can end."""
        return self._next_tokens_in_context(self._state)

    def _next_tokens_in_context(self, state: int) -> frozenset[str]:
        tokens = self._graph.next_tokens(state)
        for frame in reversed(self._frames):
            if END_OF_RULE not in tokens:
                return tokens
            tokens = (tokens - {END_OF_RULE}) | self._graph.next_tokens(frame.following)
        return (tokens - {END_OF_RULE}) | {EOF}

    def _recovery_set(self) -> frozenset[str]:
        tokens: frozenset[str] = frozenset()
        for frame in self._frames[1:]:
            tokens |= self._graph.next_tokens(frame.following)
        return tokens - {END_OF_RULE}

    # Choices: each returns the way to go, or raises _NoWayError

    def _look(self, distance: int) -> str:
        return self._kinds[min(self._index + distance, self._last)]

    def _no_way(self, distance: int) -> _NoWayError:
        return _NoWayError(min(self._index + distance, self._last))

    def _choose_optional(self, choice: Choice) -> int:
        """Take the part, or the loop's next turn, if the token can start it."""
        return 0 if self._look(0) in self._graph.next_tokens(choice.ways[0]) else 1

    def _choose_alternative(self, choice: Choice) -> int:
        for number, way in enumerate(choice.ways):
            if self._look(0) in self._graph.next_tokens(way):
                return number
        raise self._no_way(0)

    def _choose_operators(self, _: Choice) -> int:
        """Stay in the loop for an operator that binds tightly enough."""
        rule, precedence = OPERATOR_PRECEDENCE.get(self._look(0), ("", 0))
        frame = self._frames[-1]
        return 0 if rule == frame.rule and precedence >= frame.precedence else 1

    def _choose_unary(self, choice: Choice) -> int:
        kind = self._look(0)
        if kind == "!":
            return 1
        if kind != "-":
            if kind in self._graph.next_tokens(choice.ways[0]):
                return 0
            raise self._no_way(0)
        if self._look(1) in _SIGNED_NUMBERS:
            return 0
        if self._look(1) in self._graph.next_tokens(choice.ways[0]):
            return 2
        raise self._no_way(1)

    def _choose_minus(self, choice: Choice) -> int:
        kind = self._look(0)
        member = self._graph.next_tokens(choice.ways[1])
        if kind != "-":
            if kind in member:
                return 1
            raise self._no_way(0)
        if self._look(1) not in member:
            raise self._no_way(1)
        return 0

    def _choose_member(self, _: Choice) -> int:
        if self._look(0) == "[":
            return 2
        kind = self._look(1)
        if kind == "IDENTIFIER":
            return 1 if self._look(2) == "(" else 0
        if kind in ("?", "ESC_IDENTIFIER"):
            return 0
        raise self._no_way(1)

    def _choose_primary(self, _: Choice) -> int:
        kind = self._look(0)
        if kind in ("(", "[", "{"):
            return {"(": 2, "[": 3, "{": 4}[kind]
        if kind in _LITERALS or kind == "-":
            return 6
        distance = 1 if kind == "." else 0
        if self._look(distance) != "IDENTIFIER":
            raise self._no_way(distance)
        distance += 1
        if self._look(distance) == "(":
            return 1
        while self._look(distance) == "." and self._look(distance + 1) == "IDENTIFIER":
            distance += 2
        return 5 if self._look(distance) == "{" else 0

    def _choose_elements(self, choice: Choice) -> int:
        """Stay in the loop for a comma that an element follows; a trailing comma ends it."""
        state = self._graph.states[choice.ways[0]]
        element = self._graph.next_tokens(state.following) if isinstance(state, Match) else frozenset()
        return 0 if self._look(0) == "," and self._look(1) in element else 1

    def _choose_literal(self, choice: Choice) -> int:
        if self._look(0) == "-":
            if self._look(1) not in _SIGNED_NUMBERS:
                raise self._no_way(1)
            return 0 if self._look(1) == "NUM_INT" else 2
        return self._choose_alternative(choice)

    # Tokens and messages

    def _consume(self) -> None:
        self._index = min(self._index + 1, self._last)

    def _keep(self, kind: str, index: int, *, supplied: bool = False) -> None:
        start = self._tokens.starts[index]
        if kind in _CLOSING:
            self._frames[-1].awaited = _CLOSING[kind]
        elif kind in _CLOSING.values():
            self._frames[-1].awaited = None
        self.kept_kinds.append(kind)
        self.kept_starts.append(start)
        self.kept_ends.append(start if supplied else self._tokens.ends[index])

    def _report_token(self, message: str) -> None:
        """Report an error at the next token, unless one has been reported since the last match."""
        if self._recovering:
            return
        self._recovering = True
        text = EOF if self._kinds[self._index] is EOF else self._tokens.token_text(self._index)
        filled = message.replace("{expecting}", _listed(self._expected()), 1).replace("{token}", _quoted(text), 1)
        self._report(filled, self._tokens.starts[self._index], self._tokens.ends[self._index])

    def _report(self, message: str, start: int, end: int) -> None:
        if len(self.errors) == limits.SYNTAX_ERRORS:
            self.errors.append(TreeError(start, f"More than {limits.SYNTAX_ERRORS} syntax errors", start, end))
            raise _LimitError
        self.errors.append(TreeError(start, message, start, end))

    # Not bound to a walk, which would be a circle that only the collector of garbage frees.
    _CHOICES: ClassVar[dict[str, Callable[[Any, Choice], int]]] = {
        "": _choose_optional,
        "alternatives": _choose_alternative,
        "operators": _choose_operators,
        "unary": _choose_unary,
        "minus": _choose_minus,
        "member": _choose_member,
        "primary": _choose_primary,
        "elements": _choose_elements,
        "literal": _choose_literal,
    }


def _without_errors(tokens: Tokens, start: int, end: int) -> str:
    """Return a part of the text without the characters that are not tokens."""
    pieces: list[str] = []
    for error in tokens.errors:
        if start <= error.start < end:
            pieces.append(tokens.text[start : error.start])
            start = error.end
    return "".join([*pieces, tokens.text[start:end]])


def _quoted(text: str) -> str:
    return "'" + text.replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r") + "'"


def _listed(tokens: Iterable[str]) -> str:
    names = [kind if kind is EOF or kind.isupper() else f"'{kind}'" for kind in sorted(tokens, key=TOKEN_KINDS.index)]
    return names[0] if len(names) == 1 else "{" + ", ".join(names) + "}"
