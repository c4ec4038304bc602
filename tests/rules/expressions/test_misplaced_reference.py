"""An expression names something that it may not refer to in its place."""

from __future__ import annotations

from tests.fixtures.diagnostics import check_diagnostics, check_fixed
from tests.rules.expressions.references import SHARED


def test_ready_when_of_an_object() -> None:
    check_diagnostics(f"""
resources:
{SHARED}
  - id: config
    readyWhen:
      - ${{shared.metadata.name == config.metadata.name}}
#         ^^^^^^ misplaced-reference: 'shared' is not available in readyWhen; only the resource itself is
      - ${{schema.metadata.name != ""}}
#         ^^^^^^ misplaced-reference: references unknown identifiers: [schema]
      - ${{runtime != null}}
#         ^^^^^^^ misplaced-reference: references unknown identifiers: [runtime]
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {{name: config}}
""")


def test_each_in_ready_when_of_an_object() -> None:
    check_fixed(
        """
resources:
  - id: config
    readyWhen:
      - ${has(each.metadata.annotations)}
#             ^^^^ misplaced-reference: references unknown identifiers: [each]
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: config}
""",
        "Change to 'config'",
    )


def test_ready_when_of_a_collection() -> None:
    check_fixed(
        """
resources:
  - id: configs
    forEach:
      - suffix: ${["a", "b"]}
    readyWhen:
      - ${has(configs.metadata.annotations)}
#             ^^^^^^^ misplaced-reference: references unknown identifiers: [configs]
      - ${has(each.metadata.annotations)}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: "config-${suffix}"}
""",
        "Change to 'each'",
    )


def test_ready_when_of_an_external_collection() -> None:
    check_diagnostics("""
resources:
  - id: configs
    readyWhen:
      - ${size(configs) > 0}
#              ^^^^^^^ impossible-ready-when: so the collection is never ready
      - ${has(each.metadata.annotations)}
#             ^^^^ misplaced-reference: references unknown identifiers: [each]
    externalRef:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        selector: {}
""")


def test_in_the_status() -> None:
    check_diagnostics(f"""
schema:
  apiVersion: v1
  kind: Example
  status:
    first: ${{runtime}}
#            ^^^^^^^ misplaced-reference: references unknown identifiers: [runtime]
    second: ${{each.kind}}
#             ^^^^ misplaced-reference: references unknown identifiers: [each]
    third: ${{share.kind}}
#            ^^^^^ unresolved-reference: did you mean 'shared'?
    fourth: ${{shared.kind + schema.kind}}
    conditions:
      - '${{runtime.newCondition({{type: "Available", status: each.status}})}}'
#                                                           ^^^^ misplaced-reference: unknown identifiers: [each]
resources:
{SHARED}
""")


def test_near_miss() -> None:
    check_diagnostics("""
resources:
  - id: config
    readyWhen:
      - ${has(config.metadata.annotations)}
#             ~~~~~~ misplaced-reference
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
""")
