"""status.conditions is not a list of expressions."""

from __future__ import annotations

import pytest

from tests.fixtures.diagnostics import check_diagnostics
from tests.rules.status.definitions import HEAD


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


def test_near_miss() -> None:
    check_diagnostics("""
schema:
  apiVersion: v1alpha1
  kind: WebApp
  status:
    conditions:
      - '${runtime.newCondition({type: "Available", status: "True"})}'
#       ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ conditions-form
""")
