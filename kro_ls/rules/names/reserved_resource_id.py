"""A resource id that kro or CEL keeps for itself.

Source: kro `pkg/graph/validation.go`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.cel.syntax.names import RESERVED_WORDS as CEL_WORDS
from kro_ls.kro.names import RESERVED_WORDS
from kro_ls.kro.versions.history import LATER_RESERVED_WORDS
from kro_ls.kro.versions.version import Versions
from kro_ls.rules.diagnostics import Finding, Severity
from kro_ls.rules.fixes import change_to
from kro_ls.rules.rule import Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.model.model import Resource
    from kro_ls.analysis.scope import Scope


def check(resource: Resource, _scope: Scope) -> Iterator[Finding]:
    """Find an id that is a reserved word."""
    later = LATER_RESERVED_WORDS.get(resource.id or "")
    if resource.id_node is None or not (resource.id in RESERVED_WORDS or later):
        return
    owner = "a word of CEL" if resource.id in CEL_WORDS else "a name with a meaning in kro"
    message = f"id {resource.id} is a reserved keyword in KRO ({owner}): choose another name"
    span = resource.id_node.span
    yield Finding(span, message, fixes=(change_to(span, f"{resource.id}Resource"),), versions=Versions(since=later))


RULE = Rule(
    code="reserved-resource-id",
    severity=Severity.ERROR,
    summary="A resource id is a reserved word.",
    explanation="""\
Words of CEL (`in`, `for`, `true` ...) and names that have a meaning in kro (`schema`, `instance`, `item`, `spec`,
`status` ...) cannot be ids of resources.""",
    wrong="""\
resources:
  - id: instance
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
""",
    right="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
""",
    check_resource=check,
    reads=frozenset(),
)
