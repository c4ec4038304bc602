"""The text of CEL expressions as they are put together, with parentheses where the grammar needs them.

A text carries how tightly its outermost operator binds, so larger expressions are canonical: one blank around
operators, none inside brackets, no redundant parentheses.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from kro_ls.cel.syntax.ast import Call, Hole, Literal
from kro_ls.cel.syntax.constructs import AND, BINARY, CONDITIONAL, OR, UNARY
from kro_ls.cel.syntax.identifiers import KEYWORDS, RESERVED_WORDS, escape
from kro_ls.golang.quoting import go_quoted
from kro_ls.kro.environment import parse

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kro_ls.cel.syntax.ast import Node

_WHOLE: Final = UNARY + 1
"""How tightly names, literals, selections and calls bind."""
_OPERATORS: Final = {function: (rank, sign) for sign, (rank, function) in BINARY.items()}
_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class CelText(Struct, frozen=True):
    """A CEL expression as text; `rank` is how tightly its outermost operator binds, more is tighter."""

    text: str
    rank: int = _WHOLE

    def within(self, rank: int) -> str:
        """Return the text as an operand of what binds so tightly."""
        return self.text if self.rank >= rank else f"({self.text})"


def binary(sign: str, left: CelText, right: CelText) -> CelText:
    """Return an operator between two operands."""
    rank = BINARY[sign][0]
    is_associative = rank in (AND, OR)
    return CelText(f"{left.within(rank)} {sign} {right.within(rank + (not is_associative))}", rank)


def unary(sign: str, operand: CelText) -> CelText:
    """Return `!` or `-` before an operand."""
    return CelText(f"{sign}{operand.within(_WHOLE)}", UNARY)


def conditional(condition: CelText, value: CelText, otherwise: CelText) -> CelText:
    """Return `condition ? value : otherwise`."""
    first, second = condition.within(CONDITIONAL + 1), value.within(CONDITIONAL + 1)
    return CelText(f"{first} ? {second} : {otherwise.within(CONDITIONAL)}", CONDITIONAL)


def member(operand: CelText, name: str, *, optional: bool = False) -> CelText:
    """Return a selection, or the index of a map where the name cannot follow a dot."""
    mark = "?" if optional else ""
    if _NAME.fullmatch(name) and name not in KEYWORDS:
        return CelText(f"{operand.within(_WHOLE)}.{mark}{name}")
    return CelText(f"{operand.within(_WHOLE)}[{mark}{go_quoted(name)}]")


def property_of(operand: CelText, name: str) -> CelText | None:
    """Return the selection of an object's property, escaped if need be; None where CEL has no name for it."""
    escaped = name if name in RESERVED_WORDS - KEYWORDS else escape(name)
    return None if escaped is None else member(operand, escaped)


def index(operand: CelText, key: CelText) -> CelText:
    """Return an item of a list, or a value of a map."""
    return CelText(f"{operand.within(_WHOLE)}[{key.text}]")


def call(name: str, receiver: CelText | None, arguments: Iterable[CelText]) -> CelText:
    """Return the call of a function or a macro."""
    given = ", ".join(each.text for each in arguments)
    before = f"{receiver.within(_WHOLE)}." if receiver else ""
    return CelText(f"{before}{name}({given})")


def list_literal(items: Iterable[CelText]) -> CelText:
    """Return `[a, b]`."""
    return CelText(f"[{', '.join(each.text for each in items)}]")


def map_literal(entries: Iterable[tuple[CelText, CelText]]) -> CelText:
    """Return `{key: value}`."""
    return CelText("{" + ", ".join(f"{key.within(CONDITIONAL + 1)}: {value.text}" for key, value in entries) + "}")


def written(text: str) -> CelText:
    """Return an expression as its author wrote it."""
    return CelText(text, _rank(parse(text).root))


def _rank(root: Node) -> int:
    if isinstance(root, Hole):
        return CONDITIONAL
    if isinstance(root, Literal):
        is_negative = not isinstance(root.value, str | bytes | None) and root.value < 0
        return UNARY if is_negative else _WHOLE
    if not isinstance(root, Call) or root.target is not None:
        return _WHOLE
    if root.function in _OPERATORS:
        return _OPERATORS[root.function][0]
    return {"_?_:_": CONDITIONAL, "!_": UNARY, "-_": UNARY}.get(root.function, _WHOLE)
