"""A required field of a ResourceGraphDefinition that is absent.

Source: the ResourceGraphDefinition CRD, and Kubernetes' own rules for object metadata.
"""

from __future__ import annotations

from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.rule import BrokenYaml, InTemplates, Repair, Rule

RULE = Rule(
    code="missing-field",
    severity=Severity.ERROR,
    in_broken_yaml=BrokenYaml.HIDDEN,
    summary="A required field is absent.",
    explanation="""\
The API server refuses a ResourceGraphDefinition without this field. A field whose value is null counts as absent.""",
    wrong="""\
schema:
  kind: WebApp
""",
    right="""\
schema:
  apiVersion: v1alpha1
  kind: WebApp
""",
    in_templates=InTemplates.UNLESS_TEXT_IS_ADDED,
    waits_for="rest",
    repairs=(Repair.LINES_OF_EMPTY_FIELD, Repair.ADDED_ID, Repair.GLUED_KEYS),
    prefers_repairs=True,
    kro_messages=("{path}: Required value",),
)
