"""An external reference that nothing refers to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.model.model import ResourceType
from kro_ls.analysis.names.references import names
from kro_ls.kro.places import BOOL_PLACES
from kro_ls.rules.diagnostics import Finding, Severity
from kro_ls.rules.rule import Rule
from kro_ls.rules.surprises.usage import is_readable, parts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.model.model import Resource
    from kro_ls.yaml_positions.document import PlacedChunk


def check(analysis: RgdAnalysis) -> Iterator[tuple[PlacedChunk, Finding]]:
    """Find external references that no expression uses and that state no condition of their own."""
    external = [placed for placed in analysis.rgd.resources if _only_serves_others(placed.resource)]
    if not external or not is_readable(analysis):
        return
    used = frozenset[str]().union(*map(names, parts(analysis)))
    for placed in external:
        resource = placed.resource
        is_whole = resource.id_node is not None and analysis.surroundings.kind(resource) is not None
        if is_whole and resource.id_node and resource.id not in used:
            message = f"nothing refers to '{resource.id}': kro only waits for it to exist"
            yield placed.placed, Finding(resource.id_node.span, message)


def _only_serves_others(resource: Resource) -> bool:
    if resource.type not in (ResourceType.EXTERNAL, ResourceType.EXTERNAL_COLLECTION):
        return False
    return not any(expression.place in BOOL_PLACES for expression in resource.expressions)


RULE = Rule(
    code="unused-resource",
    severity=Severity.HINT,
    summary="Nothing refers to an external reference.",
    explanation="""\
An external reference is there to be read by other resources or by the status. When nothing reads it, its only effect is
that the instance is not ready before the object exists. If that is what you want, say so with a `readyWhen`.

A resource with a template is never unused: it creates an object.""",
    wrong="""\
resources:
  - id: shared
    externalRef:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: shared
""",
    right="""\
resources:
  - id: shared
    externalRef:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: shared
  - id: copy
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
      data: ${shared.data}
""",
    check_document=check,
)
