"""A field that a template sets and a controller writes, so that kro and the controller undo each other's work.

Source: kro `pkg/controller/instance` (it applies what a template says as soon as the object differs); Kubernetes'
documentation of autoscaling and of aggregated ClusterRoles.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.facts import kind_name
from kro_ls.kro.places import Place
from kro_ls.kro.versions.history import GRAPHS
from kro_ls.openapi.written_fields import SCALERS, writer_of
from kro_ls.rules.diagnostics import Finding, Findings, Fix, PartFindings, PartSpan, Related, Severity
from kro_ls.rules.fixes import remove_entry
from kro_ls.rules.rule import InTemplates, Rule
from kro_ls.yaml_positions.nodes import entries, entry_of, field, is_null, items, node_at, text_of

if TYPE_CHECKING:
    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.model.model import Resource
    from kro_ls.analysis.scope import Scope
    from kro_ls.yaml_positions.nodes import Entry, Node

_LEFT_OVER = "; it seems to come from an object in a cluster"


def check(resource: Resource, _scope: Scope) -> Findings:
    """Find annotations that controllers write, and the rules of an aggregated ClusterRole."""
    name = kind_name(resource)
    if name is None or resource.template is None:
        return
    group, kind = _group(name[0]), name[1]
    for entry in entries(node_at(resource.template, ("metadata", "annotations"))):
        writer = writer_of(group, kind, entry.name or "")
        if writer and not _may_be_omitted(entry):
            what = f"{writer.name} writes '{entry.name}'"
            message = f"{what}, and kro would put this back for ever" if writer.overwrites else f"{what}{_LEFT_OVER}"
            severity = None if writer.overwrites else Severity.HINT
            yield Finding(entry.key.span, message, fixes=_removal(resource, entry), severity=severity)
    rules, sources = (entry_of(resource.template, each) for each in ("rules", "aggregationRule"))
    is_role = (group, kind) == ("rbac.authorization.k8s.io", "ClusterRole")
    if is_role and rules and sources and items(rules.value) and not is_null(sources.value):
        message = "the control plane writes the 'rules' of a ClusterRole with an 'aggregationRule'"
        yield Finding(rules.key.span, message, fixes=_removal(resource, rules))


def check_document(rgd: RgdAnalysis) -> PartFindings:
    """Find the replicas of objects that an autoscaler of the same definition scales.

    If both have conditions of their own, they may never exist together.
    """
    if not any((_group(api_version), kind) in SCALERS for api_version, kind in rgd.table.kinds):
        return
    for number, facts in enumerate(rgd.table.facts):
        scaler = (_group(facts.kind[0]), facts.kind[1]) if facts.kind else None
        if scaler in SCALERS:
            yield from _scaled(rgd, number, SCALERS[scaler])


def _scaled(rgd: RgdAnalysis, scaler: int, usual_kind: str) -> PartFindings:
    resource = rgd.parts[scaler]
    reference = node_at(resource.template, ("spec", "scaleTargetRef"))
    kind, name = text_of(field(reference, "kind")) or usual_kind, field(reference, "name")
    for number, facts in enumerate(rgd.table.facts):
        if facts.kind is None or facts.kind[1] != kind or name is None:
            continue
        target = rgd.parts[number]
        replicas = entry_of(node_at(target.template, ("spec",)), "replicas")
        if replicas is None or is_null(replicas.value) or _may_be_omitted(replicas):
            continue
        if not _names(name, target):
            continue
        related = (Related(PartSpan(scaler, name.span), "scaled here"),)
        if _conditions(resource) <= _conditions(target):
            message = f"'{resource.id or kind}' scales this, and kro would put the replicas back for ever"
            yield number, Finding(replicas.key.span, message, related, _removal(target, replicas))
        elif _conditions(target) <= _conditions(resource):
            message = (
                f"'{resource.id or kind}' scales this where it is there, and kro would put the replicas back for ever;"
                " have it always, with these replicas as its least and most where nothing is to be scaled"
            )
            yield number, Finding(replicas.key.span, message, related)


def _conditions(resource: Resource) -> frozenset[str]:
    return frozenset(each.text for each in resource.expressions if each.place is Place.INCLUDE_WHEN)


def _names(name: Node, target: Resource) -> bool:
    """Whether the name in a reference is that of a resource's object."""
    written = text_of(name)
    of_target = text_of(node_at(target.object, ("metadata", "name")))
    return written is not None and written in (of_target, f"${{{target.id}.metadata.name}}")


def _may_be_omitted(entry: Entry) -> bool:
    return "omit(" in (text_of(entry.value) or "")


def _removal(resource: Resource, entry: Entry) -> tuple[Fix, ...]:
    edit = remove_entry(resource.chunk_text, entry, ())
    return (Fix(f"Remove '{entry.name}'", (edit,)),) if edit else ()


def _group(api_version: str) -> str:
    return api_version.rpartition("/")[0]


RULE = Rule(
    code="contested-field",
    severity=Severity.WARNING,
    summary="A template sets a field that a controller writes, too.",
    explanation="""\
kro applies a template again whenever the object is something else than the template says. Where a controller changes
the same field, the two undo each other's work for ever, and the instance may never be ready. So leave these to the
controller:

- `spec.replicas` of what a HorizontalPodAutoscaler, or a ScaledObject of KEDA, scales whenever it is there.
  Its `minReplicas` says how many there are at least. One that only some instances want has an `includeWhen`, and then
  nobody sets the replicas of the others: have it always, with `minReplicas: ${schema.spec.replicas}` and
  `maxReplicas: ${schema.spec.scale ? schema.spec.maxReplicas : schema.spec.replicas}`, and leave the field out. Where
  kro's gate `CELOmitFunction` is on, `replicas: ${schema.spec.scale ? omit() : schema.spec.replicas}` will do.
- Annotations of controllers, such as `deployment.kubernetes.io/revision`.
- `rules` of a ClusterRole that has an `aggregationRule`.

Annotations that a controller or kubectl writes only once are a hint: they come from an object that was exported from a
cluster, and may mislead its controller.""",
    wrong="""\
resources:
  - id: web
    template:
      apiVersion: apps/v1
      kind: Deployment
      metadata:
        name: ${schema.metadata.name}
      spec:
        replicas: 3
        selector:
          matchLabels:
            app: web
        template:
          metadata:
            labels:
              app: web
          spec:
            containers:
              - name: web
                image: nginx
  - id: scaler
    template:
      apiVersion: autoscaling/v2
      kind: HorizontalPodAutoscaler
      metadata:
        name: ${schema.metadata.name}
      spec:
        scaleTargetRef:
          apiVersion: apps/v1
          kind: Deployment
          name: ${web.metadata.name}
        maxReplicas: 5
""",
    right="""\
resources:
  - id: web
    template:
      apiVersion: apps/v1
      kind: Deployment
      metadata:
        name: ${schema.metadata.name}
      spec:
        selector:
          matchLabels:
            app: web
        template:
          metadata:
            labels:
              app: web
          spec:
            containers:
              - name: web
                image: nginx
  - id: scaler
    template:
      apiVersion: autoscaling/v2
      kind: HorizontalPodAutoscaler
      metadata:
        name: ${schema.metadata.name}
      spec:
        scaleTargetRef:
          apiVersion: apps/v1
          kind: Deployment
          name: ${web.metadata.name}
        maxReplicas: 5
""",
    check_resource=check,
    check_document=check_document,
    in_graphs=GRAPHS,
    in_templates=InTemplates.UNLESS_TEXT_IS_ADDED,
)
