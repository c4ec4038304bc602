"""A kind in a group and version of Kubernetes itself that does not exist there.

Source: kro `pkg/graph/builder.go` (schema lookup); the kinds are those of the chosen Kubernetes version.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.kinds.missing_kinds import key_of_missing_kinds, missing_kinds
from kro_ls.rules.rule import Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.rules.diagnostics import Finding, Part
    from kro_ls.rules.overview import Overview


def check(overview: Overview) -> Iterator[tuple[Part, Finding]]:
    """Find the kinds that Kubernetes does not have."""
    return missing_kinds(overview, kubernetes=True)


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
    check_document=check,
    document_key=key_of_missing_kinds,
)
