"""The checked expressions of a part, for the rules about types."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.model.model import Resource
from kro_ls.analysis.names.references import allowed_meanings, meaning
from kro_ls.analysis.types.checking import CheckedExpression, check_part
from kro_ls.analysis.types.template import TemplateFault, template_problems
from kro_ls.cel.syntax import ast
from kro_ls.cel.types.check_result import ErrorKind, UnplacedError, names_of_types, place, undefined_type
from kro_ls.cel.types.types import Kind
from kro_ls.kro.places import Place
from kro_ls.openapi.kind_schema import CRD
from kro_ls.queries.cells import cached

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kro_ls.analysis.model.expressions import Expression
    from kro_ls.analysis.model.model import SchemaSection
    from kro_ls.analysis.scope import Scope
    from kro_ls.analysis.types.checking import Checked
    from kro_ls.analysis.types.template import TemplateProblem
    from kro_ls.cel.types.check_result import CheckError, CheckResult
    from kro_ls.cel.types.types import Type
    from kro_ls.openapi.kind_schema import KindSchema
    from kro_ls.yaml_positions.nodes import Node


def checked_expressions(part: Resource | SchemaSection, scope: Scope) -> tuple[CheckedExpression, ...]:
    """Return the part's expressions with their types, without those that are in error for another reason.

    That is a name or function that is wrong, or a string with an expression in a field that takes no text.
    """
    checked = check_part(part, scope.bindings, scope.kind)
    wrong = _wrong(part, scope.kind, scope.resource_ids, scope.omit_enabled)
    return tuple([each for each in checked if each.expression not in wrong]) if wrong else checked


def can_be_iterated(part: Resource | SchemaSection, result: Type) -> bool:
    """Whether a `forEach` takes a result of this type: of one that it refuses, no rule says more."""
    takes_maps = isinstance(part, Resource) and part.collection.takes_maps
    return result.kind is Kind.LIST or result.is_dynamic or (takes_maps and result.kind is Kind.MAP)


@cached
def _wrong(
    part: Resource | SchemaSection, kind: KindSchema | None, resource_ids: frozenset[str], omit_enabled: bool
) -> frozenset[Expression]:
    faults = template_faults(part, kind) if isinstance(part, Resource) else ()
    faulty = {problem.node for problem in faults if problem.fault is TemplateFault.WRONG_TYPE}
    return frozenset(
        each
        for each in part.expressions
        if each.scalar in faulty or not _is_well_named(each, part, resource_ids, omit_enabled)
    )


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


@cached  # many resources can have the same expression
def causes(checked: Checked) -> tuple[CheckError, ...]:
    """Return the type errors of an expression, without those that only follow from others."""
    result = checked.result
    found: Sequence[CheckError] = [error for error in result.errors if not error.is_consequence]
    if not found:
        found = place([*_variables_of_types(result)], checked.inspection.text)
    return tuple(found)


def _variables_of_types(result: CheckResult) -> Iterator[UnplacedError]:
    """Yield an error for each use of a macro's variable that holds a type: kro checks it, but cannot compile it."""
    for node, reference in names_of_types(result):
        if reference.comprehension is not None:
            message, span = undefined_type(reference.name), (node.start, node.end)
            yield UnplacedError(ErrorKind.UNDEFINED_TYPE, message, node.position, span, node)


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


def template_faults(resource: Resource, kind: KindSchema | None) -> tuple[TemplateProblem, ...]:
    """Return the template's problems; external references and CRDs are not walked along their schema."""
    if kind is None or resource.template is None or resource.object is None:
        return ()
    return () if kind.name == CRD else _problems(resource, resource.template, kind)


@cached
def _problems(resource: Resource, template: Node, kind: KindSchema) -> tuple[TemplateProblem, ...]:
    return template_problems(template, kind, resource.dialect)
