"""A kind in this version is deprecated."""

from __future__ import annotations

from tests.fixtures.diagnostics import check_diagnostics


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


def test_near_miss() -> None:
    check_diagnostics("""
resources:
  - id: slice
    template:
      apiVersion: discovery.k8s.io/v1
      kind: EndpointSlice
#           ~~~~~~~~~~~~~ deprecated-kind
      metadata:
        name: ${schema.metadata.name}
      addressType: IPv4
      endpoints: []
""")
