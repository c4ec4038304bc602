"""Markers that cannot be read.

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
    """Find markers without a value, quotes and brackets that are not closed, and separators that are none."""
    return findings(section, "marker-syntax")


RULE = Rule(
    code="marker-syntax",
    severity=Severity.ERROR,
    summary="The markers of a field cannot be read.",
    explanation="""\
Behind the `|` stand markers `name=value`, separated by blanks only. A value with blanks is put in double quotes, and a
double quote inside of it is written `\\"`.""",
    wrong="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    team: string | required
""",
    right="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    team: string | required=true
""",
    check_schema=check,
)
