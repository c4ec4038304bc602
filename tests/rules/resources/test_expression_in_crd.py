"""A CustomResourceDefinition holds an expression outside of its metadata."""

from __future__ import annotations

from tests.fixtures.diagnostics import check_diagnostics


def test_expression_in_crd() -> None:
    check_diagnostics("""
resources:
  - id: first
    template:
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: {name: "${schema.metadata.name}"}
      spec:
        group: example.com
        scope: Namespaced
        names: {kind: "${schema.kind}", plural: gadgets}
#                     ^^^^^^^^^^^^^^^^ expression-in-crd: found in path "spec.names.kind"
        versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
""")


def test_near_miss() -> None:
    check_diagnostics("""
resources:
  - id: crd
    template:
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata:
        name: ${schema.metadata.name}
#             ~~~~~~~~~~~~~~~~~~~~~~~ expression-in-crd
      spec:
        group: example.com
        scope: Namespaced
        names: {kind: Gadget, plural: gadgets}
        versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
""")
