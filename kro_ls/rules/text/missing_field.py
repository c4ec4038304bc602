"""A required field of a ResourceGraphDefinition that is absent.

Source: the ResourceGraphDefinition CRD, and Kubernetes' own rules for object metadata.
"""

from __future__ import annotations

from kro_ls.rules.text.own_field_rule import own_field_rule
from kro_ls.rules.text.own_fields import Fault

RULE = own_field_rule(
    Fault.MISSING,
    code="missing-field",
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
)
