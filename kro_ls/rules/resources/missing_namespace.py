"""An object without a namespace although its instance has none that it could get.

Source: kro `pkg/graph/builder.go`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.model.model import ResourceType
from kro_ls.rules.diagnostics import Finding, Findings, Severity
from kro_ls.rules.rule import InTemplates, Rule
from kro_ls.yaml_positions.nodes import entry_of, is_null, text_of

if TYPE_CHECKING:
    from kro_ls.analysis.model.model import Resource
    from kro_ls.analysis.scope import Scope

_MISSING = 'resource "{id}" is namespaced and must set metadata.namespace when the instance CRD is cluster-scoped'


def check(resource: Resource, scope: Scope) -> Findings:
    """Find namespaced objects of a cluster-scoped API whose `metadata.namespace` is missing or blank."""
    if not scope.cluster_scoped or scope.kind is None or not scope.kind.namespaced:
        return
    metadata = entry_of(resource.object, "metadata")
    if metadata is None or resource.type is ResourceType.EXTERNAL_COLLECTION:
        return
    namespace = entry_of(metadata.value, "namespace")
    text = text_of(namespace.value) if namespace else None
    if namespace and text is None and not is_null(namespace.value):
        # Another rule reports a value of a wrong type.
        return
    if not (text or "").strip():
        message = "'metadata.namespace' is missing; cluster-scoped instances have no namespace to give"
        kro_message = _MISSING.format(id=resource.id or "")
        yield Finding((namespace or metadata).key.span, message, kro_message=kro_message)


RULE = Rule(
    code="missing-namespace",
    severity=Severity.ERROR,
    summary="A namespaced object of a cluster-scoped API names no namespace.",
    explanation="""\
Objects without a namespace get that of the instance. Instances of an API with `scope: Cluster` have none, so each
namespaced object must say where it goes; an expression will do.""",
    wrong="""\
schema:
  apiVersion: v1alpha1
  kind: App
  scope: Cluster
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
""",
    right="""\
schema:
  apiVersion: v1alpha1
  kind: App
  scope: Cluster
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
        namespace: default
""",
    check_resource=check,
    in_templates=InTemplates.UNLESS_TEXT_IS_ADDED,
    kro_messages=(_MISSING,),
)
