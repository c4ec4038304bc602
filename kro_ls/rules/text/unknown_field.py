"""A field that a ResourceGraphDefinition does not have.

Source: the ResourceGraphDefinition CRD under strict field validation, which kubectl asks for.
"""

from __future__ import annotations

from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.kro_texts import UNKNOWN_FIELD
from kro_ls.rules.rule import BrokenYaml, Repair, Rule

RULE = Rule(
    code="unknown-field",
    severity=Severity.ERROR,
    in_broken_yaml=BrokenYaml.BEFORE,
    summary="A ResourceGraphDefinition has no field of this name.",
    explanation="""\
A field that the kind does not have is either a misspelt one or stands in the wrong place. kubectl refuses it; without
strict validation the API server would silently drop it, which is worse.""",
    wrong="""\
resources:
  - id: config
    templat:
      apiVersion: v1
      kind: ConfigMap
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
    repairs=(Repair.MENDED_LINES, Repair.REMOVED_FIELD),
    kro_messages=(UNKNOWN_FIELD,),
)
