"""Makes the rules about an RGD's own fields, which differ in the faults that they report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.model.reading import is_null
from kro_ls.rules.diagnostics import Section, Severity
from kro_ls.rules.rule import Rule
from kro_ls.rules.text.own_fields import Fault, resource_faults, schema_faults
from kro_ls.rules.text.rgd_frame import frame_faults

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.model.model import Resource, SchemaSection
    from kro_ls.analysis.scope import Scope
    from kro_ls.rules.diagnostics import Finding, Part
    from kro_ls.rules.overview import Overview


def _key(overview: Overview) -> object:
    rgd = overview.rgd.rgd
    return rgd.frame.chunk, rgd.schema and is_null(rgd.schema.section.node)


def own_field_rule(fault: Fault, *, code: str, summary: str, explanation: str, wrong: str, right: str) -> Rule:
    """Return the rule, of severity error, that reports one sort of fault in resources, schema section and frame."""

    def check_resource(resource: Resource, _scope: Scope) -> Iterator[Finding]:
        return (finding for found, finding in resource_faults(resource) if found is fault)

    def check_schema(section: SchemaSection, _scope: Scope) -> Iterator[Finding]:
        return (finding for found, finding in schema_faults(section) if found is fault)

    def check_document(overview: Overview) -> Iterator[tuple[Part, Finding]]:
        return ((Section.FRAME, finding) for found, finding in frame_faults(overview.rgd.rgd) if found is fault)

    return Rule(
        code,
        Severity.ERROR,
        summary,
        explanation,
        wrong,
        right,
        check_resource=check_resource,
        check_schema=check_schema,
        check_document=check_document,
        document_key=_key,
    )
