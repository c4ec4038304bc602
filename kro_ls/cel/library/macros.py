"""The expansion of macros (cel-go `parser/macro.go`, `ext/`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.cel.syntax.ast import (
    Call,
    Comprehension,
    Hole,
    Identifier,
    ListLiteral,
    LiteralKind,
    Node,
    Operator,
    Select,
)
from kro_ls.cel.syntax.macros import ACCUMULATOR, Expansion, MacroError, meaning

if TYPE_CHECKING:
    from collections.abc import Callable

_OLD_ACCUMULATOR = "__result__"
_OPTIONAL_TARGET = "@target"
_SORT_INPUT = "@__sortBy_input__"


def _variable(argument: Node, message: str) -> Identifier:
    if not isinstance(argument, Identifier):
        raise MacroError(message, argument)
    return argument


def _iteration_variable(argument: Node, message: str) -> Identifier:
    variable = _variable(argument, message)
    _refuse_accumulator(variable)
    return variable


def _refuse_accumulator(variable: Identifier) -> None:
    if variable.declared_name in (ACCUMULATOR, _OLD_ACCUMULATOR):
        raise MacroError("iteration variable overwrites accumulator variable", variable)


def _iteration_variables(call: Call) -> tuple[Identifier, Identifier]:
    message = "argument must be a simple name"
    first, second = (_variable(argument, message) for argument in call.arguments[:2])
    if first.declared_name == second.declared_name:
        raise MacroError(f"duplicate variable name: {first.declared_name}", second)
    _refuse_accumulator(first)
    _refuse_accumulator(second)
    return first, second


def _range(call: Call) -> Node:
    if call.target is None:
        raise ValueError("a receiver macro needs a receiver")
    return call.target


def expand_has(expansion: Expansion, call: Call) -> Node:
    """Return the selection that tests for the field."""
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


def expand_all(expansion: Expansion, call: Call) -> Node:
    """Return the loop that ends at the first element for which the predicate is false."""
    variables, predicate = _quantifier_arguments(call)
    return expansion.comprehension(
        _range(call),
        variables,
        expansion.literal(True, LiteralKind.BOOL),
        expansion.function(Operator.NOT_STRICTLY_FALSE, expansion.identifier(ACCUMULATOR)),
        expansion.function(Operator.AND, expansion.identifier(ACCUMULATOR), predicate),
        expansion.identifier(ACCUMULATOR),
    )


def expand_exists(expansion: Expansion, call: Call) -> Node:
    """Return the loop that ends at the first element for which the predicate is true."""
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


def expand_exists_one(expansion: Expansion, call: Call) -> Node:
    """Return the loop that counts the elements for which the predicate is true."""
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


def expand_map(expansion: Expansion, call: Call) -> Node:
    """Return the loop that collects what each element becomes."""
    return _map_over(expansion, _range(call), call.arguments)


def _map_over(expansion: Expansion, elements: Node, arguments: tuple[Node, ...]) -> Node:
    variable = _iteration_variable(arguments[0], "argument is not an identifier")
    predicate = arguments[1] if len(arguments) == 3 else None
    return _append_where(expansion, elements, (variable,), arguments[-1], predicate)


def expand_filter(expansion: Expansion, call: Call) -> Node:
    """Return the loop that collects the elements for which the predicate is true."""
    variable = _iteration_variable(call.arguments[0], "argument is not an identifier")
    return _append_where(expansion, _range(call), (variable,), variable, call.arguments[1])


def expand_transform_list(expansion: Expansion, call: Call) -> Node:
    """Return the loop with two variables that collects what each entry becomes."""
    variables = _iteration_variables(call)
    predicate = call.arguments[2] if len(call.arguments) == 4 else None
    return _append_where(expansion, _range(call), variables, call.arguments[-1], predicate)


def expand_transform_map(expansion: Expansion, call: Call) -> Node:
    """Return the loop with two variables that inserts what each value becomes under its key."""
    variables = _iteration_variables(call)
    key = expansion.identifier(variables[0].declared_name)
    return _insert_where(expansion, call, variables, (key, call.arguments[-1]))


def expand_transform_map_entry(expansion: Expansion, call: Call) -> Node:
    """Return the loop with two variables that inserts the entry that each entry becomes."""
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


def expand_sort_by(expansion: Expansion, call: Call) -> Node:
    """Return the call that sorts the list by the list of its keys."""
    target = _range(call)
    sortable = isinstance(meaning(target), (ListLiteral, Select, Identifier, Comprehension, Call))
    if not sortable and not isinstance(target, Hole):
        raise MacroError(
            "sortBy can only be applied to a list, identifier, comprehension, call or select expression", target
        )
    keys = _map_over(expansion, expansion.identifier(_SORT_INPUT), call.arguments)
    sort = expansion.function("@sortByAssociatedKeys", keys, target=expansion.identifier(_SORT_INPUT))
    return expansion.bind(_SORT_INPUT, target, sort)


def expand_bind(expansion: Expansion, call: Call) -> Node | None:
    """Return the binding of `cel.bind`; None on another receiver."""
    if not (isinstance(call.target, Identifier) and call.target.declared_name == "cel"):
        return None
    variable = _variable(call.arguments[0], "cel.bind() variable names must be simple identifiers")
    return expansion.bind(variable.declared_name, call.arguments[1], call.arguments[2], variable=variable)


def expand_optional_map(expansion: Expansion, call: Call) -> Node:
    """Return the optional of what the value becomes, if there is one."""

    def present(result: Node) -> Node:
        return expansion.function("optional.of", result)

    return _if_present(expansion, call, present)


def expand_optional_flat_map(expansion: Expansion, call: Call) -> Node:
    """Return the optional that the value becomes, if there is one."""
    return _if_present(expansion, call, lambda result: result)


def _if_present(expansion: Expansion, call: Call, present: Callable[[Node], Node]) -> Node:
    """Return `o.hasValue() ? present(result with the variable standing for o.value()) : optional.none()`."""
    message = f"{call.function}() variable name must be a simple identifier"
    variable = _variable(call.arguments[0], message)
    target = _range(call)
    optional = target if isinstance(target, Identifier) else expansion.identifier(_OPTIONAL_TARGET)
    expansion.nodes += 1
    # Facts are stored by node, so the second mention is a node of its own.
    again = Identifier(optional.start, optional.end, optional.position, optional.name, optional.leading_dot)
    value = expansion.function("value", target=again)
    bound = expansion.bind(variable.declared_name, value, call.arguments[1], variable=variable)
    conditional = expansion.function(
        Operator.CONDITIONAL,
        expansion.function("hasValue", target=optional),
        present(bound),
        expansion.function("optional.none"),
    )
    return conditional if optional is target else expansion.bind(_OPTIONAL_TARGET, target, conditional)
