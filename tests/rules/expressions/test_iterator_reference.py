"""An iterator of forEach refers to another iterator."""

from __future__ import annotations

from tests.fixtures.diagnostics import check_diagnostics


def test_iterators_outside_of_the_template() -> None:
    check_diagnostics("""
resources:
  - id: configs
    forEach:
      - first: ${["a", "b"]}
      - second: ${[first]}
#                  ^^^^^ iterator-reference: forEach iterator "second" cannot reference other iterators [first]
      - third: ${[third]}
#                 ^^^^^ iterator-reference: forEach iterator "third" cannot reference other iterators [third]
    includeWhen:
      - ${first == "a"}
#         ^^^^^ misplaced-reference: references unknown identifiers: [first]
    readyWhen:
      - ${each.metadata.name == second}
#                               ^^^^^^ misplaced-reference: references unknown identifiers: [second]
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: "${first + second + third}"}
""")


def test_near_miss() -> None:
    check_diagnostics("""
resources:
  - id: configs
    forEach:
      - row: ${["a", "b"]}
      - cell: ${[1, 2].map(row, string(row))}
#                          ~~~ iterator-reference
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${row + cell}
""")
