"""The apiVersion of a template is not group/version."""

from __future__ import annotations

from tests.fixtures.diagnostics import check_diagnostics


def test_group_version() -> None:
    check_diagnostics("""
resources:
  - id: first
    template:
      apiVersion: a/b/c
#                 ^^^^^ invalid-api-version: unexpected GroupVersion string: a/b/c
      kind: Config
      metadata: {name: config}
  - id: second
    externalRef:
      apiVersion: ${schema.apiVersion}
#                 ^^^^^^^^^^^^^^^^^^^^ invalid-api-version: 'apiVersion' cannot hold an expression
      kind: ${schema.kind}
#           ^^^^^^^^^^^^^^ invalid-template-kind: 'kind' cannot hold an expression
      metadata: {name: config}
""")


def test_near_miss() -> None:
    check_diagnostics("""
resources:
  - id: role
    template:
      apiVersion: rbac.authorization.k8s.io/v1
#                 ~~~~~~~~~~~~~~~~~~~~~~~~~~~~ invalid-api-version
      kind: Role
      metadata:
        name: ${schema.metadata.name}
""")
