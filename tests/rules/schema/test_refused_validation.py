"""Kubernetes refuses a validation rule of the schema."""

from __future__ import annotations

from tests.fixtures.diagnostics import check_diagnostics
from tests.rules.schema.definitions import spec


def test_a_rule_that_kubernetes_refuses_is_marked_where_it_is_wrong() -> None:
    check_diagnostics(
        spec(
            """
    size: integer | validation="self.startsWith('a')"
    #                                ^^^^^^^^^^ refused-validation: found no matching overload
    name: string | validation="self.size()"
    #                          ^^^^^^^^^^^ refused-validation: must evaluate to a bool
    names: '[]string | validation="self.all(x, self.all(y, x == y))"'
    #                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ refused-validation: more than 100
    few: '[]Name | maxItems=10 validation="self.all(x, self.all(y, x == y))"'
    entries: '[]Entry'
""",
            """
    Name: string | maxLength=63
    Entry:
      key: string | immutable=true
      #             ^^^^^^^^^^^^^^ refused-validation: cannot be used inside a list
""",
        )
    )


def test_near_miss() -> None:
    check_diagnostics("""
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    size: integer | validation="self % 2 == 0"
#                               ~~~~~~~~~~~~~ refused-validation
""")
