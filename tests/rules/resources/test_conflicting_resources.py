"""Two resources are one object in the cluster."""

from __future__ import annotations

from tests.fixtures.diagnostics import check_diagnostics


def test_one_object() -> None:
    check_diagnostics("""
schema:
  apiVersion: v1
  kind: Example
  spec:
    big: boolean | default=false
resources:
  - id: first
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
  - id: inItsOwnNamespace
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
#             ^^^^^^^^^^^^^^^^^^^^^^^ conflicting-resources: this is the same object as that of 'first'
        namespace: ${schema.metadata.namespace}
  - id: sometimes
    includeWhen:
      - ${schema.spec.big}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: "${schema.metadata.name}"}
#                      ^^^^^^^^^^^^^^^^^^^^^^^^^ conflicting-resources: 'first'
  - id: otherVersion
    template:
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web}
      spec: ${web.spec}
  - id: web
    template:
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web}
#                      ^^^ conflicting-resources: 'otherVersion'
      spec:
        selector: {matchLabels: {app: web}}
        template:
          metadata: {labels: {app: web}}
          spec: {containers: [{name: web, image: nginx}]}
""")


def test_near_misses() -> None:
    check_diagnostics("""
schema:
  apiVersion: v1
  kind: Example
  spec:
    big: boolean | default=false
resources:
  - id: small
    includeWhen:
      - ${!schema.spec.big}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
  - id: large
    includeWhen:
      - ${schema.spec.big}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
#             ~~~~~~~~~~~~~~~~~~~~~~~ conflicting-resources
  - id: elsewhere
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
        namespace: default
  - id: secret
    template:
      apiVersion: v1
      kind: Secret
      metadata:
        name: ${schema.metadata.name}
""")
