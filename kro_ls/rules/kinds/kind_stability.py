"""Finds kinds that are alpha or deprecated. Their version is to blame, so it is marked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.rules.diagnostics import Finding, Findings, Severity
from kro_ls.rules.rule import Rule, Tag
from kro_ls.yaml_positions.access import field

if TYPE_CHECKING:
    from kro_ls.analysis.model.model import Resource
    from kro_ls.analysis.scope import Scope


def check_alpha(resource: Resource, scope: Scope) -> Findings:
    """Find an alpha kind of Kubernetes itself; the version of a custom kind does not say whether it is served."""
    place = field(resource.object, "apiVersion")
    kind = scope.kind
    if not kind or not place or kind.deprecation or kind.stability != "alpha":
        return
    if kind.source.startswith("Kubernetes "):
        yield Finding(place.span, f"'{kind.name}' is alpha; most clusters do not serve it")


def check_deprecated(resource: Resource, scope: Scope) -> Findings:
    """Find a deprecated kind."""
    place = field(resource.object, "apiVersion")
    if scope.kind and scope.kind.deprecation and place:
        yield Finding(place.span, f"'{scope.kind.name}' is deprecated: {scope.kind.deprecation.rstrip('.')}")


RULES = (
    # Source: the Kubernetes documentation on API versioning; the version's name tells.
    Rule(
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
        check_resource=check_alpha,
    ),
    # Source: the descriptions of Kubernetes' API and the minors that have the kind, or `deprecated` in a CRD's version.
    Rule(
        code="deprecated-kind",
        severity=Severity.WARNING,
        summary="A kind in this version is deprecated.",
        explanation="""\
Kubernetes, or the CustomResourceDefinition of the kind, says that this version should not be used any more: there is a
more settled one, or a later version of Kubernetes does not have it.""",
        wrong="""\
resources:
  - id: endpoints
    template:
      apiVersion: v1
      kind: Endpoints
      metadata:
        name: ${schema.metadata.name}
""",
        right="""\
resources:
  - id: endpoints
    template:
      apiVersion: discovery.k8s.io/v1
      kind: EndpointSlice
      metadata:
        name: ${schema.metadata.name}
      addressType: IPv4
      endpoints: []
""",
        check_resource=check_deprecated,
        tag=Tag.DEPRECATED,
    ),
)
