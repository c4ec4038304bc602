"""A resource id is not lower camel case."""

from __future__ import annotations

from tests.fixtures.diagnostics import check_diagnostics, check_fixed
from tests.rules.names.definitions import CONFIG


def test_id_and_its_own_uses_are_renamed() -> None:
    fixed = check_fixed(
        """
resources:
  - id: My_config
#       ^^^^^^^^^ invalid-resource-id: id My_config is not a valid KRO resource id: must be lower camelCase
    readyWhen:
      - ${My_config.metadata.name != "" && My_config.data.size() > 0}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: config}
""",
        "Rename to 'myConfig'",
    )
    assert '${myConfig.metadata.name != "" && myConfig.data.size() > 0}' in fixed


def test_an_unusable_id_does_not_breed() -> None:
    check_diagnostics(f"""
resources:
  - id: my-config
#       ^^^^^^^^^ invalid-resource-id: must be lower camelCase
{CONFIG}
  - id: copy
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {{name: "${{myConfig.metadata.name}}"}}
      data:
        name: ${{shema.metadata.name}}
#               ^^^^^ unresolved-reference: did you mean 'schema'?
""")


def test_empty_id() -> None:
    check_diagnostics(f"""
resources:
  - id: ""
#       ^^ invalid-resource-id: must be lower camelCase
{CONFIG}
""")


def test_near_miss() -> None:
    check_diagnostics("""
resources:
  - id: configOf2Shops
#       ~~~~~~~~~~~~~~ invalid-resource-id
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
""")
