"""An object of a cluster-scoped kind has a namespace."""

from __future__ import annotations

from tests.fixtures.diagnostics import check_diagnostics


def test_finding() -> None:
    check_diagnostics("""
resources:
  - id: space
    template:
      apiVersion: v1
      kind: Namespace
      metadata:
        name: ${schema.metadata.name}
        namespace: default
#       ^^^^^^^^^ cluster-scoped-namespace: Namespace is cluster-scoped
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
        namespace: default
#       ~~~~~~~~~ cluster-scoped-namespace
""")
