"""Markers of one field that kro refuses together.

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
    """Find markers that contradict another one of the same field."""
    return findings(section, "conflicting-markers")


RULE = Rule(
    code="conflicting-markers",
    severity=Severity.ERROR,
    summary="Two markers of a field exclude each other.",
    explanation="""\
A list has one list type: `uniqueItems=true` makes it a `set`. `listMapKey` needs `listType=map`, and names
each key once.""",
    wrong="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    names: '[]string | uniqueItems=true listType=atomic'
""",
    right="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    names: '[]string | uniqueItems=true'
""",
    check_schema=check,
)
