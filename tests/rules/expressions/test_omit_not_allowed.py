"""omit() is used where kro does not allow it."""

from __future__ import annotations

from kro_ls.rules.settings import Settings
from tests.fixtures.diagnostics import check_diagnostics


def test_omit() -> None:
    resources = """
schema:
  apiVersion: v1
  kind: Example
  status:
    value: ${omit()}
#            ^^^^^^ omit-not-allowed: omit() can only be used in resource template expressions
resources:
  - id: config
    includeWhen:
      - ${true || omit()}
#                 ^^^^^^ omit-not-allowed: omit() requires the CELOmitFunction feature gate
    readyWhen:
      - ${config.kind == "" || omit()}
#                              ^^^^^^ omit-not-allowed: omit() can only be used in resource template expressions
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: '${schema.kind == "" ? omit() : "a"}'
#                                    ^^^^^^ omit-not-allowed: omit() requires the CELOmitFunction feature gate
"""
    check_diagnostics(resources)
    enabled = resources.replace(
        "\n#                 ^^^^^^ omit-not-allowed: omit() requires the CELOmitFunction feature gate\n", "\n"
    ).replace("omit() requires the CELOmitFunction feature gate", 'omit() cannot be used at path "metadata.name"')
    check_diagnostics(enabled, Settings(feature_gates=frozenset({"CELOmitFunction"})))


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
        color: ${schema.metadata.name + "omit()"}
#                                        ~~~~~~ omit-not-allowed
""")
