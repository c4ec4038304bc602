"""A marker that kro does not know.

Source: kro `pkg/simpleschema/markers.go`.
"""

from __future__ import annotations

from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.rule import Rule

RULE = Rule(
    code="unknown-marker",
    severity=Severity.ERROR,
    summary="A field has a marker that does not exist.",
    explanation="""\
The markers are `required`, `default`, `description`, `minimum`, `maximum`, `validation`, `immutable`, `enum`,
`pattern`, `minLength`, `maxLength`, `uniqueItems`, `minItems`, `maxItems`, `listType` and `listMapKey`.""",
    wrong="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    replicas: integer | min=1
""",
    right="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    replicas: integer | minimum=1
""",
    kro_messages=("invalid marker key {key}: unknown marker: {name}",),
)
