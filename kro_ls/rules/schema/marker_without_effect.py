"""A marker that is accepted and does nothing: it is not for this type, or it is given again."""

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
    """Find bounds of numbers on what is no number, and markers that a later one overrides."""
    return findings(section, "marker-without-effect")


RULE = Rule(
    code="marker-without-effect",
    severity=Severity.WARNING,
    summary="A marker does nothing on a field of this type.",
    explanation="""\
`minimum` and `maximum` bound numbers. On any other type kro and Kubernetes accept and ignore them. Of a marker
that is given twice, such as `default`, the last one counts.""",
    wrong="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    name: string | minimum=3
""",
    right="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    name: string | minLength=3
""",
    check_schema=check,
)
