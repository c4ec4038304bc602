"""Names that all instances share."""

from __future__ import annotations

import pytest

from tests.fixtures.diagnostics import check_diagnostics


def test_an_object_that_only_one_instance_can_have() -> None:
    check_diagnostics("""
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: settings
        #     ^^^^^^^^ fixed-name: all instances want this one object
        namespace: shared
  - id: role
    template:
      apiVersion: rbac.authorization.k8s.io/v1
      kind: ClusterRole
      metadata:
        name: reader
        #     ^^^^^^ fixed-name
      rules: []
  - id: own
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: settings
        #     ~~~~~~~~ fixed-name
""")


@pytest.mark.parametrize(
    "metadata",
    [
        "{name: '${schema.metadata.name}', namespace: shared}",
        "{name: settings, namespace: '${schema.metadata.namespace}'}",
        "{name: settings}",
    ],
)
def test_an_object_for_each_instance_or_namespace(metadata: str) -> None:
    check_diagnostics(f"""
resources:
  - id: config
    template: {{apiVersion: v1, kind: ConfigMap, metadata: {metadata}}}
""")


def test_objects_that_others_make_and_kinds_whose_names_cannot_be_chosen() -> None:
    check_diagnostics("""
resources:
  - id: read
    externalRef: {apiVersion: v1, kind: ConfigMap, metadata: {name: settings, namespace: shared}}
  - id: copy
    template: {apiVersion: v1, kind: ConfigMap, metadata: {name: '${read.metadata.uid}'}}
  - id: crd
    template:
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: {name: shops.example.com}
      spec:
        group: example.com
        scope: Namespaced
        names: {plural: shops, singular: shop, kind: Shop, listKind: ShopList}
        versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
""")
