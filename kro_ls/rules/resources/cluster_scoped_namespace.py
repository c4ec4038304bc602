"""A namespace on an object of a cluster-scoped kind.

Source: kro `pkg/graph/builder.go`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.names.references import references
from kro_ls.kro.versions.history import GRAPHS, NAMESPACE_OF_CLUSTER_SCOPED_REFUSED
from kro_ls.rules.diagnostics import Finding, Findings, Fix, Severity
from kro_ls.rules.fixes import remove_entry
from kro_ls.rules.rule import Rule
from kro_ls.yaml_positions.nodes import entry_of, field

if TYPE_CHECKING:
    from kro_ls.analysis.model.model import Resource
    from kro_ls.analysis.scope import Scope

_NOT_NAMESPACED = 'resource "{id}" is cluster-scoped and must not set metadata.namespace'


def check(resource: Resource, scope: Scope) -> Findings:
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


RULE = Rule(
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
    check_resource=check,
    in_graphs=GRAPHS,
    versions=NAMESPACE_OF_CLUSTER_SCOPED_REFUSED,
    kro_messages=(_NOT_NAMESPACED,),
)
