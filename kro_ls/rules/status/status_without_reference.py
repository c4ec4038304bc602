"""A status expression that refers to no resource and not to the instance.

Source: kro `pkg/graph/builder.go` (instance status field must refer to a resource or schema).
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from kro_ls.analysis.model.paths import format_path, short_path
from kro_ls.kro.places import Place
from kro_ls.kro.versions.version import OLDEST, Versions
from kro_ls.rules.diagnostics import Finding, Findings, Severity
from kro_ls.rules.rule import InTemplates, Rule
from kro_ls.rules.versions.newer_functions import inspected_since

if TYPE_CHECKING:
    from kro_ls.analysis.model.expressions import Expression
    from kro_ls.analysis.model.model import SchemaSection
    from kro_ls.analysis.scope import Scope

_NO_REFERENCE = "instance status field must refer to a resource or schema: {path}"


def check(section: SchemaSection, _scope: Scope) -> Findings:
    """Find the status expressions without any name; unknown names have a rule of their own."""
    for _, of_scalar in groupby(section.expressions, lambda each: id(each.scalar)):
        expressions = tuple(of_scalar)
        expression = expressions[0]
        if expression.place is not Place.STATUS or any(map(_is_faulty, expressions)):
            continue
        uses = [(each, use.node) for each in expressions for use in each.inspection.names]
        first = min((inspected_since(each, node) for each, node in uses), default=None)
        if first != OLDEST:
            path = format_path(("status", *expression.path))
            message = (
                f"'{short_path(expression.path)}' never changes; a status field must refer to a resource or 'schema'"
            )
            kro_message = _NO_REFERENCE.format(path=path)
            yield Finding(expression.whole, message, versions=Versions(before=first), kro_message=kro_message)


def _is_faulty(expression: Expression) -> bool:
    """Whether an expression has another fault, which is reported."""
    inspection = expression.inspection
    return bool(not inspection.parsed.is_valid or inspection.unknown_functions or inspection.omit_calls)


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
    in_templates=InTemplates.UNLESS_TEXT_IS_ADDED,
    kro_messages=(_NO_REFERENCE,),
)
