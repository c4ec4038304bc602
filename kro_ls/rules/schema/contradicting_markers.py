"""Bounds that no value can meet."""

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
    """Find lower bounds above the upper ones."""
    return findings(section, "contradicting-markers")


RULE = Rule(
    code="contradicting-markers",
    severity=Severity.WARNING,
    summary="No value can meet the bounds of a field.",
    explanation="""\
A lower bound above the upper one is accepted by kro and Kubernetes alike, and then every value is refused.""",
    wrong="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    replicas: integer | minimum=5 maximum=1
""",
    right="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    replicas: integer | minimum=1 maximum=5
""",
    check_schema=check,
)
