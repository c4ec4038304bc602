"""What the rules about types share: the checked expressions of a part, its template's problems, and their messages.

Messages show the types of objects by the path that leads there, never by the names that kro makes up.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from kro_ls.analysis.crd.generate import holds_broken_fields
from kro_ls.analysis.facts import instance_paths_of
from kro_ls.analysis.model.model import Resource
from kro_ls.analysis.model.paths import format_path, short_path
from kro_ls.analysis.names.inspection import calls_in
from kro_ls.analysis.names.references import allowed_meanings, meaning
from kro_ls.analysis.scope import cut_down
from kro_ls.analysis.types.checking import CheckedExpression, Types, check_part, mismatch
from kro_ls.analysis.types.template import TemplateFault, template_problems
from kro_ls.cel.syntax import ast
from kro_ls.cel.types.check_result import CheckError, ErrorKind, undefined_type
from kro_ls.cel.types.types import ANY, Kind, Type
from kro_ls.golang.quoting import go_quoted
from kro_ls.kro.places import Place
from kro_ls.openapi.cel_types import ELEMENT, TYPE_NAME_PREFIX, VALUE, SchemaRoot
from kro_ls.openapi.kind_schema import CRD
from kro_ls.openapi.plain_cel import type_name
from kro_ls.queries.cells import cached
from kro_ls.rules.diagnostics import Finding
from kro_ls.spelling import closest

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kro_ls.analysis.model.expressions import Expression
    from kro_ls.analysis.model.model import SchemaSection
    from kro_ls.analysis.names.inspection import Inspection
    from kro_ls.analysis.scope import TypedScope
    from kro_ls.analysis.types.checking import Checked, FindStruct, Mismatch
    from kro_ls.analysis.types.template import TemplateProblem
    from kro_ls.cel.types.check_result import CheckResult
    from kro_ls.golang.re2.pattern_errors import PatternError
    from kro_ls.openapi.kind_schema import KindSchema
    from kro_ls.yaml_positions.nodes import Node


def checked_expressions(part: Resource | SchemaSection, scope: TypedScope) -> tuple[CheckedExpression, ...]:
    """Return the part's expressions with their types, without those that have an error of another kind.

    Such errors are wrong names and functions, and strings with an expression in fields that take no text.
    """
    checked = check_part(part, scope.bindings, scope.kind)
    wrong = _wrong(part, scope.kind, scope.resource_ids, scope.omit_enabled)
    return tuple([each for each in checked if each.expression not in wrong]) if wrong else checked


def can_be_iterated(part: Resource | SchemaSection, result: Type) -> bool:
    """Whether a `forEach` takes a result of this type. If not, one rule reports that and the others stay silent."""
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
    """Return the type errors of an expression, without the consequences of others."""
    result = checked.result
    found: Sequence[CheckError] = [error for error in result.errors if not error.is_consequence]
    if not found:
        found = sorted(_variables_of_types(result), key=lambda error: error.position)
    return tuple(found)


def _variables_of_types(result: CheckResult) -> Iterator[CheckError]:
    """Yield an error for each use of a macro's variable that holds a type: kro checks it, but cannot compile it."""
    for node, reference in result.names_of_types:
        if reference.comprehension is not None:
            message = undefined_type(reference.name)
            yield CheckError(ErrorKind.UNDEFINED_TYPE, message, node.position, node.start, node.end, node)


def root_name(node: ast.Node | ast.StructField) -> str | None:
    """Return the name at the root of a chain of selections, calls and indices; None for other nodes."""
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
    """Return the template's problems by the schema of its kind; none for external references and CRDs."""
    if kind is None or resource.template is None or resource.object is None:
        return ()
    return () if kind.name == CRD else _problems(resource, resource.template, kind)


@cached
def _problems(resource: Resource, template: Node, kind: KindSchema) -> tuple[TemplateProblem, ...]:
    return template_problems(template, kind, resource.dialect)


def uses_unknown_types(checked: CheckedExpression, part: Resource | SchemaSection, scope: TypedScope) -> bool:
    """Whether an expression uses an object of an unknown kind, or reads faulty fields of the instance.

    If so, its `dyn` only means that we do not know the type. What kro itself treats as untyped is `any`.
    """
    inspection = checked.expression.inspection
    names = {use.name for use in inspection.names}
    if "each" in names and scope.kind is None:
        return True
    used = {name: binding for name, binding in scope.bindings.items() if name in names}
    if any(isinstance(binding, Type) and binding is not ANY for binding in used.values()):
        return True
    instance = used.get("schema")
    if not isinstance(instance, SchemaRoot) or not part.sees_instance:
        return False
    properties = cut_down(instance, instance_paths_of(inspection)).schema.get("properties")
    return isinstance(properties, dict) and holds_broken_fields(properties.get("spec"))


def is_left_to_runtime(part: Resource | SchemaSection, type_: Type) -> bool:
    """Whether kro checks the value at run time instead: a `dyn` in a Graph, but not a value without any type."""
    return isinstance(part, Resource) and part.form.defers_types and type_.kind is Kind.DYN


_COMPILED_AHEAD = frozenset({"find", "findAll"})


@cached
def refused_patterns(inspection: Inspection) -> tuple[tuple[ast.Literal, PatternError], ...]:
    """Return the invalid patterns that kro compiles when it reads an RGD, because they are literals."""
    return tuple(_refused_patterns(inspection))


def _refused_patterns(inspection: Inspection) -> Iterator[tuple[ast.Literal, PatternError]]:
    for node in calls_in(inspection):
        if node.target is None or node.function not in _COMPILED_AHEAD:
            continue
        pattern = node.arguments[0] if node.arguments else None
        if isinstance(pattern, ast.Literal) and isinstance(pattern.value, str):
            from kro_ls.golang.re2.pattern_cache import pattern_error

            error = pattern_error(pattern.value)
            if error:
                yield pattern, error


KRO_MESSAGE = (
    'type mismatch in resource "{id}" at path "{path}": expression {expression} returns type "{output}" '
    'but expected "{expected}": {problem}'
)


def mismatch_finding(
    checked: CheckedExpression, part: Resource | SchemaSection, scope: TypedScope, expected: Type
) -> Finding | None:
    """Return the finding about an expression whose result a field of type `expected` does not take, else None."""
    if checked.result.type is expected:  # as of most fields: both are a text, or a number
        return None
    find_struct = Types(scope.bindings).find_struct
    found = mismatch(checked.result.type, expected, find_struct)
    if found is None:
        return None
    expression = checked.expression
    kro_message = KRO_MESSAGE.format(
        id=part.id if isinstance(part, Resource) else "",
        path=format_path(expression.path),
        expression=go_quoted(expression.text),
        output=checked.result.type,
        expected=expected,
        problem=found.message,
    )
    message = _message(short_path(expression.path), found, find_struct)
    return Finding(expression.span(0, len(expression.text)), message, kro_message=kro_message)


def _message(field: str, found: Mismatch, find_struct: FindStruct) -> str:
    inner = "".join(step if step.startswith("[") else f".{step}" for step in found.path)
    wanted = find_struct(found.expected.name)
    if found.is_unknown_field and wanted:
        meant = closest(found.path[-1], wanted.fields)
        advice = f"; did you mean '{meant}'?" if meant else ""
        return f"unknown field '{found.path[-1]}' in the value for '{field}'{advice}"
    return f"'{field}{inner}' needs {type_name(found.expected)}, but this gives {type_name(found.output)}"


_OBJECT: Final = rf"{TYPE_NAME_PREFIX}([\w.@]+)"


def shown(message: str) -> str:
    """Return a message with paths for type names: `list(config[])` for `list(__type_config.@idx)`."""
    if TYPE_NAME_PREFIX not in message:
        return message
    return re.sub(_OBJECT, lambda found: found[1].replace(f".{ELEMENT}", "[]").replace(f".{VALUE}", "{}"), message)


def of_each(expression: Expression, node: ast.Select) -> tuple[str, int]:
    """Return a call that selects from each item of a list instead of the list, and where the selections end.

    For `names.metadata.name` it is `.map(x, x.metadata.name)`, which replaces everything after `names`.
    """
    last = node
    variable = "x"
    for each in ast.walk(expression.inspection.parsed.root):
        if isinstance(each, ast.Select) and each.operand is last:
            last = each
        elif isinstance(each, ast.Identifier) and each.name == "x":
            variable = "item"
    selected = expression.text[node.operand.end : last.end].strip()
    return f".map({variable}, {variable}{selected})", last.end
