"""A function or operator does not take these types."""

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
        sum: ${string(schema.metadata.name + 1)}
#                                          ^ no-matching-overload: '+' does not work on string and int
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
        sum: ${schema.metadata.name + string(1)}
#                                   ~ no-matching-overload
""")
