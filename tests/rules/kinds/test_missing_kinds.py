"""Finds the kinds of templates and external references that no schema source has, each once per document."""

from __future__ import annotations

from tests.fixtures.diagnostics import check_diagnostics


def test_finding() -> None:
    check_diagnostics("""
resources:
  - id: bucket
    template:
      apiVersion: example.com/v1
      kind: Bucket
#           ^^^^^^ unknown-kind: unknown kind 'example.com/v1 Bucket'
      metadata:
        name: ${schema.metadata.name}
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMaps
#           ^^^^^^^^^^ unknown-kubernetes-kind: Kubernetes has no kind 'v1 ConfigMaps'
      metadata:
        name: ${schema.metadata.name}
""")


def test_near_miss() -> None:
    check_diagnostics("""
//- rgd.yaml
resources:
  - id: bucket
    template:
      apiVersion: example.com/v1
      kind: Bucket
      #     ~~~~~~ unknown-kind
      metadata:
        name: ${schema.metadata.name}
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      #     ~~~~~~~~~ unknown-kubernetes-kind
      metadata:
        name: ${schema.metadata.name}
//- crd.yaml
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: buckets.example.com}
spec:
  group: example.com
  names: {kind: Bucket, plural: buckets}
  scope: Namespaced
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
""")
