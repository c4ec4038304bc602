"""The constructs of a CEL expression while they are read, and the nodes that they become when they are complete."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, field

from kro_ls.cel.syntax import limits
from kro_ls.cel.syntax.ast import (
    Call,
    Hole,
    ListLiteral,
    MacroCall,
    MapEntry,
    MapLiteral,
    Node,
    Operator,
    Span,
    StructField,
    StructLiteral,
)
from kro_ls.cel.syntax.identifiers import RESERVED_WORDS
from kro_ls.cel.syntax.macros import Expansion, MacroError, meaning

if TYPE_CHECKING:
    from kro_ls.cel.syntax.lexer import Tokens
    from kro_ls.cel.syntax.macros import MacroSet

BRACKET, CONDITIONAL, OR, AND, RELATION, SUM, PRODUCT, UNARY = range(8)

BINARY = {
    "||": (OR, Operator.OR),
    "&&": (AND, Operator.AND),
    "==": (RELATION, Operator.EQUALS),
    "!=": (RELATION, Operator.NOT_EQUALS),
    "<": (RELATION, Operator.LESS),
    "<=": (RELATION, Operator.LESS_EQUALS),
    ">": (RELATION, Operator.GREATER),
    ">=": (RELATION, Operator.GREATER_EQUALS),
    "in": (RELATION, Operator.IN),
    "+": (SUM, Operator.ADD),
    "-": (SUM, Operator.SUBTRACT),
    "*": (PRODUCT, Operator.MULTIPLY),
    "/": (PRODUCT, Operator.DIVIDE),
    "%": (PRODUCT, Operator.MODULO),
}
CLOSING = {"(": ")", "call": ")", "[": "]", "index": "]", "{": "}", "struct": "}"}


class TreeError(Struct, frozen=True):
    """Something wrong in an expression: cel-go's message, the offset that it reports and the span to mark."""

    position: int
    message: str
    start: int
    end: int
    hint: str = ""
    """The error in plain words, if the message is a library's."""


class Open(Struct):
    """A construct whose last operand is being read."""

    kind: str
    """A bracket or an operator: `!` and `-` for a run, `?` and `:` for a conditional before and after its colon."""
    precedence: int
    start: int
    token: int
    """The operator or the opening bracket."""
    left: Node | None = None
    name: str = ""
    name_span: Span = (0, 0)
    leading_dot: bool = False
    optional: bool = False
    """Of an index, or of the element, entry or field being read."""
    key: Node | None = None
    """The key of the map entry, or the condition's middle, that has been read."""
    separator: int = 0
    """The colon of the entry or field being read."""
    elements: list[Node] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)
    """Of the terms of `&&` and `||`, with their parentheses."""
    operators: list[int] = field(default_factory=list)
    optional_indices: list[int] = field(default_factory=list)
    entries: list[MapEntry] = field(default_factory=list)
    fields: list[StructField] = field(default_factory=list)
    errors: int = 0
    """How many errors there were when the construct, or its current element, was opened."""


class Assembler:
    """Makes the nodes of complete constructs, expands macros and finds names that are not allowed."""

    def __init__(self, tokens: Tokens, macros: MacroSet) -> None:
        self.errors: list[TreeError] = []
        self.nodes = len(tokens.kinds)
        """At least as many as there are nodes, those that macros added included."""
        self._starts = tokens.starts
        self._ends = tokens.ends
        self._macros = macros

    def operator(self, construct: Open, node: Node, end: int) -> Node:
        """Return the node of a prefix operator, a binary operator or a logical chain with its last operand."""
        position = self._starts[construct.token]
        span = (position, self._ends[construct.token])
        if construct.precedence == UNARY:
            if construct.optional:
                return node
            function = Operator.NOT if construct.kind == "!" else Operator.NEGATE
            return Call(construct.start, end, position, function, None, (node,), span)
        if construct.left is not None:
            function = BINARY[construct.kind][1]
            return Call(construct.start, end, position, function, None, (construct.left, node), span)
        construct.elements.append(node)
        return self._balanced(construct, 0, len(construct.operators) - 1)

    def conditional(self, construct: Open, then: Node, otherwise: Node, end: int) -> Call:
        """Return the node of `condition ? then : otherwise`."""
        position = self._starts[construct.token]
        condition = construct.left or Hole(construct.start, position, position)
        arguments = (condition, then, otherwise)
        span = (position, position + 1)
        return Call(construct.start, end, position, Operator.CONDITIONAL, None, arguments, span)

    def _balanced(self, construct: Open, low: int, high: int) -> Node:
        """Return the tree over the logical operators `low` to `high`: cel-go halves long chains."""
        middle = (low + high + 1) // 2
        terms, spans = construct.elements, construct.spans
        left = terms[middle] if middle == low else self._balanced(construct, low, middle - 1)
        right = terms[middle + 1] if middle == high else self._balanced(construct, middle + 1, high)
        token = construct.operators[middle]
        position = self._starts[token]
        span = (position, self._ends[token])
        function = BINARY[construct.kind][1]
        return Call(spans[low][0], spans[high + 1][1], position, function, None, (left, right), span)

    def bracket(self, construct: Open, end: int) -> Node:
        """Return the node of a bracket that has all its elements and reaches to `end`."""
        start = construct.start
        position = self._starts[construct.token]
        elements = tuple(construct.elements)
        match construct.kind:
            case "call":
                return self._call(construct, elements, end)
            case "[":
                return ListLiteral(start, end, position, elements, tuple(construct.optional_indices))
            case "{":
                return MapLiteral(start, end, position, tuple(construct.entries))
            case "struct":
                fields = tuple(construct.fields)
                return StructLiteral(start, end, position, construct.name, construct.name_span, fields)
        if construct.left is None:
            return elements[0]
        function = Operator.OPTIONAL_INDEX if construct.optional else Operator.INDEX
        return Call(start, end, position, function, None, (construct.left, *elements), (position, position + 1))

    def _call(self, construct: Open, arguments: tuple[Node, ...], end: int) -> Node:
        position = self._starts[construct.token]
        call = Call(
            construct.start,
            end,
            position,
            construct.name,
            construct.left,
            arguments,
            construct.name_span,
            construct.leading_dot,
        )
        if construct.left is None and construct.name in RESERVED_WORDS:
            # cel-go does not look at the arguments then.
            del self.errors[construct.errors :]
            self.errors.append(TreeError(call.start, f"reserved identifier: {construct.name}", *call.name_span))
        elif construct.name in self._macros.names and not construct.leading_dot:
            return self._expand(call)
        return call

    def _expand(self, call: Call) -> Node:
        expander = self._macros.expanders.get((call.function, len(call.arguments), call.target is not None))
        if expander is None:
            return call
        expansion = Expansion((call.start, call.end, call.position))
        tree: Node | None
        try:
            tree = expander(expansion, call)
        except MacroError as error:
            node = error.node
            # An argument that is a failed macro has the place where it failed.
            position = meaning(node).position
            if not isinstance(node, Hole):
                self.errors.append(TreeError(position, error.message, node.start, node.end, error.hint))
            tree = Hole(call.start, call.end, position)
        if tree is None:
            return call
        self.nodes += expansion.nodes
        if self.nodes > limits.NODES:
            message = f"expression count exceeds limit of {limits.NODES} while expanding macro '{call.function}'"
            self.errors.append(TreeError(call.position, message, *call.name_span))
            tree = Hole(call.start, call.end, call.position)
        return MacroCall(call.start, call.end, call.position, call, tree)
