"""The checked expressions of a part, for the rules about types."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from kro_ls.analysis.memory import remembered
from kro_ls.analysis.model.model import Resource
from kro_ls.analysis.names.references import allowed_meanings, meaning
from kro_ls.analysis.types.checking import CheckedExpression, check_part
from kro_ls.analysis.types.template import TemplateFault
from kro_ls.cel.syntax import ast
from kro_ls.kro.places import Place
from kro_ls.rules.types.shown import shown
from kro_ls.rules.types.template_faults import template_faults

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.model.expressions import Expression
    from kro_ls.analysis.model.model import SchemaSection
    from kro_ls.analysis.scope import Scope
    from kro_ls.analysis.types.checking import Checked
    from kro_ls.cel.types.check_result import CheckError, ErrorKind
    from kro_ls.yaml_positions.nodes import Node


def checked_expressions(part: Resource | SchemaSection, scope: Scope) -> tuple[CheckedExpression, ...]:
    """Return the part's expressions with their types, without those that are in error for another reason.

    That is a name or function that is wrong, or a string with an expression in a field that takes no text.
    """
    return _checked(part, scope) if part.expressions else ()  # most fields have none, and nothing is kept for them


@remembered  # every rule about types asks, one after the other, for the same part
def _checked(part: Resource | SchemaSection, scope: Scope) -> tuple[CheckedExpression, ...]:
    faulty = _faulty_values(part, scope)
    badly_named = _badly_named(part, scope.resource_ids, scope.omit_enabled)
    return tuple(
        checked
        for checked in check_part(part, scope.bindings, scope.kind)
        if checked.expression.scalar not in faulty and checked.expression not in badly_named
    )


def _faulty_values(part: Resource | SchemaSection, scope: Scope) -> frozenset[Node]:
    if not isinstance(part, Resource):
        return frozenset()
    faults = template_faults(part, scope)
    return frozenset(problem.node for problem in faults if problem.fault is TemplateFault.WRONG_TYPE)


@remembered
def _badly_named(
    part: Resource | SchemaSection, resource_ids: frozenset[str], omit_enabled: bool
) -> tuple[Expression, ...]:
    return tuple(each for each in part.expressions if not _is_well_named(each, part, resource_ids, omit_enabled))


def _is_well_named(
    expression: Expression, part: Resource | SchemaSection, resource_ids: frozenset[str], omit_enabled: bool
) -> bool:
    inspection = expression.inspection
    allowed = allowed_meanings(expression.place, part)
    return (
        not inspection.unknown_functions
        and not (inspection.omit_calls and not (omit_enabled and expression.place is Place.TEMPLATE))
        and all(meaning(use.name, part, resource_ids) in allowed for use in inspection.names)
    )


def check_errors(
    part: Resource | SchemaSection, scope: Scope, kinds: frozenset[ErrorKind]
) -> Iterator[tuple[CheckedExpression, CheckError]]:
    """Yield the type errors of some kinds; what only follows from another error is left out."""
    for checked, error in _errors(part, scope) if part.expressions else ():
        if error.kind in kinds:
            yield checked, error


@remembered
def _errors(part: Resource | SchemaSection, scope: Scope) -> tuple[tuple[CheckedExpression, CheckError], ...]:
    faulty = [checked for checked in _checked(part, scope) if checked.result.errors]
    return tuple([(checked, error) for checked in faulty for error in _causes(checked.checked)])


@remembered  # many resources can have the same expression
def _causes(checked: Checked) -> tuple[CheckError, ...]:
    causes = [error for error in checked.result.errors if not error.is_consequence]
    return tuple([replace(error, message=shown(error.message)) for error in causes])


def root_name(node: ast.Node | ast.StructField) -> str | None:
    """Return the name that a chain of selections, calls and indices begins with, None for anything else."""
    while True:
        if type(node) is ast.Select:
            node = node.operand
        elif isinstance(node, ast.Call) and node.target is not None:
            node = node.target
        elif isinstance(node, ast.Call) and node.function in (ast.Operator.INDEX, ast.Operator.OPTIONAL_INDEX):
            node = node.arguments[0]
        else:
            return node.name if isinstance(node, ast.Identifier) else None
