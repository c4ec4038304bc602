"""An owner reference whose owner the garbage collector does not find, so that it deletes the object.

Source: Kubernetes' documentation of owners and dependents; pkg/controller/garbagecollector.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.model.expressions import extract
from kro_ls.rules.diagnostics import Finding, Findings, Fix, Severity
from kro_ls.rules.fixes import remove_entry
from kro_ls.rules.rule import InTemplates, Rule
from kro_ls.yaml_positions.nodes import entry_of, field, items, text_of

if TYPE_CHECKING:
    from kro_ls.analysis.model.model import Resource
    from kro_ls.analysis.scope import Scope
    from kro_ls.yaml_positions.nodes import Node

_UID, _NAMESPACE = "${schema.metadata.uid}", "${schema.metadata.namespace}"


def check(resource: Resource, scope: Scope) -> Findings:
    """Find owners that are in another namespace, or are identified by the uid of one cluster."""
    metadata = field(resource.template, "metadata")
    references = entry_of(metadata, "ownerReferences")
    for owner in items(references.value) if references else ():
        uid = field(owner, "uid")
        found = _fault(uid, text_of(field(metadata, "namespace")), scope) if uid else None
        if uid and references and found:
            message, severity = found
            edit = remove_entry(resource.chunk_text, references, ()) if len(items(references.value)) == 1 else None
            fixes = (
                (Fix("Remove the owner; kro deletes what it made for an instance with it", (edit,)),) if edit else ()
            )
            yield Finding(
                uid.span, f"{message}, so it is deleted and made again for ever", fixes=fixes, severity=severity
            )


def _fault(uid: Node, namespace: str | None, scope: Scope) -> tuple[str, Severity | None] | None:
    text = (text_of(uid) or "").replace(" ", "")
    if text and not extract(text).expressions:
        return "no other cluster has an object with this uid", Severity.HINT
    if text != _UID or scope.cluster_scoped or scope.kind is None:
        return None
    if not scope.kind.namespaced:
        return "an object without a namespace cannot have the instance as its owner, which has one", None
    if not namespace or namespace.replace(" ", "") == _NAMESPACE:
        return None
    may_be_that_of_instance = "schema." in namespace
    return "the instance owns objects in its own namespace only", Severity.HINT if may_be_that_of_instance else None


RULE = Rule(
    code="foreign-owner",
    severity=Severity.WARNING,
    summary="The owner of an object is not where the garbage collector looks for it.",
    explanation="""\
Kubernetes looks for the owner of an object in the namespace of the object, or among what has no namespace. Where it
finds none with the `uid`, the garbage collector deletes the object; kro makes it again, and so on, and the instance is
never ready. An instance with a namespace can own neither objects in other namespaces nor those without one. It needs
none: kro deletes what it made when the instance is deleted.

A `uid` that is written out is that of an object in one cluster. It is a hint, and so is a namespace that the instance
chooses, which may be its own.""",
    wrong="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
        namespace: shared
        ownerReferences:
          - apiVersion: kro.run/v1alpha1
            kind: Example
            name: ${schema.metadata.name}
            uid: ${schema.metadata.uid}
""",
    right="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
        namespace: shared
""",
    check_resource=check,
    in_templates=InTemplates.UNLESS_TEXT_IS_ADDED,
)
