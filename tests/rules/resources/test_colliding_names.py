"""Several objects of a collection have one name."""

from __future__ import annotations

from tests.fixtures.diagnostics import check_diagnostics, check_fixed


def test_an_item_twice_in_a_list() -> None:
    check_diagnostics("""
resources:
  - id: configs
    forEach:
      - zone: ${["a", "b", 'a', "A", "a"]}
                           ^^^ colliding-names: 'a' is in the list twice, so two objects have one name
#                                    ^^^ colliding-names: 'a' is in the list twice, so two objects have one name
      - number: ${[1, 2]}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${zone}-${string(number)}
""")


def test_iterators_with_nothing_between_them() -> None:
    fixed = check_fixed(
        """
resources:
  - id: configs
    forEach:
      - zone: ${["a", "ab"]}
      - rack: ${["bc", "c"]}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: all-${zone}${rack}
#             ^^^^^^^^^^^^^^^^^^ colliding-names: nothing separates 'zone' and 'rack'
""",
        "Put '-' between them",
    )
    assert "name: all-${zone}-${rack}" in fixed


def test_near_misses() -> None:
    check_diagnostics("""
resources:
  - id: configs
    forEach:
      - zone: ${["a", "b"]}
      - rack: ${["a", "b"]}
#               ~~~~~~~~~~ colliding-names
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}${zone}
#             ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ colliding-names
        namespace: ${rack}
  - id: one
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}${configs[0].metadata.name}
""")
