"""A field whose schema kro cannot use.

Source: kro `pkg/graph/parser/parser.go`.
"""

from __future__ import annotations

from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.rule import Rule

RULE = Rule(
    code="unusable-schema",
    severity=Severity.ERROR,
    summary="kro cannot use the schema of this field.",
    explanation="""\
kro needs a type for each field that a template sets. Some CustomResourceDefinitions leave it out, for example for the
values of a map of anything; kro then refuses every value inside, though the API server would take it.""",
    wrong="",
    right="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
""",
    kro_messages=(
        "schema at path {path} has no valid type, OneOf, AnyOf, or AdditionalProperties",
        "invalid array schema for path {path}: neither Items.Schema nor Properties are defined",
    ),
)
