"""A condition does not give true or false."""

from __future__ import annotations

from tests.fixtures.diagnostics import check_diagnostics


def test_finding() -> None:
    check_diagnostics("""
resources:
  - id: config
    includeWhen:
      - ${schema.metadata.name}
#         ^^^^^^^^^^^^^^^^^^^^ condition-type: includeWhen needs bool, but this gives string
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
""")


def test_near_miss() -> None:
    check_diagnostics("""
resources:
  - id: config
    includeWhen:
      - ${schema.metadata.name != ""}
#       ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ condition-type
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
""")
