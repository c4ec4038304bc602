"""The kind of a template cannot be the name of a kind."""

from __future__ import annotations

from tests.fixtures.diagnostics import check_diagnostics, check_fixed


def test_template_kind() -> None:
    check_fixed(
        """
resources:
  - id: first
    template:
      apiVersion: v1
      kind: "ConfigMap "
#           ^^^^^^^^^^^^ invalid-template-kind: must be a valid DNS-1035 label when lowercased
      metadata: {name: config}
""",
        "Change to 'ConfigMap'",
    )


def test_near_miss() -> None:
    check_diagnostics("""
resources:
  - id: config
    template:
      apiVersion: v1
      kind: "ConfigMap"
#           ~~~~~~~~~~~ invalid-template-kind
      metadata:
        name: ${schema.metadata.name}
""")
