"""A condition or an iterator that is not exactly one `${...}`.

Source: kro `pkg/graph/parser/conditions.go` (only standalone expressions are allowed).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kro_ls.analysis.model.expressions import extract, is_standalone, why_unterminated
from kro_ls.analysis.model.model import FaultyText, Resource, SchemaSection, TextFault
from kro_ls.kro.environment import parse
from kro_ls.kro.versions.history import GRAPHS
from kro_ls.rules.diagnostics import Finding, Findings, Fix, Severity
from kro_ls.rules.rule import Repair, Rule
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.scalars.resolution import ScalarStyle
from kro_ls.yaml_positions.scalars.writing import Replacement, quoted

if TYPE_CHECKING:
    from kro_ls.analysis.model.expressions import Extraction
    from kro_ls.analysis.scope import Scope

_NOT_STANDALONE = "only standalone expressions are allowed"
_BLOCK_STYLES = (ScalarStyle.LITERAL, ScalarStyle.FOLDED)
_BLOCK_HEADER = r"[|>]([1-9]?)\+?([1-9]?)"
_OPERATORS = r"[\s&|!=<>()+\-*/%?:]*"


def check(part: Resource | SchemaSection, _scope: Scope) -> Findings:
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
        header = re.compile(_BLOCK_HEADER).match(chunk_text, scalar.start)
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
        if not re.fullmatch(_OPERATORS, between):
            return None
        pieces += (between, text[span.start + 2 : span.end - 1])
        position = span.end
    if not re.fullmatch(_OPERATORS, text[position:]):
        return None
    combined = "".join((*pieces, text[position:])).strip()
    return _rewrite("Combine into one expression", faulty, f"${{{combined}}}") if _is_cel(combined) else None


def _is_cel(text: str) -> bool:
    return bool(text) and not text.isidentifier() and not parse(text).errors


def _rewrite(title: str, faulty: FaultyText, text: str) -> Fix | None:
    return None if "\n" in text else Fix(title, (Replacement(faulty.span, quoted(text)),))


RULE = Rule(
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
    check_resource=check,
    check_schema=check,
    in_graphs=GRAPHS,
    repairs=(Repair.CLOSED_EXPRESSION, Repair.STANDALONE),
    kro_messages=(_NOT_STANDALONE,),
)
