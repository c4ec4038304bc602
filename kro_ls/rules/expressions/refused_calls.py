"""Finds calls that kro refuses: of unknown functions, and of `omit()` where it is not allowed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.kro.controller import OMIT
from kro_ls.kro.environment import DISABLED, FUNCTIONS, MACROS
from kro_ls.kro.places import OBJECT_PLACES, STATUS_PLACES, Place
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


def check_unknown(part: Resource | SchemaSection, _scope: Scope) -> Findings:
    """Find the calls of global functions that no library declares."""
    for expression in part.expressions:
        inspection = expression.inspection
        if not inspection.parsed.errors:
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


def _global_functions() -> tuple[str, ...]:
    return tuple(
        name
        for name, declaration in FUNCTIONS.items()
        if name.isidentifier() and any(not overload.is_member for overload in declaration.overloads)
    )


_ONLY_IN_TEMPLATES = "omit() can only be used in resource template expressions"
_NEEDS_GATE = "omit() requires the {gate} feature gate to be enabled"
_NOT_FOR_NAME = (
    'omit() cannot be used at path "metadata.name" — the field is required and must resolve to a concrete value'
)
_NEVER = STATUS_PLACES | {Place.READY_WHEN}


def check_omit(part: Resource | SchemaSection, scope: Scope) -> Findings:
    """Find the calls of omit() that kro refuses."""
    for expression in part.expressions:
        inspection = expression.inspection
        refusal = _refusal(expression, scope) if inspection.omit_calls and not inspection.parsed.errors else None
        if refusal:
            message, kro_message = refusal
            for call in inspection.omit_calls:
                yield Finding(expression.span(call.start, call.end), message, kro_message=kro_message)


def _refusal(expression: Expression, scope: Scope) -> tuple[str, str] | None:
    """Return the messages for people and of kro; None if the call is allowed."""
    place = expression.place
    if place in _NEVER or (place is Place.FOR_EACH and scope.omit_enabled):
        return f"'omit()' is only available in templates, not in {place.value}", _ONLY_IN_TEMPLATES
    if not scope.omit_enabled:
        message = f"'omit()' needs the feature gate '{OMIT.name}', which is off by default"
        return message, _NEEDS_GATE.format(gate=OMIT.name)
    if place in OBJECT_PLACES and expression.path == ("metadata", "name"):
        return "'omit()' cannot leave out 'metadata.name'; every object needs a name", _NOT_FOR_NAME
    return None


RULES = (
    # Source: kro `pkg/graph/builder.go` (uses unknown functions). Unknown methods are the type checker's to report.
    Rule(
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
        check_resource=check_unknown,
        check_schema=check_unknown,
        in_graphs=GRAPHS,
        repairs=(Repair.UNKNOWN_CALL,),
        kro_messages=(_UNKNOWN,),
    ),
    # Source: kro `pkg/graph/builder.go` and `pkg/features` (gate CELOmitFunction, off by default).
    Rule(
        code="omit-not-allowed",
        severity=Severity.ERROR,
        summary="omit() is used where kro does not allow it.",
        explanation="""\
`omit()` leaves a field out of a template. The cluster's administrator has to turn it on with the feature gate
`CELOmitFunction`; a setting tells kro-ls that it is on. Even then it works in templates only, and not for the name of
an object.""",
        wrong="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
      data:
        color: ${omit()}
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
        color: none
""",
        check_resource=check_omit,
        check_schema=check_omit,
        in_graphs=GRAPHS,
        kro_messages=(
            _ONLY_IN_TEMPLATES,
            _NEEDS_GATE,
            _NOT_FOR_NAME,
        ),
    ),
)
