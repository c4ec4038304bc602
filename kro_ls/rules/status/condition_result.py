"""An entry of `status.conditions` that gives no condition.

Source: kro `pkg/graph/conditions.go`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.cel.types.types import Kind
from kro_ls.kro.library import CONDITION
from kro_ls.kro.places import Place
from kro_ls.kro.versions.history import CONDITIONS
from kro_ls.kro.versions.version import Versions
from kro_ls.openapi.plain_cel import type_name
from kro_ls.rules.diagnostics import Finding, Findings, Severity
from kro_ls.rules.rule import Rule

if TYPE_CHECKING:
    from kro_ls.analysis.model.model import Resource, SchemaSection
    from kro_ls.analysis.scope import Scope
    from kro_ls.analysis.types.checking import CheckedExpression
    from kro_ls.cel.types.types import Type

_NO_CONDITION = 'condition expressions must return runtime.newCondition(...) or a list of them, got "{type}"'


def check(checked: CheckedExpression, _part: Resource | SchemaSection, _scope: Scope) -> Findings:
    """Find entries whose result is neither a condition nor a list of conditions."""
    result = checked.result.type
    if not _is_condition(result) and not (result.kind is Kind.LIST and _is_condition(result.parameters[0])):
        message = (
            f"a condition needs 'runtime.newCondition(...)' or a list of these, but this gives {type_name(result)}"
        )
        span = checked.expression.span(0, len(checked.expression.text))
        yield Finding(span, message, kro_message=_NO_CONDITION.format(type=result))


def _is_condition(result: Type) -> bool:
    return result.is_dynamic or result == CONDITION


RULE = Rule(
    code="condition-result",
    severity=Severity.ERROR,
    summary="An entry of status.conditions does not give a condition.",
    explanation="""\
Each entry of `status.conditions` makes a condition with `runtime.newCondition({...})`, or a list of them.""",
    wrong="""\
schema:
  apiVersion: v1alpha1
  kind: App
  status:
    conditions:
      - ${schema.metadata.name}
""",
    right="""\
schema:
  apiVersion: v1alpha1
  kind: App
  status:
    conditions:
      - '${runtime.newCondition({type: "Named", status: schema.metadata.name != "" ? "True" : "False"})}'
""",
    check_expression=check,
    places=frozenset({Place.CONDITION}),
    versions=Versions(since=CONDITIONS),
    kro_messages=(_NO_CONDITION,),
)
