"""Two resources with the same id.

Source: kro `pkg/graph/validation.go`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.kro.versions.history import GRAPHS
from kro_ls.rules.diagnostics import Finding, PartFindings, Related, ResourceDeclaration, Severity
from kro_ls.rules.rule import InTemplates, Repair, Rule

if TYPE_CHECKING:
    from kro_ls.analysis.analysis import RgdAnalysis

_REPEATED = "found duplicate resource IDs {id}"


def check(rgd: RgdAnalysis) -> PartFindings:
    """Find every id that an earlier resource has."""
    table = rgd.table
    for number, facts in enumerate(table.facts if table.repeated else ()):
        if facts.id is None or table.numbers[facts.id] == number:
            continue
        id_node = rgd.parts[number].id_node
        if id_node is not None:
            message = f"'{facts.id}' is already the id of a resource; each resource needs its own"
            first = Related(ResourceDeclaration(facts.id), f"the first resource '{facts.id}'")
            yield number, Finding(id_node.span, message, (first,), kro_message=_REPEATED.format(id=facts.id))


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
    in_graphs=GRAPHS,
    in_templates=InTemplates.NEVER,
    repairs=(Repair.RENAMED_ID,),
    kro_messages=(_REPEATED,),
)
