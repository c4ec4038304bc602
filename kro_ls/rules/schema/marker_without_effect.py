"""A marker that is accepted and does nothing: it is not for this type, or it is given again."""

from __future__ import annotations

from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.rule import Rule

RULE = Rule(
    code="marker-without-effect",
    severity=Severity.WARNING,
    summary="A marker does nothing on a field of this type.",
    explanation="""\
`minimum` and `maximum` bound numbers. On any other type kro and Kubernetes accept and ignore them. Of a marker
that is given twice, such as `default`, the last one counts.""",
    wrong="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    name: string | minimum=3
""",
    right="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    name: string | minLength=3
""",
)
