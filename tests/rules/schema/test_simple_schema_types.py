"""Errors in types and defaults of SimpleSchema."""

from __future__ import annotations

import pytest

from tests.fixtures.diagnostics import check_diagnostics, check_fixed
from tests.rules.schema.definitions import spec


@pytest.mark.parametrize(
    "lines",
    [
        """
    size: 'int | default=3'
    #      ^^^ unknown-type
""",
        """
    size: "\\x20int | default=3"
    #          ^^^ unknown-type
""",
        """
    size: >-
      int |
    # ^^^ unknown-type
      default=3
""",
        """
    size: {cpu: int, memory: string}
    #           ^^^ unknown-type
""",
        """
    size: &size int
    #           ^^^ unknown-type
    other: *size
""",
    ],
)
def test_the_word_at_fault_is_marked_in_every_style_of_yaml(lines: str) -> None:
    check_diagnostics(spec(lines))
    check_fixed(spec(lines), "Change to 'integer'")


def test_an_empty_field_is_marked_at_its_key() -> None:
    check_diagnostics(
        spec("""
    name:
    ^^^^ invalid-schema-field: this field is empty
""")
    )


def test_types_that_hold_each_other_show_the_way() -> None:
    found = check_diagnostics(
        spec(
            "    root: A",
            """
    A:
      b: B
    B:
      a: "[]A"
      #     ^ recursive-type: the types 'B -> A -> B' hold each other
""",
        )
    )
    assert [each.message for each in found[0].related] == ["'B' is used here"]


def test_finding() -> None:
    check_diagnostics("""
schema:
  apiVersion: v1alpha1
  kind: Example
  types:
    string:
#   ^^^^^^ unreachable-type: the type 'string' cannot be used
      length: integer
  spec:
    weights: map[integer]string
#                ^^^^^^^ invalid-type-expression: the key of a map must be 'string', as in 'map[string]string'
    replicas: integer | default=many
#                               ^^^^ invalid-default: the default 'many' is not an integer
    size: string | enum="small,large" default=medium
#                                             ^^^^^^ refused-default: the default 'medium'
""")


def test_finding_of_another() -> None:
    check_diagnostics("""
schema:
  apiVersion: v1alpha1
  kind: Example
  types:
    T1: {a: T2, b: T2}
    T2: {a: T3, b: T3}
#   ^^ schema-too-large: the schema is too large
    T3: {a: T4, b: T4}
    T4: {a: T5, b: T5}
    T5: {a: T6, b: T6}
    T6: {a: T7, b: T7}
    T7: {a: T8, b: T8}
    T8: {a: T9, b: T9}
    T9: {a: T10, b: T10}
    T10: {a: T11, b: T11}
    T11: {a: T12, b: T12}
    T12: {a: T13, b: T13}
    T13: {a: T14, b: T14}
    T14: {a: T15, b: T15}
    T15: {a: T16, b: T16}
    T16: {a: T17, b: T17}
    T17: {a: string, b: string}
  spec:
    root: T1
""")


def test_near_miss() -> None:
    check_diagnostics("""
schema:
  apiVersion: v1alpha1
  kind: Example
  types:
    String:
#   ~~~~~~ unreachable-type
      length: integer
    Tree:
#   ~~~~ recursive-type
      children: "[]String"
  spec:
    weights: map[string]integer
#            ~~~~~~~~~~~~~~~~~~ invalid-type-expression
    replicas: integer | default=3
#                               ~ invalid-default
    size: string | enum="small,large" default=small
#                                             ~~~~~ refused-default
    name: String
#         ~~~~~~ unknown-type
    root: Tree
    debug: {}
#   ~~~~~ invalid-schema-field
""")


def test_near_miss_of_another() -> None:
    check_diagnostics("""
schema:
  apiVersion: v1alpha1
  kind: Example
  types:
    T1: {a: T2, b: T2}
    T2: {a: T3, b: T3}
#   ~~ schema-too-large
    T3: {a: T4, b: T4}
    T4: {a: T5, b: T5}
    T5: {a: T6, b: T6}
    T6: {a: T7, b: T7}
    T7: {a: T8, b: T8}
    T8: {a: string, b: string}
  spec:
    root: T1
""")
