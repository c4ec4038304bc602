"""The faults of a template against the schema of its kind."""

from __future__ import annotations

from tests.fixtures.diagnostics import check_diagnostics


def test_misspelt_name_of_a_collection() -> None:
    check_diagnostics("""
resources:
  - id: configs
    forEach:
      - suffix: ${["a", "b"]}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        nam: ${suffix}
#       ^^^ unknown-template-field: did you mean 'name'?
""")


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
        replicas: 3
#                 ^ template-value-type: 'replicas' must be a string, not an integer
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
        replicas: "3"
#                 ~~~ template-value-type
        dta: value
#       ~~~ unknown-template-field
""")


def test_a_field_without_a_usable_schema() -> None:
    check_diagnostics("""
//- rgd.yaml
resources:
  - id: bucket
    template:
      apiVersion: example.com/v1
      kind: Bucket
      metadata:
        name: ${schema.metadata.name}
      spec:
        extra: {any: 3}
        #            ^ unusable-schema
        labels: {any: "3"}
        #             ~~~ unusable-schema
        size: 3
        ~~~~ unknown-template-field
//- crd.yaml
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: buckets.example.com}
spec:
  group: example.com
  names: {kind: Bucket, plural: buckets}
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties:
                extra: {type: object, additionalProperties: true}
                labels: {type: object, additionalProperties: {type: string}}
                size: {type: integer}
""")
