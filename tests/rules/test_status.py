"""The status of the new API, and its conditions."""

import pytest

from tests.fixtures.diagnostics import check_diagnostics, check_fixed

HEAD = """
schema:
  apiVersion: v1
  kind: Example
  status:
"""


def test_fixed_values() -> None:
    check_diagnostics(f"""{HEAD}
    text: string
#         ^^^^^^ status-without-expression: status fields without expressions are not supported: [text]
    number: 1
#           ^ status-without-expression: [number]
    nothing:
#   ^^^^^^^ status-without-expression: [nothing]
    inner:
      empty: {{}}
      none: []
      list:
        - ${{schema.kind}}
        - fixed
#         ^^^^^ status-without-expression: [inner.list[1]]
    open: ${{schema.kind
#         ^^^^^^^^^^^^^ status-without-expression: '${{' is never closed; the '}}' is missing
    nested: ${{string(${{schema.kind}})}}
#                    ^^ nested-expression: nested expressions are not allowed
""")


@pytest.mark.parametrize("status", ["", "{}", "null"])
def test_empty_status(status: str) -> None:
    check_diagnostics(f"{HEAD.rstrip()} {status}\n")


def test_expressions_that_refer_to_nothing() -> None:
    check_diagnostics(f"""{HEAD}
    sum: ${{1 + 1}}
#        ^^^^^^^^ status-without-reference: instance status field must refer to a resource or schema: status.sum
    text: a-${{"b"}}
#         ^^^^^^^^ status-without-reference: status.text
    variable: '${{["a"].map(x, x)}}'
#             ^^^^^^^^^^^^^^^^^^^^ status-without-reference: status.variable
    fine: ${{schema.kind + "b"}}
""")


@pytest.mark.parametrize(
    ("value", "type_name"),
    [
        ("{a: b}", "map[string]interface {}"),
        ("text", "string"),
        ("1", "int64"),
        ("1.5", "float64"),
        ("yes", "bool"),
    ],
)
def test_conditions_that_are_not_a_list(value: str, type_name: str) -> None:
    check_diagnostics(f"""{HEAD}
    conditions: {value}
#               {"^" * len(value)} conditions-form: status.conditions must be a list, got {type_name}
""")


def test_empty_conditions() -> None:
    check_diagnostics(f"""{HEAD}
    conditions:
#   ^^^^^^^^^^ conditions-form: status.conditions must be a list, got <nil>
""")
    check_diagnostics(f"{HEAD}    conditions: []\n")


def test_conditions_that_are_not_strings() -> None:
    check_diagnostics(f"""{HEAD}
    conditions:
      - type: Ready
#       ^^^^^^^^^^^ conditions-form: status.conditions[0] must be a CEL expression string, got map[string]interface {{}}
      - 1
#       ^ conditions-form: status.conditions[1] must be a CEL expression string, got int64
      - plain
#       ^^^^^ not-standalone-expression: only standalone expressions are allowed
""")


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
