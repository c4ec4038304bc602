"""A field of a template that its kind does not have.

Source: kro `pkg/graph/parser/parser.go`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.model.keys import likely_meant
from kro_ls.analysis.types.template import TemplateFault
from kro_ls.rules.diagnostics import Finding, Severity
from kro_ls.rules.fixes import change_to
from kro_ls.rules.resources.incomplete_object import REQUIRED_FIELDS
from kro_ls.rules.rule import Rule
from kro_ls.rules.types.template_faults import template_faults
from kro_ls.yaml_positions.access import entry_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.model.model import Resource
    from kro_ls.analysis.scope import Scope


def check(resource: Resource, scope: Scope) -> Iterator[Finding]:
    """Find the fields that the schema of the kind does not know."""
    for problem in template_faults(resource, scope, TemplateFault.UNKNOWN_FIELD):
        name = str(problem.path[-1])
        meant = likely_meant(name, problem.known_fields)
        if len(problem.path) == 1 and meant in REQUIRED_FIELDS and entry_of(resource.object, meant) is None:
            # Reported as the missing field.
            continue
        hint = f"did you mean '{meant}'?" if meant else f"{scope.kind.name if scope.kind else ''} has no such field"
        fixes = (change_to(problem.node.span, meant),) if meant else ()
        yield Finding(problem.node.span, f"{problem.message}: {hint}", fixes=fixes)


RULE = Rule(
    code="unknown-template-field",
    severity=Severity.ERROR,
    summary="A template sets a field that its kind does not have.",
    explanation="""\
kro resolves every field of a template in the OpenAPI schema of its kind and refuses the ones that are not there.""",
    wrong="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
      dta:
        key: value
""",
    right="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
      data:
        key: value
""",
    check_resource=check,
)
