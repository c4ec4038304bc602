"""Resources that wait for each other.

Source: kro `pkg/graph/dag/dag.go`.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from kro_ls.analysis.names.references import references
from kro_ls.kro.places import Place
from kro_ls.rules.diagnostics import DocumentSpan, Finding, Related, Severity
from kro_ls.rules.rule import Rule
from kro_ls.yaml_positions.positions import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.model.model import PlacedResource
    from kro_ls.analysis.names.references import Reference
    from kro_ls.yaml_positions.document import PlacedChunk


def check(analysis: RgdAnalysis) -> Iterator[tuple[PlacedChunk, Finding]]:
    """Find each cycle, once for every reference that closes it: of its last member to its first."""
    for cycle in analysis.graph.cycles:
        text = " -> ".join((*cycle, cycle[0]))
        message = f"graph contains a cycle: {text}; none of them can be created before the others"
        related = tuple(_edge(analysis, *edge) for edge in pairwise(cycle))
        last = analysis.resources[cycle[-1]]
        for reference in _references(last, cycle[0]):
            yield last.placed, Finding(reference.span, message, related)


def _references(placed: PlacedResource, target: str) -> Iterator[Reference]:
    """Yield what makes one resource depend on another; readyWhen does not."""
    for reference in references(placed.resource):
        if reference.name == target and reference.expression.place is not Place.READY_WHEN:
            yield reference


def _edge(analysis: RgdAnalysis, source: str, target: str) -> Related:
    placed = analysis.resources[source]
    span = next(_references(placed, target)).span
    in_document = Span(placed.placed.to_document(span.start), placed.placed.to_document(span.end))
    return Related(DocumentSpan(in_document), f"'{source}' depends on '{target}' here")


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
)
