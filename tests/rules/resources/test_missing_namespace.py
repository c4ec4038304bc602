"""A namespaced object of a cluster-scoped API names no namespace."""

from __future__ import annotations

from tests.fixtures.diagnostics import check_diagnostics


def test_finding() -> None:
    check_diagnostics("""
schema:
  apiVersion: v1alpha1
  kind: App
  scope: Cluster
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
#     ^^^^^^^^ missing-namespace: 'metadata.namespace' is missing
        name: ${schema.metadata.name}
""")


def test_near_miss() -> None:
    check_diagnostics("""
schema:
  apiVersion: v1alpha1
  kind: App
  scope: Cluster
resources:
  - id: space
    template:
      apiVersion: v1
      kind: Namespace
      metadata:
#     ~~~~~~~~ missing-namespace
        name: ${schema.metadata.name}
""")
