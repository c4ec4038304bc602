"""A custom type that no field of the instance uses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.model.sections import written_field
from kro_ls.analysis.types.variables import simple_schema
from kro_ls.rules.diagnostics import Finding, PartFindings, Section, Severity
from kro_ls.rules.rule import InTemplates, Rule, Tag

if TYPE_CHECKING:
    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.simpleschema.results import SchemaResult


def check(rgd: RgdAnalysis) -> PartFindings:
    """Find custom types that `spec` uses neither directly nor through other types."""
    section = rgd.section
    if section is None:
        return
    result = simple_schema(section)
    if not result.type_names or any(error.code in _UNCLEAR for error in result.errors):
        return
    known = _used(result) | {error.path[0] for error in (*result.errors, *result.warnings) if error.root == "types"}
    for name in result.type_names:
        written = written_field(section, "types", (name,)) if name not in known else None
        if written:
            yield Section.SCHEMA, Finding(written.entry.key.span, f"the type '{name}' is not used")


# A field with one of these errors may be meant to use any type.
_UNCLEAR = frozenset({"invalid-schema-field", "invalid-type-expression", "unknown-type"})


def _used(result: SchemaResult) -> set[str]:
    uses: dict[str, set[str]] = {}
    for reference in result.type_references:
        user = reference.path[0] if reference.root == "types" else ""
        uses.setdefault(user, set()).add(reference.name)
    used: set[str] = set()
    pending = [*uses.get("", ())]
    while pending:
        name = pending.pop()
        if name not in used:
            used.add(name)
            pending += uses.get(name, ())
    return used


RULE = Rule(
    code="unused-type",
    severity=Severity.HINT,
    summary="No field uses a custom type.",
    explanation="""\
A type in `spec.schema.types` that no field of `spec.schema.spec` uses, directly or through other types,
has no effect.""",
    wrong="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  types:
    Port:
      number: integer
  spec:
    name: string
""",
    right="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  types:
    Port:
      number: integer
  spec:
    port: Port
""",
    check_document=check,
    in_templates=InTemplates.UNLESS_TEXT_IS_ADDED,
    tag=Tag.UNNECESSARY,
)
