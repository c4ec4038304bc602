"""A `readyWhen` or `includeWhen` that does not give a bool.

Source: kro `pkg/graph/builder.go`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.model.model import Resource
from kro_ls.cel.types.types import BOOL, optional_type
from kro_ls.golang.quoting import go_quoted
from kro_ls.kro.places import BOOL_PLACES
from kro_ls.kro.versions.history import GRAPHS
from kro_ls.openapi.plain_cel import type_name
from kro_ls.rules.diagnostics import Finding, Findings, Severity
from kro_ls.rules.rule import Repair, Rule
from kro_ls.rules.types.typed import is_left_to_runtime, uses_unknown_types

if TYPE_CHECKING:
    from kro_ls.analysis.model.model import SchemaSection
    from kro_ls.analysis.scope import TypedScope
    from kro_ls.analysis.types.checking import CheckedExpression
    from kro_ls.cel.types.types import Type

_NOT_BOOL = (
    '{place} expression {expression} in resource "{id}" must return bool or optional_type(bool), but returns "{type}"'
)


def check(checked: CheckedExpression, part: Resource | SchemaSection, scope: TypedScope) -> Findings:
    """Find conditions whose result is neither bool nor optional bool."""
    result = checked.result.type
    content = result.parameters[0] if result.is_optional else result
    if content.is_dynamic and (uses_unknown_types(checked, part, scope) or is_left_to_runtime(part, result)):
        return
    if not BOOL.accepts(result) and not optional_type(BOOL).accepts(result):
        place, text = checked.expression.place.value, checked.expression.text
        message = f"{place} needs bool, but this gives {type_name(result)}{_advice(result)}"
        id_ = part.id if isinstance(part, Resource) else ""
        kro_message = _NOT_BOOL.format(place=place, expression=go_quoted(text), id=id_, type=result)
        yield Finding(checked.expression.span(0, len(text)), message, kro_message=kro_message)


def _advice(result: Type) -> str:
    return "; compare it, for example with '== true'" if result.is_dynamic else ""


RULE = Rule(
    code="condition-type",
    severity=Severity.ERROR,
    summary="A condition does not give true or false.",
    explanation="""\
`readyWhen` and `includeWhen` need `bool` or an optional `bool`. A value whose type is not known (`dyn`, for example
from a field that keeps unknown fields) is not taken either: compare it with `== true`.""",
    wrong="""\
resources:
  - id: config
    includeWhen:
      - ${schema.metadata.name}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
""",
    right="""\
resources:
  - id: config
    includeWhen:
      - ${schema.metadata.name != ""}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
""",
    check_expression=check,
    places=BOOL_PLACES,
    in_graphs=GRAPHS,
    repairs=(Repair.CONDITION,),
    kro_messages=(_NOT_BOOL,),
)
