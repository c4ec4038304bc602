"""The API server refuses the labels, annotations or finalizers of a template."""

from __future__ import annotations

from tests.fixtures.diagnostics import check_diagnostics


def test_metadata_that_no_object_can_have() -> None:
    check_diagnostics("""
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: depends-on-the-kind-${schema.metadata.name}
        namespace: a.b
        #          ^^^ invalid-metadata: 'a.b' is not allowed; it must not contain dots
        labels:
          a: ${schema.metadata.name} x
          b: web shop
          #  ^^^^^^^^ invalid-metadata: 'web shop' is not a valid
          c/d/e: x
          ^^^^^ invalid-metadata: Invalid value: "c/d/e"
        annotations:
          UPPER.com/a: any text
          b c: any text
          ^^^ invalid-metadata: Invalid value: "b c"
        finalizers: [example.com/a, a b]
        #                           ^^^ invalid-metadata: Invalid value: "a b"
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
        labels:
          team: web_shop.2
#               ~~~~~~~~~~ invalid-metadata
""")


def test_the_api_server_drops_the_namespace_of_a_cluster_scoped_object() -> None:
    check_diagnostics("""
resources:
  - id: role
    template:
      apiVersion: rbac.authorization.k8s.io/v1
      kind: ClusterRole
      metadata:
        name: ${schema.metadata.name}
        namespace: a.b
#       ^^^^^^^^^ cluster-scoped-namespace
#                  ~~~ invalid-metadata
""")
