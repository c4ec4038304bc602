"""A field that a value does not have.

Source: cel-go `checker/checker.go`; the fields are those of the OpenAPI schema.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from kro_ls.cel.syntax import ast
from kro_ls.cel.types.check_result import ErrorKind
from kro_ls.cel.types.types import Kind
from kro_ls.kro.versions.history import GRAPHS
from kro_ls.openapi.plain_cel import type_name
from kro_ls.queries.cells import cached
from kro_ls.rules.diagnostics import Finding, Findings, Related, ResourceDeclaration, Severity
from kro_ls.rules.fixes import change_to
from kro_ls.rules.rule import InTemplates, Repair, Rule
from kro_ls.rules.types.typed import of_each, root_name
from kro_ls.spelling import closest, listed
from kro_ls.yaml_positions.scalars.resolution import ScalarStyle, resolve

if TYPE_CHECKING:
    from kro_ls.analysis.scope import TypedScope
    from kro_ls.analysis.types.checking import Checked, CheckedExpression
    from kro_ls.cel.types.check_result import CheckError


_KINDS = frozenset({ErrorKind.UNDEFINED_FIELD, ErrorKind.UNSELECTABLE, ErrorKind.UNKNOWN_STRUCT})


def check(checked: CheckedExpression, error: CheckError, scope: TypedScope) -> Findings:
    """Find selections of fields that the type of the operand does not have."""
    root = root_name(error.node)
    if root == "schema" and scope.schema_damaged:
        return  # reported as the damage
    fields = _fields(checked.checked, error)
    name = checked.expression.text[error.start : error.end].strip("`")
    meant, general_advice = _meant(name, fields, may_be_misspelt=error.kind is ErrorKind.UNDEFINED_FIELD)
    span = checked.expression.span(error.start, error.end)
    fixes = (change_to(span, meant),) if meant else ()
    related: tuple[Related, ...] = ()
    if root in scope.resource_ids:
        related = (Related(ResourceDeclaration(root), f"'{root}' is declared here"),)
    message = _of_selected(checked, error, scope) or f"unknown field '{name}'{general_advice}"
    yield Finding(span, message, related, fixes, kro_message=error.message)


@lru_cache(maxsize=8)  # when a field is renamed, all its readers ask for the same name
def _meant(name: str, fields: tuple[str, ...], *, may_be_misspelt: bool) -> tuple[str | None, str]:
    """Return the field that is meant, None if no name is similar, and general advice."""
    meant = closest(name, fields) if may_be_misspelt else None
    return meant, _of_truth(name, fields) or _advice(meant, fields)


def _of_selected(checked: CheckedExpression, error: CheckError, scope: TypedScope) -> str:
    """Return the message for a selection from a value without fields; for a list, with the right form."""
    node = error.node
    if error.kind is not ErrorKind.UNSELECTABLE or not isinstance(node, ast.Select):
        return ""
    name = checked.expression.text[node.operand.start : node.operand.end]
    if error.types[0].kind is not Kind.LIST:
        return f"'{node.field}' cannot be read: {type_name(error.types[0])} has no fields"
    what = "a collection" if name in scope.resource_ids else "a list"
    return f"'{node.field}' cannot be read of {what}; write '{name}{of_each(checked.expression, node)[0]}'"


def _of_truth(name: str, fields: tuple[str, ...]) -> str:
    """Return why a field is missing whose name is a boolean in YAML, such as `on`."""
    value = resolve(name, ScalarStyle.PLAIN, None).value
    known = f"__{str(value).lower()}__"
    if not isinstance(value, bool) or known not in fields:
        return ""
    return f"; YAML reads it as {str(value).lower()} where it is declared: quote it there"


def _advice(meant: str | None, fields: tuple[str, ...]) -> str:
    if meant:
        return f"; did you mean '{meant}'?"
    if fields and len(fields) <= 8:
        return f"; the fields here are {listed(sorted(fields), 'and')}"
    return ""


@cached  # many resources can have the same expression
def _fields(checked: Checked, error: CheckError) -> tuple[str, ...]:
    """Return the fields of the operand."""
    for selected in error.types:
        struct = checked.environment.find_struct(selected.name) if selected.kind is Kind.STRUCT else None
        if struct:
            return tuple(struct.fields)
    return ()


RULE = Rule(
    code="undefined-field",
    severity=Severity.ERROR,
    summary="An expression selects a field that is not there.",
    explanation="""\
kro checks every field in an expression against the schema of the resource, or against what `spec.schema.spec` declares
for `schema`. `schema` has no `status`, and inside `?.` a field must exist in the schema as well.""",
    wrong="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
      data:
        key: ${schema.metadata.nam}
""",
    right="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
      data:
        key: ${schema.metadata.name}
""",
    check_error=check,
    errors=_KINDS,
    in_graphs=GRAPHS,
    in_templates=InTemplates.UNLESS_TEXT_IS_ADDED,
    repairs=(Repair.UNDEFINED_FIELD,),
    kro_messages=(
        "undefined field '{name}'",
        "type '{type}' does not support field selection",
        "unexpected failed resolution of '{type}'",
    ),
)
