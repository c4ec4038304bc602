"""A field of a ResourceGraphDefinition whose value the API server refuses.

Source: the ResourceGraphDefinition CRD, and Kubernetes' own rules for the name of an object.
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
    """Find the refused values of a resource."""
    return (finding for fault, finding in resource_faults(resource) if fault is Fault.VALUE)


def check_schema(section: SchemaSection, _scope: Scope) -> Iterator[Finding]:
    """Find the refused values of the schema section."""
    return (finding for fault, finding in schema_faults(section) if fault is Fault.VALUE)


def check_document(analysis: RgdAnalysis) -> Iterator[tuple[PlacedChunk, Finding]]:
    """Find the refused values outside of resources and schema section."""
    return ((placed, finding) for placed, fault, finding in frame_faults(analysis.rgd) if fault is Fault.VALUE)


RULE = Rule(
    code="invalid-value",
    severity=Severity.ERROR,
    summary="The value of a field is not one that the field takes.",
    explanation="""\
The value has the right type, but breaks a rule of the field: a fixed set of values, a pattern, a length, or a number of
entries.""",
    wrong="""\
schema:
  apiVersion: v1alpha1
  kind: WebApp
  scope: cluster
""",
    right="""\
schema:
  apiVersion: v1alpha1
  kind: WebApp
  scope: Cluster
""",
    check_resource=check_resource,
    check_schema=check_schema,
    check_document=check_document,
)
