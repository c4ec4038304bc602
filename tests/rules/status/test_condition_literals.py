"""A condition has a type or a status that kro refuses."""

from __future__ import annotations

from tests.fixtures.diagnostics import check_diagnostics, check_fixed
from tests.rules.status.definitions import HEAD


def test_statuses_of_conditions() -> None:
    check_fixed(
        f"""{HEAD}
    conditions:
      - '${{runtime.newCondition({{type: "Available", status: "true"}})}}'
#                                                           ^^^^^^ condition-literals: (got "true")
""",
        "Change to '\"True\"'",
    )


def test_types_of_conditions() -> None:
    diagnostics = check_diagnostics(f"""{HEAD}
    conditions:
      - '${{runtime.newCondition({{type: "", status: "True"}})}}'
#                                      ^^ condition-literals: type must not be empty
      - '${{runtime.newCondition({{type: "Same", status: "True"}})}}'
      - '${{runtime.newCondition({{type: "Same", status: "False"}})}}'
#                                      ^^^^^^ condition-literals: declared by more than one conditions entry
      - |-
        ${{schema.kind == "" ? runtime.newCondition({{type: "Two", status: "True"}})
          : runtime.newCondition({{type: "Two", status: "False"}})}}
""")
    assert [related.message for related in diagnostics[1].related] == ["the first condition 'Same'"]


def test_lookups_of_conditions() -> None:
    check_fixed(
        f"""{HEAD}
    conditions:
      - '${{runtime.newCondition({{type: "Available", status: runtime.condition(schema, "Redy").status}})}}'
#                                                                                     ^^^^^^ condition-literals: unknown
      - '${{runtime.newCondition({{type: "Fine", status: runtime.condition(schema, "ResourcesReady").status}})}}'
""",
        "Change to '\"Ready\"'",
    )


def test_lookups_of_other_authored_conditions() -> None:
    check_diagnostics(f"""{HEAD}
    conditions:
      - '${{runtime.newCondition({{type: "First", status: runtime.condition(schema, "Second").status}})}}'
#                                                                                 ^^^^^^^^ condition-literals: custom
      - '${{runtime.newCondition({{type: "Second", status: "True"}})}}'
""")


def test_computed_literals_are_not_checked() -> None:
    check_diagnostics(f"""{HEAD}
    conditions:
      - '${{runtime.newCondition({{type: "A" + schema.kind, status: schema.kind}})}}'
""")


def test_near_miss() -> None:
    check_diagnostics("""
schema:
  apiVersion: v1alpha1
  kind: WebApp
  status:
    conditions:
      - '${runtime.newCondition({type: "Available", status: "Unknown"})}'
#                                                           ~~~~~~~~~ condition-literals
""")
