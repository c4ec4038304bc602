"""A field that the resources cannot do without, though the schema does not require it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.model.schema_fields import written_field
from kro_ls.analysis.types.variables import simple_schema
from kro_ls.rules.diagnostics import DocumentSpan, Finding, Fix, Related, Replacement, Severity
from kro_ls.rules.fixes import written_as_is
from kro_ls.rules.rule import Rule
from kro_ls.rules.surprises.unguarded_reads import unguarded_reads
from kro_ls.yaml_positions.positions import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.model.model import SchemaSection
    from kro_ls.analysis.model.schema_fields import WrittenField
    from kro_ls.analysis.simpleschema.results import FieldDefinition, FieldPath
    from kro_ls.rules.surprises.unguarded_reads import PlacedRead
    from kro_ls.yaml_positions.runs import PlacedChunk

_MOST_RELATED = 5


def check(analysis: RgdAnalysis) -> Iterator[tuple[PlacedChunk, Finding]]:
    """Find the declarations of fields that are read as if they were always there."""
    if analysis.rgd.schema is None:
        return
    section = analysis.rgd.schema.section
    by_field: dict[tuple[str, FieldPath], tuple[FieldDefinition, list[PlacedRead]]] = {}
    for each in unguarded_reads(analysis):
        definition = _definition(each, section)
        if definition and not each.is_meant_optional:
            by_field.setdefault((definition.root, definition.path), (definition, []))[1].append(each)
    for definition, reads in by_field.values():
        written = written_field(section, definition.root, definition.path)
        if written:
            yield analysis.rgd.schema.placed, _finding(written, definition, reads)


def _definition(each: PlacedRead, section: SchemaSection) -> FieldDefinition | None:
    if each.read.key[0] != "schema":
        return None
    steps = tuple(step if isinstance(step, str) else None for step in each.read.key[2:])
    return simple_schema(section).definition_of(steps)


def _finding(written: WrittenField, definition: FieldDefinition, reads: list[PlacedRead]) -> Finding:
    name = definition.path[-1]
    count = len({each.placed.resource.id for each in reads})
    who = "a resource needs" if count == 1 else f"{count} resources need"
    message = (
        f"{who} '{name}', but an instance may leave it out and then waits for ever: "
        "mark it with `required=true`, or give it a default"
    )
    related = tuple(
        Related(
            DocumentSpan(each.placed.placed.document_span(each.read.expression.span(*each.read.select.field_span))),
            "read here as if it were always there",
        )
        for each in reads[:_MOST_RELATED]
    )
    return Finding(written.entry.key.span, message, related, _fixes(written, definition))


def _fixes(written: WrittenField, definition: FieldDefinition) -> tuple[Fix, ...]:
    """Return the fix that adds the marker, where the text of the field is written as it is read."""
    text = written.text
    quotes = written_as_is(written.section.chunk_text, text) if text else None
    if text is None or quotes is None or definition.syntax is None or (written.in_flow and not quotes):
        return ()
    end = text.end - quotes
    marker = " required=true" if definition.syntax.markers else " | required=true"
    return (Fix("Mark as required", (Replacement(Span(end, end), marker),)),)


RULE = Rule(
    code="implicitly-required-field",
    severity=Severity.HINT,
    summary="Resources cannot do without a field that the schema does not require.",
    explanation="""\
Fields of `spec.schema.spec` are optional unless they say `required=true`. When an instance leaves out a field that an
expression reads, kro reports no error: the resource stays pending for ever. With `required=true` the API server refuses
such an instance at once, and says why.

Once the schema marks some fields as required, the others are taken for optional, and the reads of them are reported
instead (`pending-optional-field`).""",
    wrong="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    name: string
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.spec.name}
""",
    right="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    name: string | required=true
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.spec.name}
""",
    check_document=check,
)
