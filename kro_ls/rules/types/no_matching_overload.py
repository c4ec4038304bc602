"""A call whose arguments fit no form of the function.

Source: cel-go `checker/checker.go`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.cel.syntax import ast
from kro_ls.cel.types.check_result import ErrorKind
from kro_ls.cel.types.types import Kind
from kro_ls.kro.environment import FUNCTIONS
from kro_ls.kro.places import Place
from kro_ls.kro.versions.history import GRAPHS
from kro_ls.openapi.plain_cel import plain, type_name
from kro_ls.rules.diagnostics import Finding, Findings, Fix, Severity
from kro_ls.rules.rule import Repair, Rule
from kro_ls.spelling import listed
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.scalars.writing import Replacement

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.scope import Scope
    from kro_ls.analysis.types.checking import CheckedExpression
    from kro_ls.cel.types.check_result import CheckError
    from kro_ls.cel.types.types import Type


_KINDS = frozenset({ErrorKind.NO_OVERLOAD})
_SAME_AS_TEXT = frozenset({Kind.INT, Kind.UINT, Kind.DOUBLE, Kind.BOOL})
"""Kinds that kro before 0.6.0 wrote into texts as `string()` does; it wrote any value into a text."""
_CONVERTIBLE = frozenset({Kind.INT, Kind.UINT, Kind.DOUBLE, Kind.BOOL, Kind.TIMESTAMP, Kind.DURATION, Kind.BYTES})
_MOST_SIGNATURES = 4


def check(checked: CheckedExpression, error: CheckError, _scope: Scope) -> Findings:
    """Find calls and operators whose arguments have wrong types."""
    span = _span(checked, error)
    is_joined = _is_joined(checked, error)
    message = _of_text(error) if is_joined else plain(error, checked.expression.text)
    message += _advice(error, is_joined=is_joined)
    yield Finding(span, message, fixes=tuple(_fixes(checked, error)), kro_message=error.message)


def _is_joined(checked: CheckedExpression, error: CheckError) -> bool:
    """Whether the call is the `+` that kro inserts between a text and its `${...}`."""
    span = checked.expression.span(error.start, error.end)
    return not checked.expression.compiled.standalone and span.start == span.end


def _of_text(error: CheckError) -> str:
    """Return the message for a `${...}` in a text: the author did not write the `+` that cel-go's message is about."""
    given = next((each for each in error.types if each.kind is not Kind.STRING), None)
    return f"a text needs string, but this gives {type_name(given)}" if given else "this does not fit into a text"


def _text_of_optional(type_: Type) -> Type:
    return type_.parameters[0] if type_.is_optional else type_


def _span(checked: CheckedExpression, error: CheckError) -> Span:
    """Return the span of the function or operator; for an inserted `+`, of the operand that is no string."""
    span = checked.expression.span(error.start, error.end)
    if span.start < span.end or not isinstance(error.node, ast.Call):
        return span
    operands = list(zip(error.node.arguments, error.types, strict=False))
    wrong = [operand for operand, operand_type in operands if operand_type.kind is not Kind.STRING]
    return checked.expression.span(wrong[-1].start, wrong[-1].end) if wrong else span


def _advice(error: CheckError, *, is_joined: bool) -> str:
    if any(each.is_optional for each in error.types):
        return "; unwrap the optional value first, with 'orValue(...)' or 'value()'"
    if not isinstance(error.node, ast.Call) or error.node.function not in FUNCTIONS:
        return ""
    declared = FUNCTIONS[error.node.function]
    if declared.is_internal:
        if not _mixes_text(error.types):
            return ""
        return f"; convert {'it' if is_joined else 'one side, for example'} with 'string(...)'"
    signatures = list(dict.fromkeys(overload.signature(declared.name) for overload in declared.overloads))
    more = "" if len(signatures) <= _MOST_SIGNATURES else f" and {len(signatures) - _MOST_SIGNATURES} more"
    return f"; expected {listed(signatures[:_MOST_SIGNATURES])}{more}"


def _mixes_text(types: tuple[Type, ...]) -> bool:
    kinds = {each.kind for each in types}
    return Kind.STRING in kinds and bool(kinds & _CONVERTIBLE)


def _fixes(checked: CheckedExpression, error: CheckError) -> Iterator[Fix]:
    """Yield the fix that puts string() around the operand of `+` that is no string."""
    if not isinstance(error.node, ast.Call) or error.node.function != ast.Operator.ADD or not _mixes_text(error.types):
        return
    # In the status, kro before 0.8.0 kept only the value of the first expression in a text.
    keeps_meaning = _is_joined(checked, error) and checked.expression.place is not Place.STATUS
    for operand, operand_type in zip(error.node.arguments, error.types, strict=False):
        if operand_type.kind in _CONVERTIBLE:
            span = checked.expression.span(operand.start, operand.end)
            edits = (Replacement(Span(span.start, span.start), "string("), Replacement(Span(span.end, span.end), ")"))
            yield Fix("Convert to text with string()", edits, keeps_meaning and operand_type.kind in _SAME_AS_TEXT)


RULE = Rule(
    code="no-matching-overload",
    severity=Severity.ERROR,
    summary="A function or operator does not take these types.",
    explanation="""\
CEL converts nothing by itself: text and a number do not add up, an `int` and a `double` do not compare, and an
optional value is not its content. In a string with `${...}` inside, every expression must be text.""",
    wrong="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
        generateName: n-${size(schema.metadata.name)}
""",
    right="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
        generateName: n-${string(size(schema.metadata.name))}
""",
    check_error=check,
    errors=_KINDS,
    in_graphs=GRAPHS,
    repairs=(Repair.NO_OVERLOAD,),
    kro_messages=("found no matching overload for '{function}' applied to '{types}'",),
)
