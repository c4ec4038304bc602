"""Macros: calls that the parser replaces by other trees (02 section 4; cel-go parser/macro.go, ext/).

An expander gets the call as written and an `Expansion` that makes nodes with the call's place. It returns the tree,
None when the call is no macro after all (another receiver), or raises MacroError at the argument that is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

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
    Span,
)

ACCUMULATOR = "@result"
_OLD_ACCUMULATOR = "__result__"
UNUSED_VARIABLE = "#unused"
OPTIONAL_TARGET = "@target"
SORT_INPUT = "@__sortBy_input__"


class MacroError(Exception):
    """A wrong argument: cel-go's message and the node that it is reported at."""

    def __init__(self, message: str, node: Node) -> None:
        super().__init__(message)
        self.message = message
        self.node = node


@dataclass(slots=True)
class Expansion:
    """Makes the nodes that a macro adds: they have the span of `call` and its position, and are counted in `nodes`."""

    call: Call
    nodes: int = 0

    def literal(self, value: bool | int | str, kind: LiteralKind) -> Literal:
        """Return a constant."""
        self.nodes += 1
        return Literal(self.call.start, self.call.end, self.call.position, value, kind)

    def identifier(self, name: str) -> Identifier:
        """Return a name."""
        self.nodes += 1
        return Identifier(self.call.start, self.call.end, self.call.position, name)

    def list(self, *elements: Node) -> ListLiteral:
        """Return a list literal."""
        self.nodes += 1
        return ListLiteral(self.call.start, self.call.end, self.call.position, elements)

    def map(self) -> MapLiteral:
        """Return the empty map literal."""
        self.nodes += 1
        return MapLiteral(self.call.start, self.call.end, self.call.position, ())

    def function(self, name: str, *arguments: Node, target: Node | None = None) -> Call:
        """Return a call or, with a target, a method call."""
        self.nodes += 1
        return Call(
            self.call.start,
            self.call.end,
            self.call.position,
            name,
            target,
            arguments,
            (self.call.start, self.call.end),
        )

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
            self.call.start,
            self.call.end,
            self.call.position,
            elements,
            variable_name(variables[0]),
            variable_name(second) if second else None,
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
            self.call.start,
            self.call.end,
            self.call.position,
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


@dataclass(frozen=True, slots=True, eq=False)
class MacroSet:
    """Expanders by name, number of arguments and whether there is a receiver. Compared by identity."""

    expanders: Mapping[tuple[str, int, bool], Expander]
    names: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", frozenset(name for name, _, _ in self.expanders))

    def extended(self, expanders: Mapping[tuple[str, int, bool], Expander]) -> MacroSet:
        """Return this set and more."""
        return MacroSet({**self.expanders, **expanders})


def meaning(node: Node) -> Node:
    """Return the tree that `node` stands for: a macro's expansion, anything else itself."""
    return node.expansion if isinstance(node, MacroCall) else node


def variable_name(identifier: Identifier) -> str:
    """Return the name that a variable is declared under; cel-go keeps a leading dot."""
    return "." + identifier.name if identifier.leading_dot else identifier.name


def _span(identifier: Identifier) -> Span:
    return (identifier.start, identifier.end)


def _variable(argument: Node, message: str) -> Identifier:
    if not isinstance(argument, Identifier):
        raise MacroError(message, argument)
    return argument


def _iteration_variable(argument: Node, message: str) -> Identifier:
    variable = _variable(argument, message)
    _refuse_accumulator(variable)
    return variable


def _refuse_accumulator(variable: Identifier) -> None:
    if variable_name(variable) in (ACCUMULATOR, _OLD_ACCUMULATOR):
        raise MacroError("iteration variable overwrites accumulator variable", variable)


def _iteration_variables(call: Call) -> tuple[Identifier, Identifier]:
    message = "argument must be a simple name"
    first, second = (_variable(argument, message) for argument in call.arguments[:2])
    if variable_name(first) == variable_name(second):
        raise MacroError(f"duplicate variable name: {variable_name(first)}", second)
    _refuse_accumulator(first)
    _refuse_accumulator(second)
    return first, second


def _range(call: Call) -> Node:
    if call.target is None:
        raise ValueError("a receiver macro needs a receiver")
    return call.target


def _has(expansion: Expansion, call: Call) -> Node:
    (argument,) = call.arguments
    selection = meaning(argument)
    if not isinstance(selection, Select) or selection.optional:
        raise MacroError("invalid argument to has() macro", argument)
    expansion.nodes += 1
    return Select(
        call.start,
        call.end,
        call.position,
        selection.operand,
        selection.field,
        selection.field_span,
        test_only=True,
    )


def _all(expansion: Expansion, call: Call) -> Node:
    variables, predicate = _quantifier_arguments(call)
    return expansion.comprehension(
        _range(call),
        variables,
        expansion.literal(True, LiteralKind.BOOL),
        expansion.function(Operator.NOT_STRICTLY_FALSE, expansion.identifier(ACCUMULATOR)),
        expansion.function(Operator.AND, expansion.identifier(ACCUMULATOR), predicate),
        expansion.identifier(ACCUMULATOR),
    )


def _exists(expansion: Expansion, call: Call) -> Node:
    variables, predicate = _quantifier_arguments(call)
    not_found = expansion.function(Operator.NOT, expansion.identifier(ACCUMULATOR))
    return expansion.comprehension(
        _range(call),
        variables,
        expansion.literal(False, LiteralKind.BOOL),
        expansion.function(Operator.NOT_STRICTLY_FALSE, not_found),
        expansion.function(Operator.OR, expansion.identifier(ACCUMULATOR), predicate),
        expansion.identifier(ACCUMULATOR),
    )


def _exists_one(expansion: Expansion, call: Call) -> Node:
    variables, predicate = _quantifier_arguments(call)
    one_more = expansion.function(
        Operator.ADD, expansion.identifier(ACCUMULATOR), expansion.literal(1, LiteralKind.INT)
    )
    return expansion.comprehension(
        _range(call),
        variables,
        expansion.literal(0, LiteralKind.INT),
        expansion.literal(True, LiteralKind.BOOL),
        expansion.function(Operator.CONDITIONAL, predicate, one_more, expansion.identifier(ACCUMULATOR)),
        expansion.function(Operator.EQUALS, expansion.identifier(ACCUMULATOR), expansion.literal(1, LiteralKind.INT)),
    )


def _quantifier_arguments(call: Call) -> tuple[tuple[Identifier, ...], Node]:
    predicate = call.arguments[-1]
    if len(call.arguments) == 3:
        return _iteration_variables(call), predicate
    return (_iteration_variable(call.arguments[0], "argument must be a simple name"),), predicate


def _append_where(
    expansion: Expansion,
    elements: Node,
    variables: tuple[Identifier, ...],
    element: Node,
    predicate: Node | None,
) -> Comprehension:
    """Return the loop that collects `element` for every turn in which `predicate` holds."""
    step = expansion.function(Operator.ADD, expansion.identifier(ACCUMULATOR), expansion.list(element))
    if predicate is not None:
        step = expansion.function(Operator.CONDITIONAL, predicate, step, expansion.identifier(ACCUMULATOR))
    return expansion.comprehension(
        elements,
        variables,
        expansion.list(),
        expansion.literal(True, LiteralKind.BOOL),
        step,
        expansion.identifier(ACCUMULATOR),
    )


def _map(expansion: Expansion, call: Call) -> Node:
    return _map_over(expansion, _range(call), call.arguments)


def _map_over(expansion: Expansion, elements: Node, arguments: tuple[Node, ...]) -> Node:
    variable = _iteration_variable(arguments[0], "argument is not an identifier")
    predicate = arguments[1] if len(arguments) == 3 else None
    return _append_where(expansion, elements, (variable,), arguments[-1], predicate)


def _filter(expansion: Expansion, call: Call) -> Node:
    variable = _iteration_variable(call.arguments[0], "argument is not an identifier")
    return _append_where(expansion, _range(call), (variable,), variable, call.arguments[1])


def _transform_list(expansion: Expansion, call: Call) -> Node:
    variables = _iteration_variables(call)
    predicate = call.arguments[2] if len(call.arguments) == 4 else None
    return _append_where(expansion, _range(call), variables, call.arguments[-1], predicate)


def _transform_map(expansion: Expansion, call: Call) -> Node:
    variables = _iteration_variables(call)
    key = expansion.identifier(variable_name(variables[0]))
    return _insert_where(expansion, call, variables, (key, call.arguments[-1]))


def _transform_map_entry(expansion: Expansion, call: Call) -> Node:
    return _insert_where(expansion, call, _iteration_variables(call), (call.arguments[-1],))


def _insert_where(
    expansion: Expansion, call: Call, variables: tuple[Identifier, ...], inserted: tuple[Node, ...]
) -> Node:
    """Return the loop that inserts into a map for every turn in which the predicate, if there is one, holds."""
    step = expansion.function("cel.@mapInsert", expansion.identifier(ACCUMULATOR), *inserted)
    if len(call.arguments) == 4:
        step = expansion.function(Operator.CONDITIONAL, call.arguments[2], step, expansion.identifier(ACCUMULATOR))
    return expansion.comprehension(
        _range(call),
        variables,
        expansion.map(),
        expansion.literal(True, LiteralKind.BOOL),
        step,
        expansion.identifier(ACCUMULATOR),
    )


def _sort_by(expansion: Expansion, call: Call) -> Node:
    target = _range(call)
    sortable = isinstance(meaning(target), (ListLiteral, Select, Identifier, Comprehension, Call))
    if not sortable and not isinstance(target, Hole):
        raise MacroError(
            "sortBy can only be applied to a list, identifier, comprehension, call or select expression", target
        )
    keys = _map_over(expansion, expansion.identifier(SORT_INPUT), call.arguments)
    sort = expansion.function("@sortByAssociatedKeys", keys, target=expansion.identifier(SORT_INPUT))
    return expansion.bind(SORT_INPUT, target, sort)


def _bind(expansion: Expansion, call: Call) -> Node | None:
    if not (isinstance(call.target, Identifier) and variable_name(call.target) == "cel"):
        return None
    variable = _variable(call.arguments[0], "cel.bind() variable names must be simple identifiers")
    return expansion.bind(variable_name(variable), call.arguments[1], call.arguments[2], variable=variable)


def _optional_map(expansion: Expansion, call: Call) -> Node:
    def present(result: Node) -> Node:
        return expansion.function("optional.of", result)

    return _if_present(expansion, call, present)


def _optional_flat_map(expansion: Expansion, call: Call) -> Node:
    return _if_present(expansion, call, lambda result: result)


def _if_present(expansion: Expansion, call: Call, present: Callable[[Node], Node]) -> Node:
    """Return `o.hasValue() ? present(result with the variable standing for o.value()) : optional.none()`."""
    message = f"{call.function}() variable name must be a simple identifier"
    variable = _variable(call.arguments[0], message)
    target = _range(call)
    optional = target if isinstance(target, Identifier) else expansion.identifier(OPTIONAL_TARGET)
    expansion.nodes += 1
    # Facts are kept by node, so the second mention is a node of its own.
    again = Identifier(optional.start, optional.end, optional.position, optional.name, optional.leading_dot)
    value = expansion.function("value", target=again)
    bound = expansion.bind(variable_name(variable), value, call.arguments[1], variable=variable)
    conditional = expansion.function(
        Operator.CONDITIONAL,
        expansion.function("hasValue", target=optional),
        present(bound),
        expansion.function("optional.none"),
    )
    return conditional if optional is target else expansion.bind(OPTIONAL_TARGET, target, conditional)


STANDARD_MACROS = MacroSet(
    {
        ("has", 1, False): _has,
        ("all", 2, True): _all,
        ("exists", 2, True): _exists,
        ("exists_one", 2, True): _exists_one,
        ("map", 2, True): _map,
        ("map", 3, True): _map,
        ("filter", 2, True): _filter,
    }
)
"""The macros of the CEL specification."""

EXTENDED_MACROS = STANDARD_MACROS.extended(
    {
        ("all", 3, True): _all,
        ("exists", 3, True): _exists,
        ("existsOne", 3, True): _exists_one,
        ("exists_one", 3, True): _exists_one,
        ("transformList", 3, True): _transform_list,
        ("transformList", 4, True): _transform_list,
        ("transformMap", 3, True): _transform_map,
        ("transformMap", 4, True): _transform_map,
        ("transformMapEntry", 3, True): _transform_map_entry,
        ("transformMapEntry", 4, True): _transform_map_entry,
        ("sortBy", 2, True): _sort_by,
        ("bind", 3, True): _bind,
        ("optMap", 2, True): _optional_map,
        ("optFlatMap", 2, True): _optional_flat_map,
    }
)
"""Also those of cel-go's two-variable comprehensions, lists, bindings and optional types."""
