"""A marker that kro does not know.

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
    """Find names of markers that kro does not know."""
    return findings(section, "unknown-marker")


RULE = Rule(
    code="unknown-marker",
    severity=Severity.ERROR,
    summary="A field has a marker that does not exist.",
    explanation="""\
The markers are `required`, `default`, `description`, `minimum`, `maximum`, `validation`, `immutable`, `enum`,
`pattern`, `minLength`, `maxLength`, `uniqueItems`, `minItems`, `maxItems`, `listType` and `listMapKey`.""",
    wrong="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    replicas: integer | min=1
""",
    right="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    replicas: integer | minimum=1
""",
    check_schema=check,
)
