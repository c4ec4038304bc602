"""A comparison with the same answer for all values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.names.inspection import calls_in
from kro_ls.cel.syntax import ast
from kro_ls.kro.places import Place
from kro_ls.queries.cells import cached
from kro_ls.rules.diagnostics import Finding, Findings, Severity
from kro_ls.rules.fixes import change_to
from kro_ls.rules.rule import Rule
from kro_ls.rules.surprises.truth import COMPARISONS, Comparisons, possible, schemas_of
from kro_ls.spelling import closest

if TYPE_CHECKING:
    from kro_ls.analysis.model.model import Resource, SchemaSection
    from kro_ls.analysis.names.inspection import Inspection
    from kro_ls.analysis.scope import TypedScope
    from kro_ls.analysis.types.checking import CheckedExpression
    from kro_ls.cel.syntax.ast import Node
    from kro_ls.openapi.cel_types import SchemaTypes
    from kro_ls.rules.diagnostics import Fix


def check(checked: CheckedExpression, part: Resource | SchemaSection, scope: TypedScope) -> Findings:
    """Find the comparisons with a constant answer, and the elements of a list that a value never equals."""
    inspection = checked.expression.inspection
    calls = _comparisons(inspection)
    if not calls:
        return
    schemas = schemas_of(part, scope, checked.expression.place)
    comparisons = Comparisons(checked, schemas, scope.resource_ids)
    if checked.expression.place is Place.READY_WHEN and comparisons.answer(inspection.parsed.root) is False:
        return  # reported by impossible-ready-when
    for call in calls:
        yield from _findings(call, comparisons, checked, schemas)


@cached
def _comparisons(inspection: Inspection) -> tuple[ast.Call, ...]:
    return tuple(node for node in calls_in(inspection) if node.function in COMPARISONS and len(node.arguments) == 2)


def _findings(call: ast.Call, comparisons: Comparisons, checked: CheckedExpression, schemas: SchemaTypes) -> Findings:
    verdict = comparisons.verdict(call)
    if verdict:
        message = f"this is always {str(verdict.answer).lower()}; {verdict.reason}"
        span = checked.expression.span(verdict.node.start, verdict.node.end)
        yield Finding(span, message, fixes=_fixes(verdict.node, call, checked, schemas))
        return
    for element, reason in comparisons.outside(call):
        span = checked.expression.span(element.start, element.end)
        yield Finding(span, f"the value is never this one; {reason}", fixes=_fixes(element, call, checked, schemas))


def _fixes(constant: Node, call: ast.Call, checked: CheckedExpression, schemas: SchemaTypes) -> tuple[Fix, ...]:
    """Return the fix that changes a text to a similar allowed value."""
    if not isinstance(constant, ast.Literal) or not isinstance(constant.value, str):
        return ()
    for operand in call.arguments:
        known = None if operand is constant else possible(operand, checked, schemas)
        if known and known.values:
            texts = tuple(sorted(value for value in known.values if isinstance(value, str)))
            meant = closest(constant.value, texts)
            inner = checked.expression.span(constant.start + 1, constant.end - 1)
            plain = checked.expression.text[constant.start + 1 : constant.end - 1] == constant.value
            return (change_to(inner, meant),) if meant and plain else ()
    return ()


RULE = Rule(
    code="constant-comparison",
    severity=Severity.WARNING,
    summary="A comparison is always true or always false.",
    explanation="""\
The types of both sides fit, so kro accepts the comparison, but its answer does not depend on the values: a field with
an `enum` is compared with a text that the enum does not have, a number with something outside of its `minimum` and
`maximum`, a `size()` with a negative number, an optional or an object with `null`.

kro never gives `null` for a field: one that is null counts as missing, and reading it fails. Ask with
`has(service.spec.selector)` instead of `service.spec.selector != null`.""",
    wrong="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    size: string | default=small enum="small,large"
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
      data:
        replicas: '${schema.spec.size == "big" ? "3" : "1"}'
""",
    right="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    size: string | default=small enum="small,large"
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
      data:
        replicas: '${schema.spec.size == "large" ? "3" : "1"}'
""",
    check_expression=check,
    sees_plain_reads=False,
)
