"""Macros: calls that the parser replaces by other trees (cel-go `parser/macro.go`).

An expander gets the call as written and an `Expansion` that makes nodes with the call's place. It returns the tree,
None when the call is not a macro after all (another receiver), or raises MacroError at the argument that is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import force_setattr

from kro_ls.cel.syntax.ast import (
    Call,
    Comprehension,
    Identifier,
    ListLiteral,
    Literal,
    LiteralKind,
    MacroCall,
    MapLiteral,
    Node,
    Span,
)

ACCUMULATOR = "@result"
UNUSED_VARIABLE = "#unused"


class MacroError(Exception):
    """A wrong argument: cel-go's message, the node that it is reported at, and perhaps a `hint` in plain words."""

    def __init__(self, message: str, node: Node, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.node = node
        self.hint = hint


class Expansion(Struct):
    """Makes the nodes that a macro adds: they have the place of its call, and are counted in `nodes`."""

    place: tuple[int, int, int]
    """Start, end and position of the call."""
    nodes: int = 0

    def literal(self, value: bool | int | str, kind: LiteralKind) -> Literal:
        """Return a constant."""
        self.nodes += 1
        return Literal(*self.place, value, kind)

    def identifier(self, name: str) -> Identifier:
        """Return a name."""
        self.nodes += 1
        return Identifier(*self.place, name)

    def list(self, *elements: Node) -> ListLiteral:
        """Return a list literal."""
        self.nodes += 1
        return ListLiteral(*self.place, elements)

    def map(self) -> MapLiteral:
        """Return the empty map literal."""
        self.nodes += 1
        return MapLiteral(*self.place, ())

    def function(self, name: str, *arguments: Node, target: Node | None = None) -> Call:
        """Return a call or, with a target, a method call."""
        self.nodes += 1
        return Call(*self.place, name, target, arguments, self.place[:2])

    def comprehension(
        self,
        elements: Node,
        variables: tuple[Identifier, ...],
        initializer: Node,
        condition: Node,
        step: Node,
        result: Node,
    ) -> Comprehension:
        """Return a loop over `elements` with one or two variables and the usual accumulator."""
        self.nodes += 1
        second = variables[1] if len(variables) > 1 else None
        return Comprehension(
            *self.place,
            elements,
            variables[0].declared_name,
            second.declared_name if second else None,
            ACCUMULATOR,
            initializer,
            condition,
            step,
            result,
            _span(variables[0]),
            _span(second) if second else None,
        )

    def bind(self, name: str, value: Node, result: Node, *, variable: Identifier | None = None) -> Comprehension:
        """Return the loop of no turns that computes `result` with `name` standing for `value`."""
        self.nodes += 1
        return Comprehension(
            *self.place,
            self.list(),
            UNUSED_VARIABLE,
            None,
            name,
            value,
            self.literal(False, LiteralKind.BOOL),
            self.identifier(name),
            result,
            accumulator_span=_span(variable) if variable else None,
        )


Expander: TypeAlias = Callable[[Expansion, Call], Node | None]


MacroForm: TypeAlias = tuple[str, int, bool]
"""The name of a macro, how many arguments it is called with, and whether it has a receiver."""


class MacroSet(Struct, frozen=True, eq=False):
    """The expanders that the parser applies, by form. Compared by identity."""

    expanders: Mapping[MacroForm, Expander]
    names: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        force_setattr(self, "names", frozenset(name for name, _, _ in self.expanders))


def is_binding(node: Comprehension) -> bool:
    """Return whether a loop only gives a name to a value, and has no turns."""
    return node.variable == UNUSED_VARIABLE


def meaning(node: Node) -> Node:
    """Return the tree that `node` stands for: a macro's expansion, anything else itself."""
    return node.expansion if isinstance(node, MacroCall) else node


def _span(identifier: Identifier) -> Span:
    return (identifier.start, identifier.end)
