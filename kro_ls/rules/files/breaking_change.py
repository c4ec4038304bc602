"""A change of a definition since a commit that kro would not apply to the CRD in a cluster.

Source: kro pkg/graph/crd/compat; the findings come from `workspace/evolution.py`.
"""

from __future__ import annotations

from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.rule import Rule

RULE = Rule(
    code="breaking-change",
    severity=Severity.WARNING,
    summary="A change since a commit would break the instances that exist.",
    explanation="""\
kro compares the CustomResourceDefinition of a changed definition with the one in the cluster and does not apply a
breaking change: a removed field, another type, a field that is newly required, a removed enum value, a pattern or a
bound that is new or tighter. With the annotation `kro.run/allow-breaking-changes: "true"` it does. This rule compares
with the commit that the setting `kro.compareWith` names; `kro-ls diff` tells more, also of instances that are hit.""",
    wrong="",
    right="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
""",
)
