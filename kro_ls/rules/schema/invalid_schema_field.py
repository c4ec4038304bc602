"""A field of SimpleSchema that is neither a type nor a mapping of fields.

Source: kro `pkg/simpleschema/transform.go` (unexpected type).
"""

from __future__ import annotations

from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.rule import BrokenYaml, Repair, Rule

RULE = Rule(
    code="invalid-schema-field",
    severity=Severity.ERROR,
    in_broken_yaml=BrokenYaml.BEFORE,
    summary="A field of the instance is neither a type nor a mapping of fields.",
    explanation="""\
Under `spec.schema.spec` and `spec.schema.types` a field is text that begins with a type (`string`, `[]Port`,
`integer | default=3`) or a mapping of further fields. Anything else, an empty value included, is refused.""",
    wrong="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    debug: true
""",
    right="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    debug: boolean | default=true
""",
    repairs=(Repair.WRONG_VALUE,),
    kro_messages=(
        "unexpected type: {type}",
        "json: cannot unmarshal into Go value of type map[string]interface {{}}",
    ),
)
