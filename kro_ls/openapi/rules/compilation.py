"""Compiles validation rules as the API server does when a CustomResourceDefinition is created, with its errors.

Sources: apiextensions-apiserver `pkg/apiserver/schema/cel/compilation.go` and `pkg/apis/apiextensions/validation`;
the checks of literals are cel-go's (`cel/validator.go`, `interpreter/decorators.go`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec import Struct

from kro_ls.cel.cost_estimate import greatest_cost
from kro_ls.cel.cost_of_calls import MOST
from kro_ls.cel.evaluation.program import compile_program
from kro_ls.cel.evaluation.values import EvaluationError
from kro_ls.cel.syntax.ast import Call, ListLiteral, Literal, LiteralKind, MapLiteral, Node, walk
from kro_ls.cel.syntax.macros import meaning
from kro_ls.cel.syntax.parser import line_and_column, parse
from kro_ls.cel.types.check_result import NameReference
from kro_ls.cel.types.checker import check
from kro_ls.cel.types.types import BOOL, DYN, STRING, checker_name, optional_type
from kro_ls.cel.types.unification import Resolution
from kro_ls.golang.re2.pattern_cache import pattern_error
from kro_ls.openapi.plain_cel import plain
from kro_ls.openapi.rules.rule_environment import RULE_LIBRARIES, rule_environment
from kro_ls.openapi.rules.self_declaration import LARGEST_REQUEST, declared_structs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.cel.types.check_result import CheckResult
    from kro_ls.cel.types.declarations import Environment
    from kro_ls.cel.types.types import Type
    from kro_ls.openapi.rules.self_declaration import Declaration

GREATEST_RULE_COST: Final = 10_000_000
GREATEST_TOTAL_COST: Final = 100_000_000


class RuleError(Struct, frozen=True):
    """Why a rule does not compile; `[start, end)` are code points of its text. `plain` is in plain words."""

    start: int
    end: int
    message: str
    plain: str = ""


class CompiledRule(Struct, frozen=True):
    """A rule as the API server sees it. `cost` is that of one evaluation, None where it is unknown."""

    errors: tuple[RuleError, ...]
    uses_old_self: bool = False
    cost: int | None = None


NOTHING_COMPILED: Final = CompiledRule(())
NO_TEXT: Final = "messageExpression must evaluate to a string"


def compile_rule(
    text: str, self_: Declaration, *, old_is_optional: bool = False, is_message: bool = False
) -> CompiledRule:
    """Compile a rule, or its message, about values of a declaration. The old value may be an optional."""
    parsed = parse(text, RULE_LIBRARIES.macro_set)
    if not parsed.is_valid:
        return CompiledRule(tuple(RuleError(each.start, each.end, each.message, each.hint) for each in parsed.errors))
    variables = {"self": self_.type, "oldSelf": optional_type(self_.type) if old_is_optional else self_.type}
    environment = rule_environment().extend(variables, declared_structs(self_))
    checked = check(parsed.root, environment)
    if checked.errors:
        return CompiledRule(
            tuple(
                RuleError(each.start, each.end, each.message, plain(each, text))
                for each in checked.errors
                if not each.is_consequence
            )
        )
    errors = (*_literal_errors(parsed.root, checked),)
    if not errors and is_message and checked.type != STRING:
        errors = (RuleError(0, len(text), NO_TEXT, f"it gives {checker_name(checked.type)}, not a string"),)
    elif not errors and not is_message and checked.type != BOOL:
        message = f"cel expression must evaluate to a bool, this gives {checker_name(checked.type)}"
        errors = (RuleError(0, len(text), message),)
    uses_old_self = any(
        isinstance(each, NameReference) and each.name == "oldSelf" and each.comprehension is None
        for each in checked.references.values()
    )
    cost = None if errors else greatest_cost(parsed.root, checked, self_.most_elements_at)
    return CompiledRule(errors, uses_old_self, cost)


def compile_expression(text: str, environment: Environment) -> tuple[str, Type]:
    """Return why an expression does not compile, as cel-go prints it, and its type."""
    parsed = parse(text, RULE_LIBRARIES.macro_set)
    if not parsed.is_valid:
        return "\n".join(_printed(text, each.line, each.column, each.message) for each in parsed.errors), DYN
    checked = check(parsed.root, environment)
    errors = [(each.position, each.message) for each in checked.errors] or [
        (each.start, each.message.partition(": ")[0]) for each in _literal_errors(parsed.root, checked)
    ]
    printed = (_printed(text, *line_and_column(text, offset), message) for offset, message in errors)
    return "\n".join(printed), DYN if errors else checked.type


def _printed(text: str, line: int, column: int, message: str) -> str:
    """Return an error above the line that it is in."""
    shown = text.split("\n")[line - 1].replace("\t", " ")
    return f"ERROR: <input>:{line}:{column}: {message}\n | {shown}\n | {'.' * (column - 1)}^"


def total_cost(cost: int, most_values: int | None, self_: Declaration) -> int:
    """Return the cost of a rule for a whole object with `most_values` values, None where no schema bounds them."""
    count = LARGEST_REQUEST // (self_.least_bytes + 1) if most_values is None else most_values
    return min(cost * count, MOST)


def _literal_errors(root: Node, checked: CheckResult) -> Iterator[RuleError]:
    for node in walk(root):
        match node:
            case ListLiteral():
                yield from _mixed(node.elements, node.optional_indices, checked)
            case MapLiteral():
                optional = tuple(number for number, entry in enumerate(node.entries) if entry.optional)
                yield from _mixed(tuple(entry.key for entry in node.entries), (), checked)
                yield from _mixed(tuple(entry.value for entry in node.entries), optional, checked)
            case Call():
                yield from _call_errors(node, checked)


def _mixed(elements: tuple[Node, ...], optional: tuple[int, ...], checked: CheckResult) -> Iterator[RuleError]:
    """Find the first element whose type differs from the previous one; dyn is a type of its own here."""
    expected = None
    for number, element in enumerate(elements):
        type_ = checked.types.get(meaning(element))
        if type_ is None:
            continue
        if number in optional and type_.parameters:
            type_ = type_.parameters[0]
        if expected is not None and type_ != expected and not (type_.is_generic or expected.is_generic):
            message = f"expected type '{checker_name(expected)}' but found '{checker_name(type_)}'"
            yield RuleError(element.start, element.end, message)
            return
        expected = expected or type_


_CONVERSIONS: Final = frozenset({"bool", "bytes", "double", "duration", "int", "string", "timestamp", "uint"})
_SEARCHES: Final = frozenset({"matches", "find", "findAll"})


def _call_errors(node: Call, checked: CheckResult) -> Iterator[RuleError]:
    """Find patterns and conversions of literals that fail whenever they are evaluated."""
    if not isinstance(checked.references.get(node), Resolution) or not node.arguments:
        return
    if node.function in _SEARCHES:
        patterns = [node.arguments[0 if node.target is not None else -1]]
        if node.function == "matches":
            patterns = [node.arguments[0], patterns[0]]  # `matches(text, pattern)` checks the text as well
        for pattern in dict.fromkeys(patterns):
            problem = _pattern_problem(pattern)
            if problem:
                yield RuleError(pattern.start, pattern.end, f"invalid {node.function} argument: {problem}")
    elif node.function in _CONVERSIONS and node.target is None and isinstance(node.arguments[0], Literal):
        try:
            compile_program(node, RULE_LIBRARIES, checked).evaluate({})
        except EvaluationError as error:
            argument = node.arguments[0]
            yield RuleError(argument.start, argument.end, f"invalid {node.function} argument: {error.message}")


def _pattern_problem(node: Node) -> str:
    if not isinstance(node, Literal) or node.kind is not LiteralKind.STRING:
        return ""
    error = pattern_error(str(node.value))
    return error.message if error else ""
