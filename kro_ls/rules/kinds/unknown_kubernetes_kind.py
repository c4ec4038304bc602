"""A kind in a group and version of Kubernetes itself that does not exist there.

Source: kro `pkg/graph/builder.go` (schema lookup); the kinds are those of the chosen Kubernetes version.
"""

from __future__ import annotations

from kro_ls.kro.versions.history import GRAPHS
from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.kinds.missing_kinds import NOT_RESOLVED
from kro_ls.rules.rule import Repair, Rule

RULE = Rule(
    code="unknown-kubernetes-kind",
    severity=Severity.ERROR,
    summary="Kubernetes has no such kind.",
    explanation="""\
The group and version are Kubernetes' own, and the chosen Kubernetes version (setting `kro.kubernetesVersion`) has no
such kind in them. Other versions may have it under another group or version.""",
    wrong="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMaps
      metadata:
        name: ${schema.metadata.name}
""",
    right="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
""",
    in_graphs=GRAPHS,
    repairs=(Repair.KNOWN_KIND,),
    kro_messages=(NOT_RESOLVED,),
)
