"""The name that is being typed at the end of an open expression."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.cel.syntax import ast
from kro_ls.cel.syntax.lexer import tokenize

if TYPE_CHECKING:
    from kro_ls.cel.syntax.ast import Node
    from kro_ls.cursor.types.typed_expression import TypedExpression

_OPERAND_ENDS = frozenset(
    {
        *(")", "]", "}", "true", "false", "null", "IDENTIFIER", "ESC_IDENTIFIER"),
        *("STRING", "BYTES", "NUM_INT", "NUM_UINT", "NUM_FLOAT"),
    }
)
"""The kinds of tokens that an operand can end with."""


class OpenName(Struct, frozen=True):
    """A name that is being typed, empty where one could begin.

    `receiver` is what stands before the dot in front of it, if there is one. `variables` are those of the macros around
    it, the innermost first, by their names, with the spans of their declarations.
    """

    word: str
    receiver: Node | None
    variables: dict[str, ast.Span]


def open_name(typed: TypedExpression) -> OpenName | None:
    """Return the name that is being typed at the end of a text, None where only operators can go."""
    text = typed.text
    word = _word(text)
    if word is None:
        return None
    variables: dict[str, ast.Span] = {}
    for variable in sorted(typed.inspection.variables, key=lambda each: each.span, reverse=True):
        if variable.scope[0] <= len(text) <= variable.scope[1] and variable.span[1] < len(text):
            variables.setdefault(variable.name, variable.span)
    return OpenName(word, _receiver(typed.nodes_touching(len(text)), len(text)), variables)


def _word(text: str) -> str | None:
    """Return the name at the end of a text, None after a whole operand such as `f(x)`, `a` or `1`."""
    tokens = tokenize(text)
    last = len(tokens.kinds) - 2  # before the end of the text
    is_word = last >= 0 and tokens.ends[last] == len(text) and tokens.token_text(last).isidentifier()
    before = last - 1 if is_word else last
    if before >= 0 and tokens.kinds[before] in _OPERAND_ENDS:
        return None
    return tokens.token_text(last) if is_word else ""


def _receiver(nodes: tuple[Node, ...], offset: int) -> Node | None:
    for node in reversed(nodes):
        if isinstance(node, ast.Select) and node.field_span[0] <= offset <= max(node.field_span):
            return node.operand
    return None
