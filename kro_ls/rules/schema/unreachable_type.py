"""A custom type whose name cannot be written in a field."""

from __future__ import annotations

from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.rule import InTemplates, Rule

RULE = Rule(
    code="unreachable-type",
    severity=Severity.WARNING,
    summary="No field can use a custom type of this name.",
    explanation="""\
The name of a custom type that is a built-in type, or has blanks, `|`, `[]` or `map[` in it, is read as something else
wherever it is used.""",
    wrong="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  types:
    string:
      length: integer
  spec:
    name: string
""",
    right="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  types:
    Text:
      length: integer
  spec:
    name: Text
""",
    in_templates=InTemplates.UNLESS_TEXT_IS_ADDED,
)
