"""Conditions whose literal types or statuses kro refuses.

Source: kro `pkg/graph/conditions.go`. Only literals are checked; what is computed shows at run time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.cel.syntax import ast
from kro_ls.kro.controller import BUILT_IN_CONDITIONS, CONDITION_STATUSES
from kro_ls.kro.places import Place
from kro_ls.kro.versions.history import CONDITIONS
from kro_ls.kro.versions.version import Versions
from kro_ls.rules.diagnostics import Finding, Findings, Related, Severity
from kro_ls.rules.fixes import change_to
from kro_ls.rules.rule import Rule
from kro_ls.spelling import closest, listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.model.expressions import Expression
    from kro_ls.analysis.model.model import SchemaSection
    from kro_ls.analysis.scope import Scope
    from kro_ls.yaml_positions.positions import Span

_EMPTY = "runtime.newCondition: type must not be empty"
_REPEATED = 'condition type "{type}" is declared by more than one conditions entry'
_WRONG_STATUS = 'runtime.newCondition: status must be one of {statuses} (got "{status}")'
_NO_REFERENCE = 'runtime.condition(schema, "{type}"): custom conditions cannot reference each other'
_UNKNOWN = 'runtime.condition(schema, "{type}"): unknown condition type'


def check(section: SchemaSection, _scope: Scope) -> Findings:
    """Find literals in `runtime.newCondition` and `runtime.condition` that kro refuses."""
    entries = [
        expression
        for expression in section.expressions
        if expression.place is Place.CONDITION and expression.inspection.parsed.is_valid
    ]
    declared: dict[str, tuple[Expression, Span]] = {}
    for expression in entries:
        yield from _check_new_conditions(expression, declared)
    for expression in entries:
        yield from _check_lookups(expression, declared)


def _runtime_calls(expression: Expression, name: str, count: int) -> Iterator[ast.Call]:
    for node in ast.walk(expression.inspection.parsed.root):
        if not isinstance(node, ast.Call) or node.function != name or len(node.arguments) != count:
            continue
        if isinstance(node.target, ast.Identifier) and node.target.name == "runtime":
            yield node


def _check_new_conditions(expression: Expression, declared: dict[str, tuple[Expression, Span]]) -> Findings:
    for call in _runtime_calls(expression, "newCondition", 1):
        kind = _entry(call.arguments[0], "type")
        if kind:
            text, span = _literal(expression, kind)
            first, first_span = declared.setdefault(text, (expression, span))
            if text == "":
                yield Finding(span, "the type of a condition must not be empty", kro_message=_EMPTY)
            elif first is not expression:
                message = f"the condition '{text}' is already declared by another entry; each needs its own type"
                related = (Related(first_span, f"the first condition '{text}'"),)
                yield Finding(span, message, related, kro_message=_REPEATED.format(type=text))
        status = _entry(call.arguments[0], "status")
        if status:
            yield from _check_status(*_literal(expression, status))


def _check_status(status: str, span: Span) -> Findings:
    if status not in CONDITION_STATUSES:
        meant = closest(status, CONDITION_STATUSES)
        message = f"'{status}' is not a status of conditions; expected {listed(CONDITION_STATUSES)}"
        kro_message = _WRONG_STATUS.format(statuses=", ".join(CONDITION_STATUSES), status=status)
        fixes = (change_to(span, f'"{meant}"'),) if meant else ()
        yield Finding(span, message, fixes=fixes, kro_message=kro_message)


def _check_lookups(expression: Expression, declared: dict[str, tuple[Expression, Span]]) -> Findings:
    for call in _runtime_calls(expression, "condition", 2):
        instance, kind = call.arguments
        if not isinstance(instance, ast.Identifier) or instance.name != "schema" or not _is_string(kind):
            continue
        text, span = _literal(expression, kind)
        if text in BUILT_IN_CONDITIONS:
            continue
        if text in declared:
            related = (Related(declared[text][1], "it is declared here"),)
            message = f"'{text}' is a condition of this definition; conditions cannot read each other"
            yield Finding(span, message, related, kro_message=_NO_REFERENCE.format(type=text))
        else:
            meant = closest(text, BUILT_IN_CONDITIONS)
            message = f"unknown condition '{text}'; kro's own are {listed(BUILT_IN_CONDITIONS, 'and')}"
            fixes = (change_to(span, f'"{meant}"'),) if meant else ()
            yield Finding(span, message, fixes=fixes, kro_message=_UNKNOWN.format(type=text))


def _entry(argument: ast.Node, name: str) -> ast.Node | None:
    """Return the string literal under a key of a condition's map; the keys are bare names."""
    for entry in argument.entries if isinstance(argument, ast.MapLiteral) else ():
        if isinstance(entry.key, ast.Identifier) and entry.key.name == name:
            return entry.value if _is_string(entry.value) else None
    return None


def _is_string(node: ast.Node) -> bool:
    return isinstance(node, ast.Literal) and node.kind is ast.LiteralKind.STRING


def _literal(expression: Expression, node: ast.Node) -> tuple[str, Span]:
    return str(node.value) if isinstance(node, ast.Literal) else "", expression.span(node.start, node.end)


RULE = Rule(
    code="condition-literals",
    severity=Severity.ERROR,
    summary="A condition has a type or a status that kro refuses.",
    explanation="""\
Where the type or the status of a condition is a literal, kro checks it when it reads the RGD:

- the status is `"True"`, `"False"` or `"Unknown"`, and the type is not empty;
- no two entries declare the same type (branches of one entry may);
- `runtime.condition(schema, ...)` reads kro's own conditions only: InstanceManaged, GraphResolved, ResourcesReady and
  Ready.""",
    wrong="""\
schema:
  apiVersion: v1alpha1
  kind: WebApp
  status:
    conditions:
      - '${runtime.newCondition({type: "Available", status: "Yes"})}'
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
        _EMPTY,
        _REPEATED,
        _WRONG_STATUS,
        _NO_REFERENCE,
        _UNKNOWN,
    ),
)
