"""A label or annotation has a prefix that is reserved for kro."""

from __future__ import annotations

from tests.fixtures.diagnostics import check_diagnostics


def test_reserved_labels_and_annotations() -> None:
    check_diagnostics("""
resources:
  - id: first
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: config
        labels:
          kro.run/a: b
#         ^^^^^^^^^ reserved-label: labels with prefix "kro.run/" are reserved for internal use
          app.kro.run/a: b
        annotations:
          internal.kro.run/a: b
#         ^^^^^^^^^^^^^^^^^^ reserved-label: annotations with prefix "internal.kro.run/" are reserved for internal use
  - id: second
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: other
        labels: '${{"team": schema.metadata.labels["team"]}}'
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
          example.com/kro.run: web
#         ~~~~~~~~~~~~~~~~~~~ reserved-label
""")
