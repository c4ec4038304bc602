"""A written-out pattern of `find` or `findAll` that is not a regular expression.

kro prepares every expression when it reads an RGD, and these two compile a constant pattern there; `matches` does so
only when it is evaluated. Sources: Kubernetes apiserver `pkg/cel/library/regex.go`, kro `pkg/graph/build_context.go`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.kro.versions.history import GRAPHS, PATTERNS_COMPILED
from kro_ls.rules.diagnostics import Finding, Findings, Severity
from kro_ls.rules.rule import Rule
from kro_ls.rules.types.typed import refused_patterns

if TYPE_CHECKING:
    from kro_ls.analysis.model.model import Resource, SchemaSection
    from kro_ls.analysis.scope import Scope
    from kro_ls.analysis.types.checking import CheckedExpression


def check(checked: CheckedExpression, _part: Resource | SchemaSection, _scope: Scope) -> Findings:
    """Find the invalid patterns."""
    for pattern, error in refused_patterns(checked.expression.inspection):
        message = f"not a valid regular expression: {error.plain}"
        yield Finding(checked.expression.span(pattern.start, pattern.end), message, kro_message=error.message)


RULE = Rule(
    code="invalid-regular-expression",
    severity=Severity.ERROR,
    summary="The pattern of find or findAll is not a regular expression.",
    explanation="""\
`find` and `findAll` take a regular expression in Go's syntax (RE2, without look-around and back references). kro
compiles a pattern that is written out when it reads the RGD, and refuses the RGD when it cannot.""",
    wrong="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
      data:
        digits: ${schema.metadata.name.find("[0-9")}
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
        digits: ${schema.metadata.name.find("[0-9]+")}
""",
    check_expression=check,
    sees_plain_reads=False,
    in_graphs=GRAPHS,
    versions=PATTERNS_COMPILED,
    kro_messages=("error parsing regexp: {problem}",),
)
