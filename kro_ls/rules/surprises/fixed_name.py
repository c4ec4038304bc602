"""A name that does not depend on the instance: all instances want one object.

Source: kro `pkg/controller/instance/applyset` (an object belongs to the instance that applied it first).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.facts import kind_name
from kro_ls.analysis.model.model import ResourceType
from kro_ls.rules.diagnostics import Finding, Findings, Severity
from kro_ls.rules.rule import InTemplates, Rule
from kro_ls.yaml_positions.nodes import node_at, text_of

if TYPE_CHECKING:
    from kro_ls.analysis.model.model import Resource
    from kro_ls.analysis.scope import Scope

_REFUSED = "resource belongs to a different ApplySet"
_EXPRESSION = "${"
_NAMED_ALIKE = {
    ("apiextensions.k8s.io/v1", "CustomResourceDefinition"),
    ("apiregistration.k8s.io/v1", "APIService"),
}
"""Kinds whose objects are named after their content."""


def check(resource: Resource, scope: Scope) -> Findings:
    """Find objects whose name and namespace do not depend on the instance; cluster-scoped ones have no namespace.

    Others only collide if two instances are in one namespace, which may be rare.
    """
    name = node_at(resource.object, ("metadata", "name"))
    written, namespace = text_of(name), text_of(node_at(resource.object, ("metadata", "namespace")))
    is_alone = namespace is not None or (scope.kind is not None and not scope.kind.namespaced)
    is_fixed = bool(written) and _EXPRESSION not in f"{written} {namespace}" and kind_name(resource) not in _NAMED_ALIKE
    if name is not None and is_alone and is_fixed and resource.type is ResourceType.RESOURCE:
        message = "all instances want this one object, and only the first gets it; let the instance be in its name"
        yield Finding(name.span, message, kro_message=_REFUSED)


RULE = Rule(
    code="fixed-name",
    severity=Severity.HINT,
    summary="All instances want one object.",
    explanation="""\
An object belongs to the instance that applied it first. Where its name is the same for all instances, and it is of a
cluster-scoped kind or in the same namespace for all, each further instance gets the state `ERROR`. Names that begin
with `${schema.metadata.name}` do not collide within a namespace. Where there is to be one instance only, the name may
be fixed. Nothing is said of objects in the namespace of the instance: they collide where two instances share it.""",
    check_resource=check,
    in_templates=InTemplates.NEVER,
    kro_messages=(_REFUSED,),
)
