"""An expression that is not CEL.

Source: cel-go's parser, whose messages kro prints.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.model.expressions import compile_scalar, extract
from kro_ls.cel.syntax.ast import Literal, walk
from kro_ls.golang.quoting import go_quoted
from kro_ls.kro.environment import parse
from kro_ls.kro.versions.dialect import QUOTED
from kro_ls.kro.versions.history import GRAPHS, SINGLE_QUOTES_SEEN
from kro_ls.kro.versions.version import ALL, Versions
from kro_ls.rules.diagnostics import Finding, Findings, Fix, Severity
from kro_ls.rules.rule import Repair, Rule
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.scalars.writing import is_in_flow, replace_in_scalar

if TYPE_CHECKING:
    from kro_ls.analysis.model.expressions import Expression
    from kro_ls.analysis.model.model import Resource, SchemaSection
    from kro_ls.analysis.scope import Scope
    from kro_ls.cel.syntax.parser import ParseError


def check(part: Resource | SchemaSection, _scope: Scope) -> Findings:
    """Find the first syntax error of each expression; the ones after it often only follow from it."""
    for expression in part.expressions:
        parsed = expression.inspection.parsed
        if parsed.is_valid:
            continue
        error, versions = parsed.errors[0], _versions(expression)
        kro_message = error.message
        if not expression.compiled.user_text.strip():
            yield Finding(expression.whole, "the expression is empty", versions=versions, kro_message=kro_message)
            continue
        message, span = _locate(expression, error)
        fixes = () if versions is ALL else _in_double_quotes(part, expression)
        yield Finding(span, message, fixes=fixes, versions=versions, kro_message=kro_message)


def _versions(expression: Expression) -> Versions:
    """Return the versions in which the expression has this extent: if single quotes count, it may end elsewhere."""
    text = expression.scalar.text
    seen = compile_scalar(text, extract(text, QUOTED))
    return ALL if seen == expression.compiled else Versions(before=SINGLE_QUOTES_SEEN)


def _in_double_quotes(part: Resource | SchemaSection, expression: Expression) -> tuple[Fix, ...]:
    """Return the fix for braces in single quotes, where older versions end the expression."""
    text = expression.scalar.text
    strings = [
        (whole.start + 2 + node.start, whole.start + 2 + node.end, node.value)
        for whole in extract(text, QUOTED).expressions
        for node in walk(parse(text[whole.start + 2 : whole.end - 1]).root)
        if isinstance(node, Literal) and isinstance(node.value, str)
    ]
    faulty = [(start, end, value) for start, end, value in strings if text[start] == "'" and set(value) & set("{}")]
    if not faulty or any(not value.isprintable() for _, _, value in faulty):
        return ()
    start, end = faulty[0][0], faulty[-1][1]
    new = text
    for first, last, value in reversed(faulty):
        new = new[:first] + go_quoted(value) + new[last:]
    new = new[start : end + len(new) - len(text)]
    edit = replace_in_scalar(
        part.chunk_text, expression.scalar, Span(start, end), new, in_flow=is_in_flow(part.node, expression.scalar)
    )
    return (Fix("Put the braces in double quotes", (edit,), keeps_meaning=True),) if edit else ()


def _locate(expression: Expression, first: ParseError) -> tuple[str, Span]:
    """Return the message for an error and its span; of several `${...}` in a text, the faulty one is marked."""
    for piece in expression.compiled.pieces:
        if piece.exact:
            errors = parse(expression.text[piece.compiled.start : piece.compiled.end]).errors
            if errors:
                start = piece.compiled.start
                return errors[0].hint, _visible(expression, start + errors[0].start, start + errors[0].end)
    return first.hint, _visible(expression, first.start, first.end)


def _visible(expression: Expression, start: int, end: int) -> Span:
    """Return the span of an error; an error at the end of the text is marked at the closing brace."""
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
The text inside `${...}` cannot be read as CEL. Only the first error of an expression is shown.""",
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
    in_graphs=GRAPHS,
    repairs=(Repair.MENDED_SYNTAX,),
    kro_messages=(
        "Syntax error: mismatched input {token} expecting {tokens}",
        "Syntax error: missing {token} at {place}",
        "Syntax error: extraneous input {token} expecting {tokens}",
        "Syntax error: no viable alternative at input {text}",
        "Syntax error: token recognition error at: {text}",
        "argument must be a simple name",
        "argument is not an identifier",
        "invalid argument to has() macro",
        "runtime.newCondition: {problem}",
    ),
)
