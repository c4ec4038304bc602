"""A marker's value that kro cannot use.

Source: kro `pkg/simpleschema/markers.go`.
"""

from __future__ import annotations

from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.rule import Rule

RULE = Rule(
    code="invalid-marker-value",
    severity=Severity.ERROR,
    summary="The value of a marker is not what the marker takes.",
    explanation="""\
`required`, `immutable` and `uniqueItems` take `true` or `false`, bounds take numbers, `enum` takes a list such as
`enum="a,b"`, `pattern` a regular expression in the syntax of RE2 and `listType` one of `atomic`, `set` and `map`.""",
    wrong="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    team: string | required=yes
""",
    right="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    team: string | required=true
""",
    kro_messages=(
        "failed to parse {marker} marker value: {problem}",
        "failed to parse {marker} value: {problem}",
        "failed to parse {marker} enum value: {problem}",
        "empty enum values are not allowed",
        "failed to parse integer enum value: {problem}",
        "pattern marker value cannot be empty",
        "invalid pattern regex: {problem}",
        "unsupported value for listType {value}, needs to be one of atomic, set, or map",
        "validation failed",
    ),
)
