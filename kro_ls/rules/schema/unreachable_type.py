"""A custom type whose name cannot be written in a field."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.rule import Rule
from kro_ls.rules.schema.simple_schema import findings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.model.model import SchemaSection
    from kro_ls.analysis.scope import Scope
    from kro_ls.rules.diagnostics import Finding


def check(section: SchemaSection, _scope: Scope) -> Iterator[Finding]:
    """Find custom types with names that a field reads as something else."""
    return findings(section, "unreachable-type")


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
    check_schema=check,
)
