"""An object that does not wait for its namespace, which the same definition creates.

Source: kro `pkg/graph/builder.go` (only references make an order), `pkg/controller/instance`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.facts import kind_name
from kro_ls.analysis.model.model import Resource, ResourceType
from kro_ls.kro.versions.history import GRAPHS
from kro_ls.rules.diagnostics import Finding, Fix, PartFindings, PartSpan, Related, Severity
from kro_ls.rules.rule import InTemplates, Rule
from kro_ls.yaml_positions.nodes import Scalar, entry_of, node_at, resolved
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.scalars.writing import is_in_flow, replace_in_scalar

if TYPE_CHECKING:
    from kro_ls.analysis.analysis import RgdAnalysis

_NAMESPACE = ("v1", "Namespace")


def check(rgd: RgdAnalysis) -> PartFindings:
    """Find objects that do not depend on the resource that creates their namespace."""
    if _NAMESPACE not in rgd.table.kinds:
        return
    resources = {id_: rgd.parts[number] for id_, number in rgd.table.numbers.items()}
    namespaces = {
        name.text: id_
        for id_, each in reversed(resources.items())
        if _is_always_created(each) and (name := _scalar(each, "name"))
    }
    for id_, each in resources.items() if namespaces else ():
        namespace = _scalar(each, "namespace")
        home = namespaces.get(namespace.text) if namespace else None
        if namespace and home and each.template is not None and not _uses_iterators(each, namespace):
            if id_ in rgd.graph.depending_on(home):
                continue
            comes_first = home in rgd.graph.depending_on(id_)
            number = rgd.table.numbers[home]
            name = _scalar(resources[home], "name")
            related = (Related(PartSpan(number, name.span), f"'{home}' makes the namespace"),) if name else ()
            yield rgd.table.numbers[id_], _finding(each, namespace, home, related, comes_first=comes_first)


def _is_always_created(resource: Resource) -> bool:
    """Whether a resource always creates one namespace; objects that refer to an excluded one are excluded, too."""
    is_made = resource.type is ResourceType.RESOURCE and kind_name(resource) == _NAMESPACE
    return is_made and entry_of(resource.node, "includeWhen") is None


def _scalar(resource: Resource, name: str) -> Scalar | None:
    node = resolved(node_at(resource.object, ("metadata", name)))
    return node if isinstance(node, Scalar) and isinstance(node.value, str) and node.text else None


def _uses_iterators(resource: Resource, scalar: Scalar) -> bool:
    found = (each for each in resource.expressions if each.scalar is scalar)
    return any(use.name in resource.iterators for each in found for use in each.inspection.names)


def _finding(
    resource: Resource, namespace: Scalar, home: str, related: tuple[Related, ...], *, comes_first: bool
) -> Finding:
    if comes_first:
        message = f"'{home}' makes this namespace but waits for this object, so neither is ever made"
        return Finding(namespace.span, message, related, severity=Severity.WARNING)
    reference = f"${{{home}.metadata.name}}"
    message = f"nothing says that '{home}', which makes this namespace, comes first; write '{reference}'"
    in_flow, whole = is_in_flow(resource.node, namespace), Span(0, len(namespace.text))
    edit = replace_in_scalar(resource.chunk_text, namespace, whole, reference, in_flow=in_flow)
    fixes = (Fix(f"Refer to '{home}'", (edit,)),) if edit else ()
    return Finding(namespace.span, message, related, fixes)


RULE = Rule(
    code="unordered-namespace",
    severity=Severity.HINT,
    summary="An object does not wait for the namespace that the definition makes for it.",
    explanation="""\
kro orders resources by the references in their expressions and by nothing else. Where a namespace is named a second
time instead of referred to, kro may apply the object before the namespace exists; the API server answers `namespaces
"team-a" not found`, and the instance has the state `ERROR` until kro tries again. Refer to the name of the Namespace,
and kro makes it first and removes it last. Where the Namespace itself waits for an object in it, neither is ever made:
that is a warning.""",
    wrong="""\
resources:
  - id: team
    template:
      apiVersion: v1
      kind: Namespace
      metadata:
        name: ${schema.metadata.name}-team
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: config
        namespace: ${schema.metadata.name}-team
""",
    right="""\
resources:
  - id: team
    template:
      apiVersion: v1
      kind: Namespace
      metadata:
        name: ${schema.metadata.name}-team
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: config
        namespace: ${team.metadata.name}
""",
    check_document=check,
    in_graphs=GRAPHS,
    in_templates=InTemplates.UNLESS_TEXT_IS_ADDED,
    kro_messages=('namespaces "{name}" not found',),
)
