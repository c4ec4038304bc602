"""A marker on a type that it is not for.

Source: kro `pkg/simpleschema/markers.go`.
"""

from __future__ import annotations

from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.rule import Rule

RULE = Rule(
    code="marker-not-applicable",
    severity=Severity.ERROR,
    summary="A marker stands on a type that it is not for.",
    explanation="""\
`pattern`, `minLength` and `maxLength` are for strings, `minItems`, `maxItems`, `uniqueItems`, `listType` and
`listMapKey` for lists, `enum` for strings and integers.""",
    wrong="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    ports: '[]integer | maxLength=5'
""",
    right="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    ports: '[]integer | maxItems=5'
""",
    kro_messages=(
        "enum values only supported for string and integer types, got type: {type}",
        "{marker} marker is only valid for {kind} types, got type: {type}",
        "{marker} marker only applies to array types",
    ),
)
