"""A status expression that looks at nothing.

Source: kro `pkg/graph/builder.go` (instance status field must refer to a resource or schema).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.model.paths import format_path
from kro_ls.kro.places import Place
from kro_ls.kro.versions.version import OLDEST, Versions
from kro_ls.rules.diagnostics import Finding, Severity
from kro_ls.rules.rule import Rule
from kro_ls.rules.versions.early_inspection import inspected_since

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.model.model import SchemaSection
    from kro_ls.analysis.scope import Scope


def check(section: SchemaSection, _scope: Scope) -> Iterator[Finding]:
    """Find the status expressions without any name; a name that means nothing is reported as such."""
    for expression in section.expressions:
        inspection = expression.inspection
        if expression.place is not Place.STATUS or inspection.parsed.errors:
            continue
        if inspection.unknown_functions or inspection.omit_calls:
            continue
        first = min((inspected_since(expression, use.node) for use in inspection.names), default=None)
        if first != OLDEST:
            path = format_path(("status", *expression.path))
            message = f"instance status field must refer to a resource or schema: {path}; this value never changes"
            yield Finding(expression.whole, message, versions=Versions(before=first))


RULE = Rule(
    code="status-without-reference",
    severity=Severity.ERROR,
    summary="A status expression refers to neither a resource nor the instance.",
    explanation="""\
A status field shows something of the instance (`schema`) or of its resources. An expression that names neither, such as
`${1 + 1}`, is refused. A macro's variable that has the name of a resource hides the resource.""",
    wrong="""\
schema:
  apiVersion: v1alpha1
  kind: WebApp
  status:
    two: ${1 + 1}
""",
    right="""\
schema:
  apiVersion: v1alpha1
  kind: WebApp
  status:
    size: ${size(schema.metadata.name)}
""",
    check_schema=check,
)
