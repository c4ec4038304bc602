"""A marker on a type that it is not for.

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
    """Find markers that cannot stand on the type of their field."""
    return findings(section, "marker-not-applicable")


RULE = Rule(
    code="marker-not-applicable",
    severity=Severity.ERROR,
    summary="A marker stands on a type that it is not for.",
    explanation="""\
`pattern`, `minLength` and `maxLength` are for strings, `minItems`, `maxItems`, `uniqueItems`, `listType` and
`listMapKey` for lists, `enum` for strings and integers.""",
    wrong="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    ports: '[]integer | maxLength=5'
""",
    right="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    ports: '[]integer | maxItems=5'
""",
    check_schema=check,
)
