"""A type that nothing declares.

Source: kro `pkg/simpleschema/transform.go` (unknown type), `pkg/graph/dag` (node does not exist).
"""

from __future__ import annotations

from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.rule import InTemplates, Rule

RULE = Rule(
    code="unknown-type",
    severity=Severity.ERROR,
    summary="A field has a type that is not declared.",
    explanation="""\
The built-in types are `string`, `integer`, `boolean`, `float` and `object`; `spec.schema.types` declares further
ones. Upper and lower case are different.""",
    wrong="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    replicas: int
""",
    right="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    replicas: integer
""",
    in_templates=InTemplates.UNLESS_TEXT_IS_ADDED,
    kro_messages=(
        "unknown type: {name}",
        "node {name} does not exist",
    ),
)
