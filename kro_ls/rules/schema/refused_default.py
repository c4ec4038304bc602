"""A default that the field's own schema forbids.

Source: k8s.io/apiextensions-apiserver, pkg/apiserver/schema/defaulting.
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
    """Find defaults that are not allowed by the enum, the bounds or the type."""
    return findings(section, "refused-default")


RULE = Rule(
    code="refused-default",
    severity=Severity.WARNING,
    summary="The other markers of a field forbid its default.",
    explanation="""\
Kubernetes checks every default against its schema. kro accepts one that is not allowed, and then the CRD cannot be
created.""",
    wrong="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    size: string | enum="small,large" default=medium
""",
    right="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    size: string | enum="small,large" default=small
""",
    check_schema=check,
)
