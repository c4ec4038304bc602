"""A field of a ResourceGraphDefinition whose value has another type than it needs.

Source: the ResourceGraphDefinition CRD.
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
    """Find the values of a wrong type of a resource."""
    return (finding for fault, finding in resource_faults(resource) if fault is Fault.TYPE)


def check_schema(section: SchemaSection, _scope: Scope) -> Iterator[Finding]:
    """Find the values of a wrong type of the schema section."""
    return (finding for fault, finding in schema_faults(section) if fault is Fault.TYPE)


def check_document(analysis: RgdAnalysis) -> Iterator[tuple[PlacedChunk, Finding]]:
    """Find the values of a wrong type outside of resources and schema section."""
    return ((placed, finding) for placed, fault, finding in frame_faults(analysis.rgd) if fault is Fault.TYPE)


RULE = Rule(
    code="wrong-type",
    severity=Severity.ERROR,
    summary="The value of a field has the wrong type.",
    explanation="""\
A list was expected and a string found, or the like. Conditions are always lists, even a single one:
`readyWhen` and `includeWhen` take a list of strings, `forEach` a list of mappings.""",
    wrong="""\
resources:
  - id: config
    readyWhen: ${config.metadata.name != ""}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
""",
    right="""\
resources:
  - id: config
    readyWhen:
      - ${config.metadata.name != ""}
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
