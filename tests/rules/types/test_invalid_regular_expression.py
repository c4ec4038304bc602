"""The pattern of find or findAll is not a regular expression."""

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
        digits: ${schema.metadata.name.find("[0-9")}
#                                           ^^^^^^ invalid-regular-expression: not a valid regular expression
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
        digits: ${schema.metadata.name.find("[0-9]")}
#                                           ~~~~~~~ invalid-regular-expression
""")
