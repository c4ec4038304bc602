"""An alpha kind of Kubernetes, which a cluster serves only if its administrator turns it on.

Source: the Kubernetes documentation on API versioning; the version's name says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.rules.diagnostics import Finding, Findings, Severity
from kro_ls.rules.rule import Rule
from kro_ls.yaml_positions.nodes import field

if TYPE_CHECKING:
    from kro_ls.analysis.model.model import Resource
    from kro_ls.analysis.scope import Scope


def check(resource: Resource, scope: Scope) -> Findings:
    """Find an alpha kind of Kubernetes itself; the version of a custom kind does not say whether it is served."""
    place = field(resource.object, "apiVersion")
    kind = scope.kind
    if not kind or not place or kind.deprecation or kind.stability != "alpha":
        return
    if kind.source.startswith("Kubernetes "):
        yield Finding(place.span, f"'{kind.name}' is alpha; most clusters do not serve it")


RULE = Rule(
    code="alpha-kind",
    severity=Severity.HINT,
    summary="An alpha kind of Kubernetes is off by default.",
    explanation="""\
kro refuses a kind that its cluster does not serve. Kubernetes serves alpha versions only where the feature gate and the
API are turned on, and may change or remove them in any release.""",
    wrong="""\
resources:
  - id: storageVersion
    template:
      apiVersion: internal.apiserver.k8s.io/v1alpha1
      kind: StorageVersion
      metadata:
        name: ${schema.metadata.name}
      spec: {}
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
    check_resource=check,
)
