"""The type errors of CEL without a rule of their own.

Source: cel-go `checker/checker.go`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.cel.types.check_result import ErrorKind
from kro_ls.kro.versions.history import GRAPHS
from kro_ls.openapi.plain_cel import plain
from kro_ls.rules.diagnostics import Finding, Findings, Severity
from kro_ls.rules.rule import Repair, Rule

if TYPE_CHECKING:
    from kro_ls.analysis.scope import Scope
    from kro_ls.analysis.types.checking import CheckedExpression
    from kro_ls.cel.types.check_result import CheckError


_KINDS = frozenset(
    {
        ErrorKind.UNDECLARED_NAME,
        ErrorKind.TYPE_MISMATCH,
        ErrorKind.NOT_A_RANGE,
        ErrorKind.STRUCT_LITERAL,
        ErrorKind.FORMAT,
        ErrorKind.UNDEFINED_TYPE,
    }
)


def check(checked: CheckedExpression, error: CheckError, _scope: Scope) -> Findings:
    """Find values whose type does not fit their place."""
    if error.kind is ErrorKind.UNDECLARED_NAME:
        name = checked.expression.text[error.start : error.end]
        if name not in {each.name for each in checked.expression.inspection.variables}:
            return  # other rules report names, except variables outside of their scope
    span = checked.expression.span(error.start, error.end)
    yield Finding(span, plain(error, checked.expression.text), kro_message=error.message)


RULE = Rule(
    code="type-error",
    severity=Severity.ERROR,
    summary="A value has a type that its place in the expression does not take.",
    explanation="""\
Conditions of `?:`, `&&`, `||` and of the macros must be `bool`, macros run over lists and maps, and the parts of
`format` must fit its arguments. No variable of a macro can hold a type, as in `[type(a)].exists(t, t == type(b))`: kro
checks such an expression, but looks for a type called `t` when it compiles it.""",
    wrong="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
      data:
        key: ${string(schema.metadata.name && true)}
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
        key: ${string(schema.metadata.name != "" && true)}
""",
    check_error=check,
    errors=_KINDS,
    in_graphs=GRAPHS,
    repairs=(Repair.TYPE_ERROR,),
    kro_messages=(
        "undeclared reference to '{name}' (in container '')",
        "expected type '{expected}' but found '{actual}'",
        "expected type of field '{field}' is '{expected}' but provided type is '{actual}'",
        "expression of type '{type}' cannot be range of a comprehension",
        "'{name}' is not a message type",
        "reference to undefined type: {name}",
        "could not parse formatting clause: {problem}",
        "error during formatting: {problem}",
        "too many arguments supplied to string.format (expected {expected}, got {count})",
    ),
)
