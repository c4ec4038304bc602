"""An unguarded read of an instance field that the author treats as optional.

Source: kro `pkg/runtime`: `no such key` keeps a resource pending for ever, and is a failure
in an `includeWhen` that refers to nothing but `schema`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.model.sections import written_field
from kro_ls.analysis.types.variables import simple_schema
from kro_ls.cel.syntax import ast
from kro_ls.kro.places import Place
from kro_ls.rules.diagnostics import Finding, Fix, PartFindings, PartReplacement, PartSpan, Related, Section, Severity
from kro_ls.rules.rule import Repair, Rule
from kro_ls.rules.surprises.unguarded_reads import all_reads, meant_as_optional
from kro_ls.yaml_positions.scalars.writing import Replacement

if TYPE_CHECKING:
    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.model.model import SchemaSection
    from kro_ls.analysis.model.sections import WrittenField
    from kro_ls.rules.surprises.optional_reads import OptionalRead
    from kro_ls.rules.surprises.presence import FieldKey

_MOST_READS = 20  # related places are computed whenever a finding is placed
_NO_KEY = "no such key: {name}"
_IDENTITY = (("metadata", "name"), ("metadata", "namespace"))


def check(rgd: RgdAnalysis) -> PartFindings:
    """Find unguarded reads of fields that the author treats as optional; mark the declaration.

    If only one resource reads a field, the read is marked.
    """
    section = rgd.section
    if section is None:
        return
    meant = meant_as_optional(rgd.reader)
    by_key: dict[FieldKey, list[tuple[int, OptionalRead]]] = {}
    for number, read in all_reads(rgd.reader):
        if meant is None or read.key in meant:
            by_key.setdefault(read.key, []).append((number, read))
    for reads in by_key.values():
        written = _written(reads[0][1], section) if len(reads) > 1 else None
        if written:
            yield Section.SCHEMA, _finding_for_all(written, reads)
        else:
            yield from ((number, _finding(read, section)) for number, read in reads)


def _finding_for_all(written: WrittenField, reads: list[tuple[int, OptionalRead]]) -> Finding:
    name = written.entry.name or ""
    message = (
        f"'{name}' is optional, and {len(reads)} resources stay pending without it; "
        f"add 'required=true' or a default, or read it with '.?{name}' or 'has()'"
    )
    related = tuple(
        Related(PartSpan(number, read.expression.span(*read.select.field_span)), "read here without a guard")
        for number, read in reads[:_MOST_READS]
    )
    edits = [
        PartReplacement(edit.span, edit.text, number)
        for number, read in reads
        for fix in _fixes(read)
        for edit in fix.replacements
    ]
    is_for_all = len(edits) == len(reads) <= _MOST_READS
    fixes = (Fix(f"Read as '.?{name}' everywhere (left out gives null)", tuple(edits)),) if is_for_all else ()
    return Finding(written.entry.key.span, message, related, fixes, kro_message=_NO_KEY.format(name=name))


def _finding(read: OptionalRead, section: SchemaSection) -> Finding:
    expression, field = read.expression, read.select.field
    only_schema = {use.name for use in expression.inspection.names} == {"schema"}
    fails = expression.place is Place.INCLUDE_WHEN and only_schema
    result = "the instance fails" if fails else "this resource stays pending"
    message = (
        f"'{field}' is optional, and {result} without it; "
        f"add 'required=true' or a default, or read it with '.?{field}' or 'has()'"
    )
    related, kro_message = _declaration(read, section), _NO_KEY.format(name=field)
    return Finding(expression.span(*read.select.field_span), message, related, _fixes(read), kro_message=kro_message)


def _written(read: OptionalRead, section: SchemaSection) -> WrittenField | None:
    path = tuple(step if isinstance(step, str) else None for step in read.key[2:])
    definition = simple_schema(section).definition_of(path) if read.key[0] == "schema" else None
    return written_field(section, definition.root, definition.path) if definition else None


def _declaration(read: OptionalRead, section: SchemaSection) -> tuple[Related, ...]:
    written = _written(read, section)
    if written is None:
        return ()
    return (Related(PartSpan(Section.SCHEMA, written.entry.key.span), "declared as optional here"),)


def _fixes(read: OptionalRead) -> tuple[Fix, ...]:
    """Return the fix for an expression that is only the read; kro writes an empty optional as null."""
    expression = read.expression
    node = expression.inspection.parsed.root
    while isinstance(node, ast.Select):
        if node is read.select:
            break
        node = node.operand
    identity = expression.place is Place.TEMPLATE and expression.path in _IDENTITY
    takes_optional = expression.place in (Place.TEMPLATE, Place.INCLUDE_WHEN) and expression.compiled.standalone
    if node is not read.select or identity or not takes_optional:
        return ()
    dot = expression.span(read.select.position, read.select.position + 1)
    effect = "left out counts as false" if expression.place is Place.INCLUDE_WHEN else "left out gives null"
    return (Fix(f"Read as '.?{read.select.field}' ({effect})", (Replacement(dot, ".?"),)),)


RULE = Rule(
    code="pending-optional-field",
    severity=Severity.WARNING,
    summary="An expression needs a field that an instance may leave out.",
    explanation="""\
A field of `spec.schema.spec` without `required=true` and without a default may be missing in an instance. An expression
in a template that reads it then finds nothing: kro reports no error and waits for ever. In an `includeWhen` that refers
to `schema` alone, the instance fails. This is about schemas that mark some fields as required, and about fields that
another expression takes for optional; see `implicitly-required-field` for the others.

Make the field required, give it a default, read it as an optional (`schema.spec.?image`, with `.orValue(...)` where
text or a number is needed), or ask first: `has(schema.spec.image) ? schema.spec.image : "nginx"`. An `includeWhen` of
the resource that asks is enough as well.""",
    wrong="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    name: string | required=true
    image: string
resources:
  - id: pod
    template:
      apiVersion: v1
      kind: Pod
      metadata:
        name: ${schema.spec.name}
      spec:
        containers:
          - name: main
            image: ${schema.spec.image}
""",
    right="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    name: string | required=true
    image: string | default=nginx
    hostname: string
resources:
  - id: pod
    template:
      apiVersion: v1
      kind: Pod
      metadata:
        name: ${schema.spec.name}
      spec:
        hostname: ${schema.spec.?hostname}
        containers:
          - name: main
            image: ${schema.spec.image}
""",
    check_document=check,
    repairs=(Repair.DECLARED_FIELD,),
    kro_messages=(_NO_KEY,),
)
