"""A default that the field's own schema forbids.

Source: k8s.io/apiextensions-apiserver, pkg/apiserver/schema/defaulting.
"""

from __future__ import annotations

from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.rule import Rule

RULE = Rule(
    code="refused-default",
    severity=Severity.WARNING,
    summary="The other markers of a field forbid its default.",
    explanation="""\
Kubernetes checks every default against its schema. kro accepts one that is not allowed, and then the CRD cannot be
created.""",
    wrong="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    size: string | enum="small,large" default=medium
""",
    right="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    size: string | enum="small,large" default=small
""",
)
