"""A deprecated kind. Its version is to blame, so it is marked.

Source: the descriptions of Kubernetes' API and the minors that have the kind, or `deprecated` in a CRD's version.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.rules.diagnostics import Finding, Findings, Severity
from kro_ls.rules.rule import Rule, Tag
from kro_ls.yaml_positions.nodes import field

if TYPE_CHECKING:
    from kro_ls.analysis.model.model import Resource
    from kro_ls.analysis.scope import Scope


def check(resource: Resource, scope: Scope) -> Findings:
    """Find a deprecated kind."""
    place = field(resource.object, "apiVersion")
    if scope.kind and scope.kind.deprecation and place:
        yield Finding(place.span, f"'{scope.kind.name}' is deprecated: {scope.kind.deprecation.rstrip('.')}")


RULE = Rule(
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
    check_resource=check,
    tag=Tag.DEPRECATED,
)
