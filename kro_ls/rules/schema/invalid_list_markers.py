"""A list whose items do not fit its list type.

Source: k8s.io/apiextensions-apiserver, pkg/apis/apiextensions/validation/validation.go.
"""

from __future__ import annotations

from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.rule import Rule

RULE = Rule(
    code="invalid-list-markers",
    severity=Severity.WARNING,
    summary="Kubernetes refuses the list type for these items.",
    explanation="""\
The items of a list with `listType=map` are objects, and each `listMapKey` is one of their scalar fields, required or
with a default. The items of a set are scalars or atomic lists.""",
    wrong="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  types:
    Port:
      name: string
  spec:
    ports: '[]Port | listType=map listMapKey=name'
""",
    right="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  types:
    Port:
      name: string | required=true
  spec:
    ports: '[]Port | listType=map listMapKey=name'
""",
)
