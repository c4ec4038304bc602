"""An instance field that all reads assume to be set, although the schema does not require it."""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING

from kro_ls.analysis.model.sections import written_field
from kro_ls.analysis.types.variables import simple_schema
from kro_ls.rules.diagnostics import Finding, Fix, PartFindings, PartSpan, Related, Section, Severity
from kro_ls.rules.rule import Repair, Rule
from kro_ls.rules.surprises.unguarded_reads import all_reads, meant_as_optional
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.scalars.writing import Replacement, written_as_is

if TYPE_CHECKING:
    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.model.sections import WrittenField
    from kro_ls.analysis.simpleschema.results import FieldDefinition, FieldPath
    from kro_ls.rules.surprises.optional_reads import OptionalRead
    from kro_ls.rules.surprises.presence import FieldKey

_MOST_RELATED = 5


def check(rgd: RgdAnalysis) -> PartFindings:
    """Find the declarations of fields whose reads all assume that they are set."""
    section, meant = rgd.section, meant_as_optional(rgd.reader)
    if section is None or meant is None:
        return
    by_key: dict[FieldKey, list[tuple[int, OptionalRead]]] = {}
    for number, read in all_reads(rgd.reader):
        if read.key not in meant and read.key[0] == "schema":
            by_key.setdefault(read.key, []).append((number, read))
    by_field: dict[tuple[str, FieldPath], tuple[FieldDefinition, list[tuple[int, OptionalRead]]]] = {}
    for key, reads in by_key.items():
        steps = tuple(step if isinstance(step, str) else None for step in key[2:])
        definition = simple_schema(section).definition_of(steps)
        if definition:
            by_field.setdefault((definition.root, definition.path), (definition, []))[1].extend(reads)
    for definition, reads in by_field.values():
        written = written_field(section, definition.root, definition.path)
        if written:
            yield Section.SCHEMA, _finding(written, definition, sorted(reads, key=itemgetter(0)))


def _finding(written: WrittenField, definition: FieldDefinition, reads: list[tuple[int, OptionalRead]]) -> Finding:
    name = definition.path[-1]
    count = len({number for number, _ in reads})
    who = "a resource needs it" if count == 1 else f"{count} resources need it"
    message = f"'{name}' is optional, but {who}; add 'required=true' or a default"
    related = tuple(
        Related(PartSpan(number, read.expression.span(*read.select.field_span)), "read here without a guard")
        for number, read in reads[:_MOST_RELATED]
    )
    return Finding(written.entry.key.span, message, related, _fixes(written, definition))


def _fixes(written: WrittenField, definition: FieldDefinition) -> tuple[Fix, ...]:
    """Return the fix that adds the marker, if the field's source equals its text."""
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
    repairs=(Repair.DECLARED_FIELD,),
)
