"""A type of SimpleSchema that cannot be read.

Source: kro `pkg/simpleschema/parse.go`.
"""

from __future__ import annotations

from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.rule import Rule

RULE = Rule(
    code="invalid-type-expression",
    severity=Severity.ERROR,
    summary="The type of a field cannot be read.",
    explanation="""\
A type is `string`, `integer`, `boolean`, `float`, `object` or the name of a custom type, with any number of `[]`
(list) and `map[string]` (free keys) before it. The keys of a map are always strings.""",
    wrong="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    weights: map[integer]string
""",
    right="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    weights: map[string]string
""",
    kro_messages=(
        "empty slice element type",
        "map key must be string",
        "map value type is required",
        "type nesting too deep (max {most}): {type}",
    ),
)
