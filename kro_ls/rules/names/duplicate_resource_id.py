"""Two resources with the same id.

Source: kro `pkg/graph/validation.go`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.rules.diagnostics import Finding, Related, ResourceDeclaration, Severity
from kro_ls.rules.rule import Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.yaml_positions.runs import PlacedChunk


def check(analysis: RgdAnalysis) -> Iterator[tuple[PlacedChunk, Finding]]:
    """Find every id that an earlier resource has already."""
    for placed in analysis.rgd.resources:
        resource = placed.resource
        if resource.id is None or resource.id_node is None or analysis.resources.get(resource.id) is placed:
            continue
        message = f"found duplicate resource IDs {resource.id}: each resource needs an id of its own"
        first = Related(ResourceDeclaration(resource.id), "the first resource with this id")
        yield placed.placed, Finding(resource.id_node.span, message, (first,))


RULE = Rule(
    code="duplicate-resource-id",
    severity=Severity.ERROR,
    summary="Two resources have the same id.",
    explanation="""\
Expressions refer to a resource by its id, so each id may occur once. Ids that differ in upper and lower case are
different.""",
    wrong="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}-extra
""",
    right="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
  - id: extraConfig
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}-extra
""",
    check_document=check,
)
