"""A use of `omit()` where kro does not allow it.

Source: kro `pkg/graph/builder.go` and `pkg/features` (gate CELOmitFunction, off by default).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.kro.feature_gates import OMIT
from kro_ls.kro.places import OBJECT_PLACES, STATUS_PLACES, Place
from kro_ls.rules.diagnostics import Finding, Severity
from kro_ls.rules.rule import Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.model.expressions import Expression
    from kro_ls.analysis.model.model import Resource, SchemaSection
    from kro_ls.analysis.scope import Scope

_NEVER = STATUS_PLACES | {Place.READY_WHEN}


def check(part: Resource | SchemaSection, scope: Scope) -> Iterator[Finding]:
    """Find the refused uses of omit()."""
    for expression in part.expressions:
        inspection = expression.inspection
        message = _refusal(expression, scope) if inspection.omit_calls and not inspection.parsed.errors else None
        if message:
            yield from (Finding(expression.span(call.start, call.end), message) for call in inspection.omit_calls)


def _refusal(expression: Expression, scope: Scope) -> str | None:
    place = expression.place
    if place in _NEVER or (place is Place.FOR_EACH and scope.omit_enabled):
        return f"omit() can only be used in resource template expressions, not in {place.value}"
    if not scope.omit_enabled:
        return f"omit() requires the {OMIT.name} feature gate to be enabled; it is off by default"
    if place in OBJECT_PLACES and expression.path == ("metadata", "name"):
        return (
            'omit() cannot be used at path "metadata.name" — the field is required and must resolve to a concrete value'
        )
    return None


RULE = Rule(
    code="omit-not-allowed",
    severity=Severity.ERROR,
    summary="omit() is used where kro does not allow it.",
    explanation="""\
`omit()` leaves a field out of a template. The cluster's administrator has to turn it on with the feature gate
`CELOmitFunction`; a setting tells kro-ls that it is on. Even then it works in templates only, and not for the name of
an object.""",
    wrong="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
      data:
        color: ${omit()}
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
        color: none
""",
    check_resource=check,
    reads=frozenset({"omit_enabled"}),
    check_schema=check,
)
