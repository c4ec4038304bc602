"""A forEach iterator has the name of a resource or of another iterator."""

from __future__ import annotations

from tests.fixtures.diagnostics import check_diagnostics
from tests.rules.names.definitions import CONFIG


def test_iterator_with_the_name_of_its_own_or_another_resource() -> None:
    check_diagnostics(f"""
resources:
  - id: configs
    forEach:
      - configs: ${{["a"]}}
#       ^^^^^^^ conflicting-iterator-name: forEach iterator name "configs" conflicts with resource ID
      - other: ${{["a"]}}
#       ^^^^^ conflicting-iterator-name: forEach iterator name "other" conflicts with resource ID
      - third: ${{["a"]}}
      - third: ${{["b"]}}
#       ^^^^^ conflicting-iterator-name: duplicate forEach iterator name "third"
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${{third}}
  - id: other
{CONFIG}
""")


def test_the_same_iterator_in_two_resources_is_fine() -> None:
    resource = """
    forEach:
      - name: ${["a", "b"]}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${name}
"""
    check_diagnostics(f"resources:\n  - id: first{resource}\n  - id: second{resource}")


def test_near_miss() -> None:
    check_diagnostics("""
resources:
  - id: configs
    forEach:
      - config: ${["a", "b"]}
#       ~~~~~~ conflicting-iterator-name
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name + config}
""")
