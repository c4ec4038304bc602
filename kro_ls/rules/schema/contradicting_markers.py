"""Bounds that no value can meet."""

from __future__ import annotations

from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.rule import Rule

RULE = Rule(
    code="contradicting-markers",
    severity=Severity.WARNING,
    summary="No value can meet the bounds of a field.",
    explanation="""\
A lower bound above the upper one is accepted by kro and Kubernetes alike, and then every value is refused.""",
    wrong="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    replicas: integer | minimum=5 maximum=1
""",
    right="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    replicas: integer | minimum=1 maximum=5
""",
)
