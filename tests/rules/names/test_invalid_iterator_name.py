"""The name of a forEach iterator is not lower camel case, or reserved."""

from __future__ import annotations

import pytest

from tests.fixtures.diagnostics import check_diagnostics, check_fixed


@pytest.mark.parametrize(
    ("name", "reason", "proposal"),
    [
        ("Name", "is not valid: must be lowerCamelCase", "name"),
        ("the_name", "is not valid: must be lowerCamelCase", "theName"),
        ("item", "is a reserved keyword", "itemValue"),
        ("each", "is a reserved keyword", "eachValue"),
    ],
)
def test_iterator_name(name: str, reason: str, proposal: str) -> None:
    fixed = check_fixed(
        f"""
resources:
  - id: configs
    forEach:
      - {name}: ${{["a", "b"]}}
#       {"^" * len(name)} invalid-iterator-name: forEach iterator name "{name}" {reason}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: config-${{{name}}}
""",
        f"Rename to '{proposal}'",
    )
    assert f"name: config-${{{proposal}}}" in fixed


def test_finding() -> None:
    check_diagnostics("""
resources:
  - id: configs
    forEach:
      - item: ${["a", "b"]}
#       ^^^^ invalid-iterator-name: 'item' is reserved and cannot be an iterator
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name + item}
""")


def test_near_miss() -> None:
    check_diagnostics("""
resources:
  - id: configs
    forEach:
      - element: ${["a", "b"]}
#       ~~~~~~~ invalid-iterator-name
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name + element}
""")
