"""An expression inside an expression.

Source: kro `pkg/graph/parser/cel.go`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.model.expressions import extract
from kro_ls.analysis.model.model import FaultyText, Resource, SchemaSection, TextFault
from kro_ls.kro.versions.history import GRAPHS
from kro_ls.rules.diagnostics import Finding, Findings, Fix, Severity
from kro_ls.rules.rule import Rule
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.scalars.source_map import source_map
from kro_ls.yaml_positions.scalars.writing import Replacement

if TYPE_CHECKING:
    from kro_ls.analysis.scope import Scope

_NESTED = "nested expressions are not allowed unless inside string literals"


def check(part: Resource | SchemaSection, _scope: Scope) -> Findings:
    """Find each `${` inside another `${...}`."""
    for faulty in part.faulty_texts:
        if faulty.fault is TextFault.NESTED:
            message = "'${' cannot stand inside another '${...}', which is CEL already; leave it out"
            yield Finding(faulty.span, message, fixes=_fixes(faulty, part), kro_message=_NESTED)


def _fixes(faulty: FaultyText, part: Resource | SchemaSection) -> tuple[Fix, ...]:
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


RULE = Rule(
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
    check_resource=check,
    check_schema=check,
    in_graphs=GRAPHS,
    kro_messages=(_NESTED,),
)
