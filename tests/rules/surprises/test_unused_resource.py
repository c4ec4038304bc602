"""Nothing refers to an external reference."""

from __future__ import annotations

from tests.fixtures.diagnostics import check_diagnostics


def test_external_references_that_serve_no_one() -> None:
    check_diagnostics("""
schema:
  apiVersion: v1alpha1
  kind: Example
  status:
    name: ${inStatus.metadata.name}
    conditions:
      - ${runtime.condition(inCondition, "Ready")}
resources:
  - id: unused
#       ^^^^^^ unused-resource: 'unused' is never referenced
    externalRef:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: unused}
  - id: gate
    readyWhen: ["${has(gate.data)}"]
    externalRef:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: gate}
  - id: inStatus
    externalRef:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: one}
  - id: inCondition
    externalRef:
      apiVersion: v1
      kind: Pod
      metadata: {name: two}
""")


def test_near_miss() -> None:
    check_diagnostics("""
resources:
  - id: shared
#       ~~~~~~ unused-resource
    externalRef:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: shared
  - id: copy
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
      data:
        name: ${shared.metadata.name}
""")
