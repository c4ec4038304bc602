"""Finds the kinds of templates and external references that no schema source has, once per definition."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.kro.versions.history import GRAPHS
from kro_ls.rules.diagnostics import Finding, PartSpan, Related, Severity
from kro_ls.rules.fixes import change_to
from kro_ls.rules.rule import Repair, Rule, SharedCheck
from kro_ls.spelling import listed
from kro_ls.yaml_positions.nodes import Scalar, field
from kro_ls.yaml_positions.positions import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.definition_queries import MissingKind
    from kro_ls.analysis.facts import KindName
    from kro_ls.rules.rule import PlacedFinding
    from kro_ls.yaml_positions.nodes import Node

NOT_RESOLVED = 'cannot resolve group version kind "{group}/{version}, Kind={kind}": schema not found'
_MOST_RELATED = 20


def check(rgd: RgdAnalysis) -> Iterator[PlacedFinding]:
    """Find the missing kinds, each at its first use."""
    missing = rgd.missing_kinds
    users: dict[KindName, list[int]] = {}
    for number, facts in enumerate(rgd.table.facts if missing else ()):
        if facts.kind and facts.kind in missing:
            users.setdefault(facts.kind, []).append(number)
    for name, (first, *others) in users.items():
        node = _kind_node(rgd, first)
        if isinstance(node, Scalar):
            code = "unknown-kubernetes-kind" if missing[name].is_kubernetes else "unknown-kind"
            yield first, code, _finding(missing[name], node, tuple(_uses(rgd, others)))


def _uses(rgd: RgdAnalysis, numbers: list[int]) -> Iterator[Related]:
    for number in numbers[:_MOST_RELATED]:
        node = _kind_node(rgd, number)
        if node is not None:
            yield Related(PartSpan(number, Span(node.start, node.end)), "used here, too")


def _kind_node(rgd: RgdAnalysis, number: int) -> Node | None:
    return field(rgd.parts[number].object, "kind")


def _finding(missing: MissingKind, node: Scalar, related: tuple[Related, ...]) -> Finding:
    group, _, version = missing.api_version.rpartition("/")
    kro_message = NOT_RESOLVED.format(group=group, version=version, kind=missing.kind)
    close = [each for each in missing.similar if each.api_version == missing.api_version]
    fixes = tuple(change_to(node.span, each.kind) for each in close[:1])
    return Finding(node.span, _message(missing), related, fixes, kro_message=kro_message)


def _message(missing: MissingKind) -> str:
    name = f"{missing.api_version} {missing.kind}"
    meant = f"did you mean {listed(map(str, missing.similar[:2]))}?" if missing.similar else ""
    if missing.lifetime and missing.lifetime.removed_in:
        return f"Kubernetes {missing.lifetime.removed_in} removed '{name}'" + (f"; {meant}" if meant else "")
    if missing.lifetime and missing.lifetime.added_in:
        return f"'{name}' is there since Kubernetes {missing.lifetime.added_in}"
    if missing.is_kubernetes:
        return f"Kubernetes has no kind '{name}'" + (f"; {meant}" if meant else "")
    advice = "add its CustomResourceDefinition to the workspace or to 'kro.crds'"
    return f"unknown kind '{name}'; {meant or advice}"


UNKNOWN_KIND = Rule(
    code="unknown-kind",
    severity=Severity.HINT,
    summary="No known CustomResourceDefinition declares this kind.",
    explanation="""\
Nothing is checked in templates of a kind whose schema is unknown, and expressions may read anything from it. Add the
CustomResourceDefinition to the workspace, or name the folder that holds it in the setting `kro.crds`; `kro-ls kinds`
collects definitions from files, charts, projects and clusters. kro itself needs the kind in its cluster; where all
kinds are known, raise the severity of this rule to `error`.""",
    wrong="""\
resources:
  - id: config
    template:
      apiVersion: example.com/v1
      kind: Bucket
      metadata:
        name: ${schema.metadata.name}
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
    in_graphs=GRAPHS,
    waits_for="kinds",
    repairs=(Repair.KNOWN_KIND,),
    kro_messages=(NOT_RESOLVED,),
)

RULES = (
    UNKNOWN_KIND,
    # Source: kro `pkg/graph/builder.go` (schema lookup); the kinds are those of the chosen Kubernetes version.
    Rule(
        code="unknown-kubernetes-kind",
        severity=Severity.ERROR,
        summary="Kubernetes has no such kind.",
        explanation="""\
The group and version are Kubernetes' own, and the chosen Kubernetes version (setting `kro.kubernetesVersion`) has no
such kind in them. Other versions may have it under another group or version.""",
        wrong="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMaps
      metadata:
        name: ${schema.metadata.name}
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
        in_graphs=GRAPHS,
        repairs=(Repair.KNOWN_KIND,),
        kro_messages=(NOT_RESOLVED,),
    ),
)
CHECK = SharedCheck(RULES, check_document=check)
