"""A field that a ResourceGraphDefinition does not have.

Source: the ResourceGraphDefinition CRD under strict field validation, which kubectl asks for.
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
    """Find the unknown fields of a resource."""
    return (finding for fault, finding in resource_faults(resource) if fault is Fault.UNKNOWN)


def check_schema(section: SchemaSection, _scope: Scope) -> Iterator[Finding]:
    """Find the unknown fields of the schema section."""
    return (finding for fault, finding in schema_faults(section) if fault is Fault.UNKNOWN)


def check_document(analysis: RgdAnalysis) -> Iterator[tuple[PlacedChunk, Finding]]:
    """Find the unknown fields outside of resources and schema section."""
    return ((placed, finding) for placed, fault, finding in frame_faults(analysis.rgd) if fault is Fault.UNKNOWN)


RULE = Rule(
    code="unknown-field",
    severity=Severity.ERROR,
    summary="A ResourceGraphDefinition has no field of this name.",
    explanation="""\
A field that the kind does not have is either a misspelt one or stands in the wrong place. kubectl refuses it; without
strict validation the API server would silently drop it, which is worse.""",
    wrong="""\
resources:
  - id: config
    templat:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
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
    check_resource=check_resource,
    check_schema=check_schema,
    check_document=check_document,
)
