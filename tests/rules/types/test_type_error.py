"""A value has a type that its place in the expression does not take."""

from __future__ import annotations

from tests.fixtures.diagnostics import check_diagnostics


def test_finding() -> None:
    check_diagnostics("""
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
      data:
        key: ${string(schema.metadata.name && true)}
#                     ^^^^^^^^^^^^^^^^^^^^ type-error: expected bool, but this is string
""")


def test_near_miss() -> None:
    check_diagnostics("""
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
      data:
        key: ${string(schema.metadata.name == "" && true)}
#                     ~~~~~~~~~~~~~~~~~~~~~~~~~~ type-error
""")
