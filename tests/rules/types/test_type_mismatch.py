"""The result of an expression does not fit the field it fills."""

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
        size: ${size(schema.metadata.name)}
#               ^^^^^^^^^^^^^^^^^^^^^^^^^^ type-mismatch: 'size' needs string, but this gives int
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
        size: ${string(size(schema.metadata.name))}
#               ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ type-mismatch
""")
