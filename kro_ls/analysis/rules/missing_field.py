"""A required field of a ResourceGraphDefinition that is absent.

Source: the ResourceGraphDefinition CRD, and Kubernetes' own rules for object metadata.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.diagnostics import Severity
from kro_ls.analysis.rules.own_fields import Fault, resource_faults, schema_faults
from kro_ls.analysis.rules.rgd_frame import frame_faults
from kro_ls.analysis.rules.rule import Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.diagnostics import Finding
    from kro_ls.analysis.model import Resource, SchemaSection
    from kro_ls.analysis.rules.scope import Scope
    from kro_ls.yaml_positions.document import PlacedChunk


def check_resource(resource: Resource, _scope: Scope) -> Iterator[Finding]:
    """Find the missing fields of a resource."""
    return (finding for fault, finding in resource_faults(resource) if fault is Fault.MISSING)


def check_schema(section: SchemaSection, _scope: Scope) -> Iterator[Finding]:
    """Find the missing fields of the schema section."""
    return (finding for fault, finding in schema_faults(section) if fault is Fault.MISSING)


def check_document(analysis: RgdAnalysis) -> Iterator[tuple[PlacedChunk, Finding]]:
    """Find the missing fields outside of resources and schema section."""
    return ((placed, finding) for placed, fault, finding in frame_faults(analysis.rgd) if fault is Fault.MISSING)


RULE = Rule(
    code="missing-field",
    severity=Severity.ERROR,
    summary="A required field is absent.",
    explanation="""\
The API server refuses a ResourceGraphDefinition without this field. A field whose value is null counts as absent.""",
    wrong="""\
schema:
  kind: WebApp
""",
    right="""\
schema:
  apiVersion: v1alpha1
  kind: WebApp
""",
    check_resource=check_resource,
    check_schema=check_schema,
    check_document=check_document,
)
