"""An external reference that nothing uses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.facts import facts_of
from kro_ls.kro.places import BOOL_PLACES
from kro_ls.rules.diagnostics import Finding, PartFindings, Severity
from kro_ls.rules.rule import InTemplates, Rule, Tag
from kro_ls.rules.surprises.readable import is_all_readable

if TYPE_CHECKING:
    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.model.model import Resource


def check(rgd: RgdAnalysis) -> PartFindings:
    """Find external references that no expression uses and that have no conditions."""
    external = [number for number in rgd.table.external if _only_serves_others(rgd.parts[number])]
    if not external or not is_all_readable(rgd.reader):
        return
    used = frozenset[str]().union(*[block.names for block in rgd.table.blocks])
    used |= rgd.section_names
    for number in external:
        resource = rgd.parts[number]
        is_whole = resource.id_node is not None and rgd.kind(resource) is not None
        if is_whole and resource.id_node and resource.id not in used:
            message = f"'{resource.id}' is never referenced; kro only waits for it to exist"
            yield number, Finding(resource.id_node.span, message)


def _only_serves_others(resource: Resource) -> bool:
    return facts_of(resource).conditions.isdisjoint(BOOL_PLACES)


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
    in_templates=InTemplates.UNLESS_TEXT_IS_ADDED,
    tag=Tag.UNNECESSARY,
)
