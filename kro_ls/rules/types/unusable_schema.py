"""A field whose schema kro cannot use.

Source: kro `pkg/graph/parser/parser.go`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.types.template import TemplateFault
from kro_ls.rules.diagnostics import Finding, Severity
from kro_ls.rules.rule import Rule
from kro_ls.rules.types.template_faults import template_faults

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.model.model import Resource
    from kro_ls.analysis.scope import Scope


def check(resource: Resource, scope: Scope) -> Iterator[Finding]:
    """Find fields that are set though kro cannot tell what they take."""
    for problem in template_faults(resource, scope, TemplateFault.UNUSABLE_SCHEMA):
        advice = "kro cannot tell what this field takes; leave it out, or set the field above it with one expression"
        yield Finding(problem.node.span, f"{problem.message}: {advice}")


RULE = Rule(
    code="unusable-schema",
    severity=Severity.ERROR,
    summary="kro cannot use the schema of this field.",
    explanation="""\
kro needs a type for each field that a template sets. Some CustomResourceDefinitions leave it out, for example for the
values of a map of anything; kro then refuses every value inside, though the API server would take it.""",
    wrong="",
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
    reads=frozenset({"kind"}),
)
