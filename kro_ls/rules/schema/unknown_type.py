"""A type that nothing declares.

Source: kro `pkg/simpleschema/transform.go` (unknown type), `pkg/graph/dag` (node does not exist).
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
    """Find names of types that are neither built in nor declared in `types`."""
    return findings(section, "unknown-type")


RULE = Rule(
    code="unknown-type",
    severity=Severity.ERROR,
    summary="A field has a type that is not declared.",
    explanation="""\
The built-in types are `string`, `integer`, `boolean`, `float` and `object`; `spec.schema.types` declares further ones.
Names count upper and lower case.""",
    wrong="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    replicas: int
""",
    right="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    replicas: integer
""",
    check_schema=check,
)
