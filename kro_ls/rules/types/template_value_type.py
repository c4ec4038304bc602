"""A literal of a template that has a wrong type for its field.

Source: kro `pkg/graph/parser/parser.go`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.types.template import TemplateFault, TemplateProblem, expected_types
from kro_ls.rules.diagnostics import Finding, Fix, Replacement, Severity
from kro_ls.rules.fixes import quoted
from kro_ls.rules.rule import Rule
from kro_ls.rules.types.template_faults import template_faults
from kro_ls.yaml_positions.access import resolved
from kro_ls.yaml_positions.nodes import Scalar

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.model.model import Resource
    from kro_ls.analysis.scope import Scope


def check(resource: Resource, scope: Scope) -> Iterator[Finding]:
    """Find values whose JSON type the schema does not allow."""
    for problem in template_faults(resource, scope, TemplateFault.WRONG_TYPE):
        if problem.path == ("metadata",):
            # kro wants a mapping here before it looks at any schema; that is another rule's error.
            continue
        fixes = tuple(_fixes(resource.chunk_text, problem))
        yield Finding(problem.node.span, problem.message + _advice(problem), fixes=fixes)


def _advice(problem: TemplateProblem) -> str:
    node = resolved(problem.node)
    if isinstance(node, Scalar) and isinstance(node.value, str) and "${" in node.value:
        return ": text around an expression makes a string; use the expression alone"
    return ""


def _fixes(chunk_text: str, problem: TemplateProblem) -> Iterator[Fix]:
    """Offer quotes around a number or boolean where a string is wanted."""
    node = problem.node
    if (
        isinstance(node, Scalar)
        and not isinstance(node.value, str)
        and "string" in expected_types(problem.schema or {})
    ):
        written = chunk_text[node.start : node.end]
        yield Fix("Quote the value", (Replacement(node.span, quoted(written)),))


RULE = Rule(
    code="template-value-type",
    severity=Severity.ERROR,
    summary="A value in a template has a wrong type for its field.",
    explanation="""\
kro compares the kind of every literal (text, integer, number, boolean, list, object) with the schema of its field. An
expression that stands alone may fill any field here; its type is checked afterwards.""",
    wrong="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
      data:
        replicas: 3
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
        replicas: "3"
""",
    check_resource=check,
)
