"""Resources that wait for each other.

Source: kro `pkg/graph/dag/dag.go`.
"""

from __future__ import annotations

from itertools import islice, pairwise
from typing import TYPE_CHECKING

from kro_ls.analysis.names.references import depending_references
from kro_ls.kro.versions.history import GRAPHS
from kro_ls.kro.versions.version import Versions
from kro_ls.rules.diagnostics import Finding, PartFindings, PartSpan, Related, Severity
from kro_ls.rules.rule import Repair, Rule
from kro_ls.rules.versions.newer_functions import inspected_since

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.model.model import Resource
    from kro_ls.analysis.names.references import Reference
    from kro_ls.kro.versions.version import Version

_MOST_SHOWN = 20
_CYCLE = "graph contains a cycle: {cycle}"


def check(rgd: RgdAnalysis) -> PartFindings:
    """Find each cycle, at every reference of its last member to its first."""
    for cycle in rgd.cycles:
        message = f"dependency cycle '{_shown(cycle)}'; none of these can be created before the others"
        kro_message = _CYCLE.format(cycle=" -> ".join((*cycle, cycle[0])))
        edges = tuple(islice(_edges(rgd, cycle), _MOST_SHOWN))
        last = rgd.table.numbers[cycle[-1]]
        versions = Versions(since=_seen_since(rgd, cycle))
        for reference in _references(rgd.parts[last], cycle[0]):
            place = PartSpan(last, reference.span)
            related = tuple(each for each in edges if each.target != place)
            yield last, Finding(reference.span, message, related, versions=versions, kro_message=kro_message)


def _shown(cycle: tuple[str, ...]) -> str:
    """Return the path of a cycle; of a long one, the beginning and the end."""
    if len(cycle) > _MOST_SHOWN:
        half = _MOST_SHOWN // 2
        left_out = f"... {len(cycle) - 2 * half} more ..."
        return " -> ".join((*cycle[:half], left_out, *cycle[-half:], cycle[0]))
    return " -> ".join((*cycle, cycle[0]))


def _references(resource: Resource, target: str) -> Iterator[Reference]:
    """Yield the references that make a resource depend on another."""
    return (reference for reference in depending_references(resource) if reference.name == target)


def _seen_since(rgd: RgdAnalysis, cycle: tuple[str, ...]) -> Version:
    """Return the first version in which each resource of a cycle depends on the next one."""
    edges = (
        _references(rgd.parts[rgd.table.numbers[source]], target) for source, target in pairwise((*cycle, cycle[0]))
    )
    return max(min(inspected_since(each.expression, each.use.node) for each in edge) for edge in edges)


def _edges(rgd: RgdAnalysis, cycle: tuple[str, ...]) -> Iterator[Related]:
    """Yield every reference of a cycle, the closing ones last."""
    for source, target in pairwise((*cycle, cycle[0])):
        number = rgd.table.numbers[source]
        for reference in _references(rgd.parts[number], target):
            yield Related(PartSpan(number, reference.span), f"'{source}' depends on '{target}' here")


RULE = Rule(
    code="dependency-cycle",
    severity=Severity.ERROR,
    summary="Resources depend on each other in a circle.",
    explanation="""\
A resource that refers to another one is created after it. Where the references form a circle there is no order. Break
the circle: take the value from `schema` or from a third resource. A `readyWhen` makes no dependency.""",
    wrong="""\
resources:
  - id: first
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${second.metadata.name}-first
  - id: second
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${first.metadata.name}-second
""",
    right="""\
resources:
  - id: first
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}-first
  - id: second
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${first.metadata.name}-second
""",
    check_document=check,
    in_graphs=GRAPHS,
    repairs=(Repair.INLINED_REFERENCE,),
    kro_messages=(_CYCLE,),
)
