"""A default that is not of the field's type.

Source: kro `pkg/simpleschema/markers.go`.
"""

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
    """Find defaults that are no integer, number or boolean where one is needed."""
    return findings(section, "invalid-default")


RULE = Rule(
    code="invalid-default",
    severity=Severity.ERROR,
    summary="The default of a field is not of its type.",
    explanation="""\
The default of an integer, float or boolean must be one. Lists, maps and objects take JSON.""",
    wrong="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    replicas: integer | default=many
""",
    right="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    replicas: integer | default=3
""",
    check_schema=check,
)
