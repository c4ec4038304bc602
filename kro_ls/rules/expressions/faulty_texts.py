"""Reports the texts in which the scan for `${...}` finds a fault: nested, unclosed, or with something around it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kro_ls.analysis.model.expressions import extract, is_standalone, why_unterminated
from kro_ls.analysis.model.model import FaultyText, Resource, SchemaSection, TextFault
from kro_ls.golang.quoting import go_quoted
from kro_ls.kro.environment import parse
from kro_ls.kro.places import STANDALONE_ONLY, Place
from kro_ls.kro.versions.dialect import QUOTED
from kro_ls.kro.versions.history import GRAPHS, UNTERMINATED_REFUSED
from kro_ls.kro.versions.version import Versions
from kro_ls.rules.diagnostics import Finding, Findings, Fix, Severity
from kro_ls.rules.rule import Repair, Rule
from kro_ls.yaml_positions.nodes import ScalarStyle
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.source_map import source_map
from kro_ls.yaml_positions.writing import Replacement, quoted, replace_in_scalar, written_as_is

if TYPE_CHECKING:
    from kro_ls.analysis.model.expressions import Extraction
    from kro_ls.analysis.scope import Scope


_NESTED = "nested expressions are not allowed unless inside string literals"


def check_nested(part: Resource | SchemaSection, _scope: Scope) -> Findings:
    """Find each `${` inside another `${...}`."""
    for faulty in part.faulty_texts:
        if faulty.fault is TextFault.NESTED:
            message = "'${' cannot stand inside another '${...}', which is CEL already; leave it out"
            yield Finding(faulty.span, message, fixes=_nested_fixes(faulty, part), kro_message=_NESTED)


def _nested_fixes(faulty: FaultyText, part: Resource | SchemaSection) -> tuple[Fix, ...]:
    """Return the fix that removes the inner `${` and its `}`."""
    text, dialect = faulty.scalar.text, part.dialect
    nested = extract(text, dialect).nested
    inner = extract(text[nested.start :], dialect).expressions if nested else ()
    if nested is None or not inner or inner[0].start != 0:
        return ()
    end = nested.start + inner[0].end
    places = source_map(part.chunk_text, faulty.scalar)
    if not places.exact:
        return ()
    closing = places.source_span(Span(end - 1, end))
    return (Fix("Remove the inner '${' and '}'", (Replacement(faulty.span, ""), Replacement(closing, ""))),)


_NOT_STANDALONE = "only standalone expressions are allowed"
_BLOCK_STYLES = (ScalarStyle.LITERAL, ScalarStyle.FOLDED)
_BLOCK_HEADER = re.compile(r"[|>]([1-9]?)\+?([1-9]?)")
_OPERATORS = re.compile(r"[\s&|!=<>()+\-*/%?:]*")


def check_not_standalone(part: Resource | SchemaSection, _scope: Scope) -> Findings:
    """Find the entries that are not one `${...}` alone."""
    for faulty in part.faulty_texts:
        if faulty.fault is TextFault.NOT_STANDALONE and not faulty.scalar.damaged:
            message, fix = _explain(faulty, part)
            yield Finding(faulty.span, message, fixes=(fix,) if fix else (), kro_message=_NOT_STANDALONE)


def _explain(faulty: FaultyText, part: Resource | SchemaSection) -> tuple[str, Fix | None]:
    text = faulty.scalar.text
    stripped = text.strip()
    extraction = extract(text, part.dialect)
    if is_standalone(stripped, extract(stripped, part.dialect)):
        return _explain_blanks(faulty, part.chunk_text, stripped)
    if extraction.unterminated and not extraction.expressions:
        return f"'${{' is never closed; {why_unterminated(text, part.dialect)}", None
    if not extraction.expressions:
        message = "this is not an expression; write it as one '${...}'"
        return message, _rewrite("Wrap in '${...}'", faulty, f"${{{stripped}}}") if _is_cel(stripped) else None
    message = "expected one '${...}' with nothing around it; combine the parts inside"
    return message, _combine(faulty, extraction)


def _explain_blanks(faulty: FaultyText, chunk_text: str, stripped: str) -> tuple[str, Fix | None]:
    scalar = faulty.scalar
    if scalar.style in _BLOCK_STYLES and scalar.text.rstrip("\r\n") == stripped:
        header = _BLOCK_HEADER.match(chunk_text, scalar.start)
        indicator = chunk_text[scalar.start]
        message = f"'{indicator}' keeps a line break after the expression; '{indicator}-' removes it"
        if header is None:
            return message, None
        new_header = f"{indicator}{header.group(1)}{header.group(2)}-"
        fix = Fix(f"Change to '{new_header}'", (Replacement(Span(header.start(), header.end()), new_header),))
        return message, fix
    return "expected one '${...}' with nothing around it; remove the blanks", _rewrite(
        "Remove the blanks", faulty, stripped
    )


def _combine(faulty: FaultyText, extraction: Extraction) -> Fix | None:
    """Return the fix that joins several expressions with only operators between them."""
    text = faulty.scalar.text
    pieces: list[str] = []
    position = 0
    for span in extraction.expressions:
        between = text[position : span.start]
        if not _OPERATORS.fullmatch(between):
            return None
        pieces += (between, text[span.start + 2 : span.end - 1])
        position = span.end
    if not _OPERATORS.fullmatch(text[position:]):
        return None
    combined = "".join((*pieces, text[position:])).strip()
    return _rewrite("Combine into one expression", faulty, f"${{{combined}}}") if _is_cel(combined) else None


def _is_cel(text: str) -> bool:
    return bool(text) and not text.isidentifier() and not parse(text).errors


def _rewrite(title: str, faulty: FaultyText, text: str) -> Fix | None:
    return None if "\n" in text else Fix(title, (Replacement(faulty.span, quoted(text)),))


_UNTERMINATED = "unterminated expression"


def check_unterminated(part: Resource | SchemaSection, _scope: Scope) -> Findings:
    """Find each `${` without its `}`, once per value."""
    seen: set[int] = set()
    for faulty in part.faulty_texts:
        text = faulty.scalar.text
        if faulty.fault is not TextFault.UNTERMINATED or faulty.scalar.start in seen:
            continue
        seen.add(faulty.scalar.start)
        extraction = extract(text, part.dialect)
        if extraction.nested or (faulty.place is Place.STATUS and not extraction.expressions):
            # Another rule reports that kro refuses the whole value.
            continue
        why = why_unterminated(text, part.dialect)
        message = f"'${{' is never closed, so it is plain text; {why}"
        fixes = _unterminated_fixes(faulty, part)
        yield Finding(faulty.span, message, fixes=fixes, versions=Versions(before=UNTERMINATED_REFUSED.since))
        if extract(text, QUOTED).unterminated:
            yield Finding(
                faulty.span,
                f"'${{' is never closed; {why}",
                fixes=(*_as_text(faulty, part), *fixes),
                versions=UNTERMINATED_REFUSED,
                severity=Severity.ERROR,
                kro_message=_UNTERMINATED,
            )


def _as_text(faulty: FaultyText, part: Resource | SchemaSection) -> tuple[Fix, ...]:
    """Return the fix that keeps the text as older versions read it: as a string in an expression."""
    text = faulty.scalar.text
    unclosed = extract(text, part.dialect).unterminated
    if faulty.place in STANDALONE_ONLY or not unclosed:
        return ()
    if extract(text[unclosed[0] :], part.dialect).expressions:
        return ()
    rest = text[unclosed[0] :].rstrip("\n")
    span = Span(unclosed[0], unclosed[0] + len(rest))
    edit = replace_in_scalar(part.chunk_text, faulty.scalar, span, f"${{{go_quoted(rest)}}}", in_flow=True)
    is_one_line = "\n" not in rest
    return (Fix("Keep it as text", (edit,), keeps_meaning=True),) if edit and is_one_line else ()


def _unterminated_fixes(faulty: FaultyText, part: Resource | SchemaSection) -> tuple[Fix, ...]:
    text = faulty.scalar.text
    quotes = written_as_is(part.chunk_text, faulty.scalar)
    closed, unclosed = (extract(each, part.dialect) for each in (text + "}", text))
    if quotes is None or closed.unterminated or len(unclosed.unterminated) > 1:
        return ()
    end = faulty.scalar.end - quotes
    return (Fix("Add the missing '}'", (Replacement(Span(end, end), "}"),)),)


RULES = (
    # Source: kro `pkg/graph/parser/cel.go`.
    Rule(
        code="nested-expression",
        severity=Severity.ERROR,
        summary="An expression stands inside another expression.",
        explanation="""\
Everything between `${` and its `}` is CEL, so another `${` in there has no meaning and kro refuses the value. In a
string of CEL in double quotes, `"${X}"` is plain text.""",
        wrong="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${"config-" + ${schema.metadata.name}}
""",
        right="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${"config-" + schema.metadata.name}
""",
        check_resource=check_nested,
        check_schema=check_nested,
        in_graphs=GRAPHS,
        kro_messages=(_NESTED,),
    ),
    # Source: kro `pkg/graph/parser/conditions.go` (only standalone expressions are allowed).
    Rule(
        code="not-standalone-expression",
        severity=Severity.ERROR,
        summary="A condition or an iterator is not exactly one expression.",
        explanation="""\
Each entry of `readyWhen`, `includeWhen` and `status.conditions`, and the value of each iterator of `forEach`, is
exactly one `${...}`: no text, blanks or second expression around it. A block scalar (`|`) ends with a line break, which
counts as text; `|-` leaves it out.""",
        wrong="""\
resources:
  - id: config
    includeWhen:
      - ${schema.metadata.name != "a"} && ${schema.metadata.name != "b"}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
""",
        right="""\
resources:
  - id: config
    includeWhen:
      - ${schema.metadata.name != "a" && schema.metadata.name != "b"}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
""",
        check_resource=check_not_standalone,
        check_schema=check_not_standalone,
        in_graphs=GRAPHS,
        repairs=(Repair.CLOSED_EXPRESSION, Repair.STANDALONE),
        kro_messages=(_NOT_STANDALONE,),
    ),
    # Source: kro `pkg/graph/parser/cel.go`. Only double quotes open a string for the scan that looks for the `}`.
    Rule(
        code="unterminated-expression",
        severity=Severity.WARNING,
        summary="An expression is never closed, so kro takes it as plain text.",
        explanation="""\
kro looks for the `}` that closes a `${` by counting braces outside of strings in double quotes. Where there is none,
the text stays as it is and nothing is evaluated. Single quotes do not count as quotes in this search: a `{` or a `"`
between single quotes keeps the expression open. From kro 0.10 on they do count, each up to the next one, and a `${`
without its end is an error.""",
        wrong="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name
""",
        right="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
""",
        check_resource=check_unterminated,
        check_schema=check_unterminated,
        in_graphs=GRAPHS,
        repairs=(Repair.CLOSED_EXPRESSION,),
        kro_messages=(_UNTERMINATED,),
    ),
)
