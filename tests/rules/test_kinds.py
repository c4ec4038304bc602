"""Kinds that Kubernetes has, but not for everybody or not for long."""

from tests.fixtures.diagnostics import check_diagnostics


def test_alpha_kind() -> None:
    check_diagnostics("""
resources:
  - id: stored
    template:
      apiVersion: internal.apiserver.k8s.io/v1alpha1
#                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ alpha-kind: most clusters do not serve it
      kind: StorageVersion
      metadata: {name: a}
      spec: {}
""")


def test_deprecated_kind() -> None:
    check_diagnostics("""
resources:
  - id: endpoints
    template:
      apiVersion: v1
#                 ^^ deprecated-kind: deprecated in v1.33+
      kind: Endpoints
      metadata: {name: a}
  - id: slice
    template:
      apiVersion: discovery.k8s.io/v1
      kind: EndpointSlice
      metadata: {name: a}
      addressType: IPv4
      endpoints: []
""")
