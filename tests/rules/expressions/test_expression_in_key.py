"""An expression is in the key of a mapping."""

from __future__ import annotations

from tests.fixtures.diagnostics import check_diagnostics


def test_expressions_in_keys() -> None:
    check_diagnostics("""
schema:
  apiVersion: v1
  kind: Example
  status:
    inner:
      "${schema.kind}": ${schema.kind}
#     ^^^^^^^^^^^^^^^^ expression-in-key: kro does not evaluate expressions in keys
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: config}
      data:
        ${schema.kind}: value
#       ^^^^^^^^^^^^^^ expression-in-key: kro does not evaluate expressions in keys
        KEY: value
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
        $schema: ${schema.metadata.name}
#       ~~~~~~~ expression-in-key
""")
