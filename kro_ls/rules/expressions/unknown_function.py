"""A call of a function that kro does not have.

Source: kro `pkg/graph/builder.go` (uses unknown functions). Unknown methods are the type checker's to report.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from kro_ls.kro.environment import DISABLED, FUNCTIONS, MACROS
from kro_ls.kro.versions.history import GRAPHS
from kro_ls.rules.diagnostics import Finding, Findings, Fix, Severity
from kro_ls.rules.fixes import change_to
from kro_ls.rules.rule import Repair, Rule
from kro_ls.spelling import closest

if TYPE_CHECKING:
    from kro_ls.analysis.model.expressions import Expression
    from kro_ls.analysis.model.model import Resource, SchemaSection
    from kro_ls.analysis.scope import Scope
    from kro_ls.cel.syntax.ast import Call

_UNKNOWN = "uses unknown functions: [{functions}]"

_OTHER_LANGUAGES = {
    "len": "size",
    "length": "size",
    "count": "size",
    "str": "string",
    "toString": "string",
    "float": "double",
}


def check(part: Resource | SchemaSection, _scope: Scope) -> Findings:
    """Find the calls of global functions that no library declares."""
    for expression in part.expressions:
        inspection = expression.inspection
        if inspection.parsed.is_valid:
            yield from (_finding(expression, call) for call in inspection.unknown_functions)


def _finding(expression: Expression, call: Call) -> Finding:
    name = call.function
    if call.leading_dot:
        span = expression.span(call.start, call.name_span[1])
        message = f"unknown function '.{name}'; no name in kro begins with a dot"
        kro_message = _UNKNOWN.format(functions=f"{{.{name}}}")
        return Finding(span, message, fixes=(change_to(span, name),), kro_message=kro_message)
    span = expression.span(*call.name_span)
    suggestion = _OTHER_LANGUAGES.get(name) or closest(name, _global_functions())
    fixes: tuple[Fix, ...] = ()
    if name in DISABLED:
        advice = f"kro does not enable its CEL library, {DISABLED[name]}"
    elif name in MACROS and name not in FUNCTIONS:
        advice = f"it is called on a value, as in '{MACROS[name].receiver}.{MACROS[name].signatures()[0]}'"
    elif suggestion:
        advice, fixes = f"did you mean '{suggestion}'?", (change_to(span, suggestion),)
    else:
        advice = "no CEL library that kro enables has it"
    listed = " ".join(f"{{{each.function}}}" for each in expression.inspection.unknown_functions)
    kro_message = _UNKNOWN.format(functions=listed)
    return Finding(span, f"unknown function '{name}'; {advice}", fixes=fixes, kro_message=kro_message)


@cache  # the functions are constants of the program
def _global_functions() -> tuple[str, ...]:
    return tuple(
        name
        for name, declaration in FUNCTIONS.items()
        if name.isidentifier() and any(not overload.is_member for overload in declaration.overloads)
    )


RULE = Rule(
    code="unknown-function",
    severity=Severity.ERROR,
    summary="An expression calls a function that kro does not have.",
    explanation="""\
kro enables the standard library of CEL, the libraries of Kubernetes and some of its own, but not every library there
is: `math`, `sets` and others are off.""",
    wrong="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${strng(schema.metadata.name)}
""",
    right="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${string(schema.metadata.name)}
""",
    check_resource=check,
    check_schema=check,
    in_graphs=GRAPHS,
    repairs=(Repair.UNKNOWN_CALL,),
    kro_messages=(_UNKNOWN,),
)
