"""`status.conditions` that is not a list of strings.

Source: kro `pkg/graph/builder.go` (extraction of the conditions block).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.kro.versions.history import CONDITIONS
from kro_ls.kro.versions.version import Versions
from kro_ls.rules.diagnostics import Finding, Findings, Severity
from kro_ls.rules.rule import Rule
from kro_ls.yaml_positions.nodes import Mapping, Scalar, Sequence, entry_of, resolved

if TYPE_CHECKING:
    from kro_ls.analysis.model.model import SchemaSection
    from kro_ls.analysis.scope import Scope
    from kro_ls.yaml_positions.nodes import Node

_NO_LIST = "status.conditions must be a list, got {type}"
_NO_TEXT = "status.conditions[{index}] must be a CEL expression string, got {type}"


def check(section: SchemaSection, _scope: Scope) -> Findings:
    """Find conditions that are no list of strings; another rule checks that each string is one expression."""
    entry = entry_of(section.status, "conditions")
    if entry is None:
        return
    value = resolved(entry.value)
    if not isinstance(value, Sequence):
        span = entry.value.span if entry.value.end > entry.value.start else entry.key.span
        message = "'status.conditions' must be a list of expressions"
        yield Finding(span, message, kro_message=_NO_LIST.format(type=_go_type(value)))
        return
    for index, item in enumerate(value.items):
        text = resolved(item)
        if not isinstance(text, Scalar) or not isinstance(text.value, str):
            message = "a condition must be an expression, such as '${runtime.newCondition({type: ..., status: ...})}'"
            yield Finding(item.span, message, kro_message=_NO_TEXT.format(index=index, type=_go_type(text)))


def _go_type(node: Node | None) -> str:
    """Return the type of a value as kro's messages name it."""
    if isinstance(node, Mapping):
        return "map[string]interface {}"
    if isinstance(node, Sequence):
        return "[]interface {}"
    value = node.value if isinstance(node, Scalar) else None
    return {str: "string", bool: "bool", int: "int64", float: "float64"}.get(type(value), "<nil>")


RULE = Rule(
    code="conditions-form",
    severity=Severity.ERROR,
    summary="status.conditions is not a list of expressions.",
    explanation="""\
`spec.schema.status.conditions` is not an ordinary status field: it is a list in which every entry is one expression
that gives a condition, made with `runtime.newCondition`, or a list of conditions.""",
    wrong="""\
schema:
  apiVersion: v1alpha1
  kind: WebApp
  status:
    conditions:
      Available: "True"
""",
    right="""\
schema:
  apiVersion: v1alpha1
  kind: WebApp
  status:
    conditions:
      - '${runtime.newCondition({type: "Available", status: "True"})}'
""",
    check_schema=check,
    versions=Versions(since=CONDITIONS),
    kro_messages=(
        _NO_LIST,
        _NO_TEXT,
    ),
)
