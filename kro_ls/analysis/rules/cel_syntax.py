"""An expression that is not CEL.

Source: cel-go's parser, whose messages kro prints.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.diagnostics import Finding, Severity
from kro_ls.analysis.inspection import inspect
from kro_ls.analysis.rules.rule import Rule
from kro_ls.yaml_positions.positions import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.expressions import Expression
    from kro_ls.analysis.model import Resource, SchemaSection
    from kro_ls.analysis.rules.scope import Scope


def check(part: Resource | SchemaSection, _scope: Scope) -> Iterator[Finding]:
    """Find the first syntax error of each expression; the ones after it often only follow from it."""
    for expression in part.expressions:
        errors = inspect(expression.text).parsed.errors
        if not errors:
            continue
        first = errors[0]
        if not expression.compiled.user_text.strip():
            yield Finding(expression.whole, f"the expression is empty ({first.message})")
            continue
        message = f"{first.hint} ({first.message})" if first.hint else first.message
        yield Finding(_visible(expression, first.start, first.end), message)


def _visible(expression: Expression, start: int, end: int) -> Span:
    """Return the span of an error; one at the end of the text is shown on the brace that ends the expression."""
    span = expression.span(start, end)
    if span.end > span.start:
        return span
    at = min(span.start, expression.scalar.end - 1)
    return Span(at, at + 1)


RULE = Rule(
    code="cel-syntax",
    severity=Severity.ERROR,
    summary="An expression is not valid CEL.",
    explanation="""\
The text inside `${...}` cannot be read as CEL. Only the first error of an expression is shown. The text in parentheses
is what kro prints.""",
    wrong="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name +}
""",
    right="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name + "-config"}
""",
    check_resource=check,
    check_schema=check,
)
