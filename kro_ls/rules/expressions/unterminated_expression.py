"""A `${` without its `}`, which kro takes as plain text.

Source: kro `pkg/graph/parser/cel.go`. Only double quotes open a string for the scan that looks for the `}`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.model.expressions import extract, why_unterminated
from kro_ls.analysis.model.model import FaultyText, Resource, SchemaSection, TextFault
from kro_ls.golang.quoting import go_quoted
from kro_ls.kro.places import STANDALONE_ONLY, Place
from kro_ls.kro.versions.dialect import QUOTED
from kro_ls.kro.versions.history import GRAPHS, UNTERMINATED_REFUSED
from kro_ls.kro.versions.version import Versions
from kro_ls.rules.diagnostics import Finding, Findings, Fix, Severity
from kro_ls.rules.rule import Repair, Rule
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.scalars.writing import Replacement, replace_in_scalar, written_as_is

if TYPE_CHECKING:
    from kro_ls.analysis.scope import Scope

_UNTERMINATED = "unterminated expression"


def check(part: Resource | SchemaSection, _scope: Scope) -> Findings:
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
        fixes = _fixes(faulty, part)
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


def _fixes(faulty: FaultyText, part: Resource | SchemaSection) -> tuple[Fix, ...]:
    text = faulty.scalar.text
    quotes = written_as_is(part.chunk_text, faulty.scalar)
    closed, unclosed = (extract(each, part.dialect) for each in (text + "}", text))
    if quotes is None or closed.unterminated or len(unclosed.unterminated) > 1:
        return ()
    end = faulty.scalar.end - quotes
    return (Fix("Add the missing '}'", (Replacement(Span(end, end), "}"),)),)


RULE = Rule(
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
    check_resource=check,
    check_schema=check,
    in_graphs=GRAPHS,
    repairs=(Repair.CLOSED_EXPRESSION,),
    kro_messages=(_UNTERMINATED,),
)
