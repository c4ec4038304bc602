"""A use of `omit()` where kro does not allow it.

Source: kro `pkg/graph/builder.go` and `pkg/features` (gate CELOmitFunction, off by default).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.kro.controller import OMIT
from kro_ls.kro.places import OBJECT_PLACES, STATUS_PLACES, Place
from kro_ls.kro.versions.history import GRAPHS
from kro_ls.rules.diagnostics import Finding, Findings, Severity
from kro_ls.rules.rule import Rule

if TYPE_CHECKING:
    from kro_ls.analysis.model.expressions import Expression
    from kro_ls.analysis.model.model import Resource, SchemaSection
    from kro_ls.analysis.scope import Scope

_ONLY_IN_TEMPLATES = "omit() can only be used in resource template expressions"
_NEEDS_GATE = "omit() requires the {gate} feature gate to be enabled"
_NOT_FOR_NAME = (
    'omit() cannot be used at path "metadata.name" — the field is required and must resolve to a concrete value'
)
_NEVER = STATUS_PLACES | {Place.READY_WHEN}


def check(part: Resource | SchemaSection, scope: Scope) -> Findings:
    """Find the calls of omit() that kro refuses."""
    for expression in part.expressions:
        inspection = expression.inspection
        refusal = _refusal(expression, scope) if inspection.omit_calls and inspection.parsed.is_valid else None
        if refusal:
            message, kro_message = refusal
            for call in inspection.omit_calls:
                yield Finding(expression.span(call.start, call.end), message, kro_message=kro_message)


def _refusal(expression: Expression, scope: Scope) -> tuple[str, str] | None:
    """Return the messages for people and of kro; None if the call is allowed."""
    place = expression.place
    if place in _NEVER or (place is Place.FOR_EACH and scope.omit_enabled):
        return f"'omit()' is only available in templates, not in {place.value}", _ONLY_IN_TEMPLATES
    if not scope.omit_enabled:
        message = f"'omit()' needs the feature gate '{OMIT.name}', which is off by default"
        return message, _NEEDS_GATE.format(gate=OMIT.name)
    if place in OBJECT_PLACES and expression.path == ("metadata", "name"):
        return "'omit()' cannot leave out 'metadata.name'; every object needs a name", _NOT_FOR_NAME
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
    check_schema=check,
    in_graphs=GRAPHS,
    kro_messages=(
        _ONLY_IN_TEMPLATES,
        _NEEDS_GATE,
        _NOT_FOR_NAME,
    ),
)
