"""A selector of an external reference is not one of Kubernetes."""

from __future__ import annotations

from tests.fixtures.diagnostics import check_diagnostics


def test_selector() -> None:
    check_diagnostics("""
resources:
  - id: configs
    externalRef:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        selector:
          matchLabels:
            team: web apps
#                 ^^^^^^^^ invalid-selector: 'web apps' is not a valid label value
          matchExpressions:
            - {key: team, operator: Is, values: [web]}
#                                   ^^ invalid-selector: 'Is' is not an operator of selectors
            - {key: team, operator: In, values: [web]}
            - {key: team, operator: Exists}
  - id: summary
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: a}
      data: {count: "${string(size(configs))}"}
""")


def test_near_miss() -> None:
    check_diagnostics("""
resources:
  - id: configs
    externalRef:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        selector:
          matchExpressions:
            - key: team
              operator: In
#                       ~~ invalid-selector
              values: [web]
  - id: summary
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
      data:
        count: ${string(size(configs))}
""")
