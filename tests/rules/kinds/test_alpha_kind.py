"""An alpha kind of Kubernetes is off by default."""

from __future__ import annotations

from tests.fixtures.diagnostics import check_diagnostics


def test_alpha_kind() -> None:
    check_diagnostics("""
resources:
  - id: stored
    template:
      apiVersion: internal.apiserver.k8s.io/v1alpha1
#                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ alpha-kind: most clusters do not serve it
      kind: StorageVersion
      metadata: {name: "${schema.metadata.name}"}
      spec: {}
""")


def test_near_miss() -> None:
    check_diagnostics("""
resources:
  - id: role
    template:
      apiVersion: rbac.authorization.k8s.io/v1
      kind: ClusterRole
#           ~~~~~~~~~~~ alpha-kind
      metadata:
        name: ${schema.metadata.name}
""")
