"""Checks whether `metadata.namespace` is set where an object needs one, and only there.

An instance of a cluster-scoped API has no namespace that its objects could get.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.model.model import ResourceType
from kro_ls.analysis.names.references import references
from kro_ls.kro.versions.history import GRAPHS, NAMESPACE_OF_CLUSTER_SCOPED_REFUSED
from kro_ls.rules.diagnostics import Finding, Findings, Fix, Severity
from kro_ls.rules.fixes import remove_entry
from kro_ls.rules.rule import InTemplates, Rule
from kro_ls.yaml_positions.access import entry_of, field, is_null, text_of

if TYPE_CHECKING:
    from kro_ls.analysis.model.model import Resource
    from kro_ls.analysis.scope import Scope


_NOT_NAMESPACED = 'resource "{id}" is cluster-scoped and must not set metadata.namespace'


def check_superfluous(resource: Resource, scope: Scope) -> Findings:
    """Find `metadata.namespace` on objects of cluster-scoped kinds."""
    if scope.kind is None or scope.kind.namespaced:
        return
    entry = entry_of(field(resource.object, "metadata"), "namespace")
    if entry:
        message = f"{scope.kind.name.kind} is cluster-scoped; remove 'metadata.namespace'"
        kro_message = _NOT_NAMESPACED.format(id=resource.id or "")
        removal = remove_entry(resource.chunk_text, entry, ())
        named = [each.name for each in references(resource) if each.expression.path == ("metadata", "namespace")]
        waits_for = [name for name in named if name != "schema"]
        if waits_for:
            message += f"; without it, {resource.id or 'the resource'} no longer waits for '{waits_for[0]}'"
        fixes = (Fix("Remove the namespace", (removal,), keeps_meaning=not waits_for),) if removal else ()
        yield Finding(entry.key.span, message, fixes=fixes, kro_message=kro_message)


_MISSING = 'resource "{id}" is namespaced and must set metadata.namespace when the instance CRD is cluster-scoped'


def check_missing(resource: Resource, scope: Scope) -> Findings:
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


RULES = (
    # Source: kro `pkg/graph/builder.go`.
    Rule(
        code="cluster-scoped-namespace",
        severity=Severity.ERROR,
        summary="An object of a cluster-scoped kind has a namespace.",
        explanation="""\
Objects of a cluster-scoped kind are in no namespace. kro refuses `metadata.namespace` on them, whatever its value.""",
        wrong="""\
resources:
  - id: space
    template:
      apiVersion: v1
      kind: Namespace
      metadata:
        name: ${schema.metadata.name}
        namespace: default
""",
        right="""\
resources:
  - id: space
    template:
      apiVersion: v1
      kind: Namespace
      metadata:
        name: ${schema.metadata.name}
""",
        check_resource=check_superfluous,
        in_graphs=GRAPHS,
        versions=NAMESPACE_OF_CLUSTER_SCOPED_REFUSED,
        kro_messages=(_NOT_NAMESPACED,),
    ),
    # Source: kro `pkg/graph/builder.go`.
    Rule(
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
        check_resource=check_missing,
        in_templates=InTemplates.UNLESS_TEXT_IS_ADDED,
        kro_messages=(_MISSING,),
    ),
)
