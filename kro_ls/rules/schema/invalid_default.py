"""A default that is not of the field's type.

Source: kro `pkg/simpleschema/markers.go`.
"""

from __future__ import annotations

from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.rule import Repair, Rule

RULE = Rule(
    code="invalid-default",
    severity=Severity.ERROR,
    summary="The default of a field is not of its type.",
    explanation="""\
The default of an integer, float or boolean must be one. Lists, maps and objects take JSON.""",
    wrong="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    replicas: integer | default=many
""",
    right="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    replicas: integer | default=3
""",
    repairs=(Repair.WRONG_DEFAULT,),
    kro_messages=("default value must be a valid {type}, got: {value}",),
)
