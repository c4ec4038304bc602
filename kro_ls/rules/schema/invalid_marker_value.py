"""A marker's value that kro cannot use.

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
    """Find values of markers that kro cannot read."""
    return findings(section, "invalid-marker-value")


RULE = Rule(
    code="invalid-marker-value",
    severity=Severity.ERROR,
    summary="The value of a marker is not what the marker takes.",
    explanation="""\
`required`, `immutable` and `uniqueItems` take `true` or `false`, bounds take numbers, `enum` takes a list such as
`enum="a,b"`, `pattern` a regular expression in the syntax of RE2 and `listType` one of `atomic`, `set` and `map`.""",
    wrong="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    team: string | required=yes
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
