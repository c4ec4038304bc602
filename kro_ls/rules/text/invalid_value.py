"""A field of a ResourceGraphDefinition whose value the API server refuses.

Source: the ResourceGraphDefinition CRD, and Kubernetes' own rules for the name of an object.
"""

from __future__ import annotations

from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.rule import Rule

RULE = Rule(
    code="invalid-value",
    severity=Severity.ERROR,
    summary="The value of a field is not one that the field takes.",
    explanation="""\
The value has the right type, but breaks a rule of the field: a fixed set of values, a pattern, a length, or a number of
entries.""",
    wrong="""\
schema:
  apiVersion: v1alpha1
  kind: WebApp
  scope: cluster
""",
    right="""\
schema:
  apiVersion: v1alpha1
  kind: WebApp
  scope: Cluster
""",
    kro_messages=(
        "{path}: Unsupported value: {value}: supported values: {values}",
        "{path} in body should {condition}",
        "{path}: Duplicate value: {value}",
        "{path}: Too many: {count}: must have at most {most}",
        "a lowercase RFC 1123 subdomain must consist of {characters}",
        'no matches for kind "{kind}"',
    ),
)
