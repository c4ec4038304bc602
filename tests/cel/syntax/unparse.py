"""Writes trees as text: `unparse` as CEL, `dump` as structure without positions."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kro_ls.cel.syntax.ast import (
    Call,
    Comprehension,
    Hole,
    Identifier,
    ListLiteral,
    Literal,
    LiteralKind,
    MacroCall,
    MapLiteral,
    Node,
    Operator,
    Select,
    StructLiteral,
    children,
    fold,
)
from kro_ls.cel.syntax.identifiers import KEYWORDS

_CONDITIONAL, _OR, _AND, _RELATION, _SUM, _PRODUCT, _UNARY, _MEMBER = range(8)
_PRECEDENCE = {
    Operator.CONDITIONAL: _CONDITIONAL,
    Operator.OR: _OR,
    Operator.AND: _AND,
    **dict.fromkeys(
        (
            Operator.EQUALS,
            Operator.NOT_EQUALS,
            Operator.LESS,
            Operator.LESS_EQUALS,
            Operator.GREATER,
            Operator.GREATER_EQUALS,
            Operator.IN,
        ),
        _RELATION,
    ),
    **dict.fromkeys((Operator.ADD, Operator.SUBTRACT), _SUM),
    **dict.fromkeys((Operator.MULTIPLY, Operator.DIVIDE, Operator.MODULO), _PRODUCT),
    Operator.NOT: _UNARY,
    Operator.NEGATE: _UNARY,
}
_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_STRING_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}


@dataclass(frozen=True, slots=True)
class _Written:
    """Text, its precedence, and the terms of an `&&` or `||` chain without parentheses."""

    text: str
    precedence: int = _MEMBER
    terms: int = 1

    def within(self, precedence: int) -> str:
        """Return the text, in parentheses unless it holds together at least as tightly as `precedence`."""
        return self.text if self.precedence >= precedence else f"({self.text})"


def unparse(node: Node) -> str:
    """Return CEL text with single spaces around operators that parses to the same structure.

    Macros are written as they were called. Holes are left out; a comprehension on its own has no text in CEL and is
    written `<comprehension>`.
    """
    return fold(node, _write).text


def _write(node: Node, parts: list[_Written]) -> _Written:
    match node:
        case Literal():
            text = _literal(node)
            return _Written(text, _UNARY if text.startswith("-") else _MEMBER)
        case Identifier():
            return _Written("." * node.leading_dot + node.name)
        case Select():
            return _select(node, parts[0])
        case Call():
            return _call(node, parts)
        case ListLiteral():
            optional = frozenset(node.optional_indices)
            elements = ("?" * (number in optional) + part.text for number, part in enumerate(parts))
            return _Written(f"[{', '.join(elements)}]")
        case MapLiteral():
            entries = (
                f"{'?' * entry.optional}{key.text}: {value.text}"
                for entry, key, value in zip(node.entries, parts[::2], parts[1::2], strict=True)
            )
            return _Written(f"{{{', '.join(entries)}}}")
        case StructLiteral():
            fields = (
                f"{'?' * field.optional}{_field(field.name)}: {value.text}"
                for field, value in zip(node.fields, parts, strict=True)
            )
            return _Written(f"{node.type_name}{{{', '.join(fields)}}}")
        case MacroCall():
            return parts[0]
        case Comprehension():
            return _Written("<comprehension>")
        case Hole():
            return _Written("")


def _select(node: Select, operand: _Written) -> _Written:
    text = f"{operand.within(_MEMBER)}.{'?' * node.optional}{_field(node.field)}"
    return _Written(f"has({text})" if node.test_only else text)


def _field(name: str) -> str:
    return name if not name or (_PLAIN_NAME.match(name) and name not in KEYWORDS) else f"`{name}`"


def _call(node: Call, parts: list[_Written]) -> _Written:
    precedence = _PRECEDENCE.get(node.function)
    if node.function in (Operator.INDEX, Operator.OPTIONAL_INDEX):
        mark = "?" * (node.function == Operator.OPTIONAL_INDEX)
        return _Written(f"{parts[0].within(_MEMBER)}[{mark}{parts[1].text}]")
    if precedence is None:
        return _function_call(node, parts)
    if precedence == _UNARY:
        operator = "!" if node.function == Operator.NOT else "-"
        return _Written(operator + _unary_operand(node, parts[0]), _UNARY)
    if precedence == _CONDITIONAL:
        condition, then, otherwise = parts
        return _Written(f"{condition.within(_OR)} ? {then.within(_OR)} : {otherwise.text}", _CONDITIONAL)
    if precedence in (_OR, _AND):
        return _logical(node, precedence, parts)
    operator = "in" if node.function == Operator.IN else node.function.strip("_")
    return _Written(f"{parts[0].within(precedence)} {operator} {parts[1].within(precedence + 1)}", precedence)


def _function_call(node: Call, parts: list[_Written]) -> _Written:
    arguments = parts if node.target is None else parts[1:]
    receiver = "." * node.leading_dot if node.target is None else parts[0].within(_MEMBER) + "."
    return _Written(f"{receiver}{node.function}({', '.join(argument.text for argument in arguments)})")


def _unary_operand(node: Call, operand: _Written) -> str:
    # Directly before a number, a sign would become part of it.
    number = node.function == Operator.NEGATE and operand.text[:1].isdigit()
    return f"({operand.text})" if number else operand.within(_MEMBER)


def _logical(node: Call, precedence: int, parts: list[_Written]) -> _Written:
    """Write a chain without parentheses exactly if the parser would build this shape from it."""
    left, right = (
        part if isinstance(argument, Call) and argument.function == node.function else _Written(part.within(precedence))
        for argument, part in zip(node.arguments, parts, strict=True)
    )
    operator = node.function.strip("_")
    terms = left.terms + right.terms
    if left.terms != (terms - 1) // 2 + 1:
        left, right, terms = _Written(left.within(_MEMBER)), _Written(right.within(_MEMBER)), 2
    return _Written(f"{left.text} {operator} {right.text}", precedence, terms)


def _literal(node: Literal) -> str:
    match node.kind:
        case LiteralKind.NULL:
            return "null"
        case LiteralKind.BOOL:
            return "true" if node.value else "false"
        case LiteralKind.UINT:
            return f"{node.value!r}u"
        case LiteralKind.STRING:
            return '"' + "".join(map(_string_character, str(node.value))) + '"'
        case LiteralKind.BYTES if isinstance(node.value, bytes):
            return 'b"' + "".join(map(_byte, node.value)) + '"'
    return repr(node.value)


def _string_character(character: str) -> str:
    escape = _STRING_ESCAPES.get(character)
    if escape is not None:
        return escape
    return character if character.isprintable() else f"\\U{ord(character):08x}"


def _byte(byte: int) -> str:
    character = chr(byte)
    return _STRING_ESCAPES.get(character, character) if 32 <= byte < 127 else f"\\x{byte:02x}"


def dump(node: Node, *, expanded: bool = False) -> str:
    """Return the structure in one line without positions: two trees are alike exactly if their dumps are equal.

    Macros are shown as they were called or, with `expanded`, as their expansions.
    """

    def parts(node: Node) -> tuple[Node, ...]:
        if isinstance(node, MacroCall):
            return (node.expansion,) if expanded else (node.call,)
        return children(node)

    return fold(node, _dump, parts)


def _dump(node: Node, parts: list[str]) -> str:
    match node:
        case Literal():
            return f"{node.kind.value}:{node.value!r}"
        case Identifier():
            return f"name:{'.' * node.leading_dot}{node.name}"
        case Select():
            kind = "has" if node.test_only else "optional-select" if node.optional else "select"
            return _group(kind, parts, node.field)
        case Call():
            kind = "call" if node.target is None else "method"
            return _group(kind, parts, "." * node.leading_dot + node.function)
        case ListLiteral():
            optional = frozenset(node.optional_indices)
            return _group("list", ["?" * (number in optional) + part for number, part in enumerate(parts)])
        case MapLiteral():
            return _group(
                "map",
                [
                    f"{'?' * entry.optional}{key} => {value}"
                    for entry, key, value in zip(node.entries, parts[::2], parts[1::2], strict=True)
                ],
            )
        case StructLiteral():
            fields = [
                f"{'?' * field.optional}{field.name} => {value}"
                for field, value in zip(node.fields, parts, strict=True)
            ]
            return _group("struct", fields, node.type_name)
        case Comprehension():
            names = [node.variable, *filter(None, (node.variable2,)), node.accumulator]
            return _group("comprehension", parts, ",".join(names))
        case MacroCall():
            return parts[0]
        case Hole():
            return "hole"


def _group(kind: str, parts: list[str], name: str = "") -> str:
    return f"{kind}{':' if name else ''}{name}({', '.join(parts)})"
