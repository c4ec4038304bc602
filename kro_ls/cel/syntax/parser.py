"""Parses CEL: a tree for any text, and the errors that cel-go would print, each with a hint for people.

A valid expression is read once by the tree builder. For any other the builder still gives a tree, with holes, and the
errors are found as in cel-go: the syntax errors by ANTLR's strategy (`syntax_errors`), then the errors of names,
literals and macros in the expression as that strategy mended it.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.cel.syntax import hints, limits
from kro_ls.cel.syntax.ast import (
    Call,
    Hole,
    Identifier,
    MacroCall,
    Node,
    Operator,
    Select,
    children,
    fold,
)
from kro_ls.cel.syntax.identifiers import KEYWORDS, RESERVED_WORDS
from kro_ls.cel.syntax.lexer import tokenize
from kro_ls.cel.syntax.tree_builder import TreeBuilder

if TYPE_CHECKING:
    from collections.abc import Callable

    from kro_ls.cel.syntax.constructs import TreeError
    from kro_ls.cel.syntax.macros import MacroSet

_TOO_DEEP = "max recursion depth exceeded"
_SHALLOW = limits.RECURSION - 2
"""So many open constructs nest no grammar rule too deeply: each nests a rule once at most."""


_DEEPEST_TREE = 1_000
"""Levels of a tree with holes; a tree of valid CEL has hardly more. Deeper ones are given up."""


class ParseError(Struct, frozen=True):
    """An error as cel-go prints it, and where to mark it.

    `line` and `column` are 1-based (columns count code points) as cel-go prints them; an error of the whole expression
    (a limit) is at -1:0. `position` is the same place as an offset, `[start, end)` the span to mark: offsets of code
    points into the text, where an empty span is a place where something is missing. `hint` says plainly what to do.
    """

    position: int
    line: int
    column: int
    message: str
    start: int
    end: int
    hint: str


class ParseResult(Struct, frozen=True, gc=False):
    """The tree, complete if the text `is_valid`. The errors are found when asked for: completion needs none."""

    root: Node
    is_valid: bool = True
    find_errors: Callable[[], tuple[ParseError, ...]] | None = None

    @property
    def errors(self) -> tuple[ParseError, ...]:
        """The errors in the order of their places, no more than cel-go reports."""
        return self.find_errors() if self.find_errors else ()


def parse(text: str, macros: MacroSet) -> ParseResult:
    """Parse an expression. Never raises.

    The tree of a text that is too long for cel-go, or nested far beyond its limits, is a lone `Hole`.
    """
    if len(text) > limits.CODE_POINTS:
        message = f"expression code point size exceeds limit: size: {len(text)}, limit {limits.CODE_POINTS}"
        return ParseResult(Hole(0, len(text), 0), False, _found(lambda: [_limit_error(text, message)]))
    plain = _plain_read(text)
    if plain is not None:
        return ParseResult(plain)
    tokens = tokenize(text)
    builder = TreeBuilder(tokens, macros)
    root = builder.build()
    # What finds the errors keeps neither the tokens nor the builder: a damaged text may be large.
    damages, errors = builder.damages, builder.errors
    if damages or tokens.errors:
        return ParseResult(_bounded(root), False, _found(lambda: _syntax_errors(text, macros, damages)))
    if builder.deepest > _SHALLOW:  # only these show whether it nests too deeply
        found = _syntax_errors(text, macros, damages)
        return ParseResult(_bounded(root), not found, _found(lambda: found) if found else None)
    if builder.nodes > limits.RECURSION and _nests_too_deeply(root):
        too_deep = _limit_error(text, _TOO_DEEP)
        return ParseResult(_bounded(root), False, _found(lambda: [too_deep, *_errors_of_tree(text, errors)]))
    return ParseResult(root, not errors, _found(lambda: _errors_of_tree(text, errors)) if errors else None)


def _plain_read(text: str) -> Node | None:
    """Return the tree of a name with fields of it, as every second expression is; None for any other text."""
    names = text.split(".")
    if not (text.isascii() and all(map(str.isidentifier, names))):
        return None
    name, *fields = names
    if name in RESERVED_WORDS or not KEYWORDS.isdisjoint(fields) or len(fields) > _SHALLOW:
        return None
    end = len(name)
    node: Node = Identifier(0, end, 0, name)
    for field in fields:
        dot, end = end, end + 1 + len(field)
        node = Select(0, end, dot, node, field, (dot + 1, end))
    return node


def _found(find: Callable[[], list[ParseError]]) -> Callable[[], tuple[ParseError, ...]]:
    return cache(lambda: tuple(sorted(find()[: limits.ERRORS], key=lambda error: (error.line, error.column))))


def _syntax_errors(text: str, macros: MacroSet, damages: list[hints.Damage]) -> list[ParseError]:
    """Return the errors of an expression that is not valid CEL, or may nest too deeply to be."""
    from kro_ls.cel.syntax.syntax_errors import explain

    explanation = explain(tokenize(text))
    errors = [
        _located(text, error, f"Syntax error: {error.message}", _hint(error, text, damages))
        for error in explanation.errors
    ]
    if explanation.limit is not None:
        errors.append(_limit_error(text, explanation.limit))
    if explanation.tokens is not None:
        mended = TreeBuilder(explanation.tokens, macros)
        mended_root = mended.build()
        errors += _errors_of_tree(text, [*explanation.nameless, *mended.errors])
        if mended.nodes > limits.RECURSION and _nests_too_deeply(mended_root):
            errors.append(_limit_error(text, _TOO_DEEP))
    return errors


def _limit_error(text: str, message: str) -> ParseError:
    return ParseError(0, -1, 0, message, 0, len(text), "the expression is too large; simplify or split it")


def _errors_of_tree(text: str, errors: list[TreeError]) -> list[ParseError]:
    return [_located(text, each, each.message, each.hint or hints.not_expanded(each.message)) for each in errors]


def _located(text: str, error: TreeError, message: str, hint: str) -> ParseError:
    place = error.position
    return ParseError(place, *line_and_column(text, place), message, error.start, error.end, hint)


def line_and_column(text: str, offset: int) -> tuple[int, int]:
    """Return the 1-based line and column of an offset; only LF ends a line, as in cel-go."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def _hint(error: TreeError, text: str, damages: list[hints.Damage]) -> str:
    """Return the hint of the tree builder for the same place, or what is wrong with characters that are not tokens."""
    marked = text[error.start : error.end]
    if error.message.startswith("token recognition error"):
        return hints.no_token(marked)
    return next((damage.hint for damage in damages if damage.position == error.start), hints.misplaced(marked))


def _nests_too_deeply(root: Node) -> bool:
    """Return whether selections, indexes, calls and operators other than `&&`, `||`, `!`, `-x` nest too deeply."""
    pending = [(root, 0)]
    while pending:
        node, depth = pending.pop()
        depth += _counts_as_nesting(node)
        if depth > limits.RECURSION:
            return True
        pending.extend((child, depth) for child in children(node))
    return False


_NOT_COUNTED = frozenset({Operator.AND, Operator.OR, Operator.NOT, Operator.NEGATE})
_OPERATORS = frozenset(value for name, value in vars(Operator).items() if name.isupper())


def _bounded(root: Node) -> Node:
    """Return a tree that is not too deep to walk recursively."""
    depth = fold(root, lambda _, depths: 1 + max(depths, default=0))
    return root if depth <= _DEEPEST_TREE else Hole(root.start, root.end, root.start)


def _counts_as_nesting(node: Node) -> bool:
    if isinstance(node, MacroCall):
        return False
    if isinstance(node, Call):
        return node.target is not None or (node.function in _OPERATORS and node.function not in _NOT_COUNTED)
    return isinstance(node, Select)
