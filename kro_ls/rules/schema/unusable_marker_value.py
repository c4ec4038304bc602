"""A marker's value that kro takes and that cannot be written into a CRD.

Source: kro `pkg/simpleschema/markers.go`: defaults are written as they stand, and decoded by the API server.
"""

from __future__ import annotations

from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.rule import Rule

RULE = Rule(
    code="unusable-marker-value",
    severity=Severity.WARNING,
    summary="A marker's value makes the CRD invalid.",
    explanation="""\
kro copies the values of `default` and `enum` into the CRD as JSON. What is not JSON, and bounds that are not finite
numbers, are accepted at first; then the CRD cannot be created.""",
    wrong="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    names: '[]string | default=a,b'
""",
    right="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    names: '[]string | default=["a","b"]'
""",
)
