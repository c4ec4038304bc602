"""A method that no value has.

Source: cel-go `checker/checker.go`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.cel.syntax import ast
from kro_ls.cel.types.check_result import ErrorKind
from kro_ls.kro.environment import DISABLED, FUNCTIONS, MACROS
from kro_ls.kro.versions.history import GRAPHS
from kro_ls.rules.diagnostics import Finding, Findings, Severity
from kro_ls.rules.fixes import change_to
from kro_ls.rules.rule import Repair, Rule
from kro_ls.spelling import closest

if TYPE_CHECKING:
    from kro_ls.analysis.scope import Scope
    from kro_ls.analysis.types.checking import CheckedExpression
    from kro_ls.cel.types.check_result import CheckError


_KINDS = frozenset({ErrorKind.UNDECLARED_FUNCTION})

_OTHER_LANGUAGES = {
    "length": "size",
    "len": "size",
    "count": "size",
    "includes": "contains",
    "toLowerCase": "lowerAscii",
}
_OTHER_LANGUAGES |= {"toUpperCase": "upperAscii", "lower": "lowerAscii", "upper": "upperAscii", "any": "exists"}


def check(checked: CheckedExpression, error: CheckError, _scope: Scope) -> Findings:
    """Find unknown methods; functions without a receiver have a rule of their own."""
    call = error.node
    if not isinstance(call, ast.Call) or call.target is None:
        return
    span = checked.expression.span(*call.name_span)
    meant = _OTHER_LANGUAGES.get(call.function) or closest(call.function, _methods())
    fixes = (change_to(span, meant),) if meant else ()
    message = f"unknown method '{call.function}'; {_advice(call.function, meant)}"
    yield Finding(span, message, fixes=fixes, kro_message=error.message)


def _advice(name: str, meant: str | None) -> str:
    if meant:
        return f"did you mean '{meant}'?"
    if name in DISABLED:
        return f"kro does not enable its CEL library, {DISABLED[name]}"
    return "no CEL library that kro enables has it"


def _methods() -> tuple[str, ...]:
    functions = (name for name, each in FUNCTIONS.items() if any(overload.is_member for overload in each.overloads))
    return (*functions, *(name for name, macro in MACROS.items() if macro.receiver))


RULE = Rule(
    code="unknown-method",
    severity=Severity.ERROR,
    summary="An expression calls a method that kro does not have.",
    explanation="""\
The methods are those of CEL and of the libraries that kro enables. A macro called with a wrong number of arguments
is reported here, too: it is then not a macro but a method of that name.""",
    wrong="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
      data:
        key: ${string(schema.metadata.name.length())}
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
        key: ${string(schema.metadata.name.size())}
""",
    check_error=check,
    errors=_KINDS,
    in_graphs=GRAPHS,
    repairs=(Repair.UNKNOWN_CALL,),
    kro_messages=("undeclared reference to '{name}' (in container '')",),
)
