"""Errors in markers of SimpleSchema."""

from __future__ import annotations

import pytest

from tests.fixtures.diagnostics import check_diagnostics
from tests.rules.schema.definitions import spec


@pytest.mark.parametrize(
    ("text", "carets"),
    [
        ('string | default="a', "                 ^"),
        ("'[]string | default=[\"a\"'", "                    ^"),
        ('\'map[string]string | default={"a":"b}\'', "                                  ^"),
    ],
)
def test_a_value_that_is_never_closed_is_one_mistake(text: str, carets: str) -> None:
    check_diagnostics(f"""
schema:
  apiVersion: v1
  kind: Example
  spec:
    name: {text}
#         {carets} marker-syntax: is never closed
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {{name: a}}
      data:
        size: ${{string(size(schema.spec.name))}}
""")


def test_markers_of_a_list_that_contradict_each_other() -> None:
    check_diagnostics(
        spec("""
    names: '[]string | uniqueItems=true listType=atomic'
    #                                   ^^^^^^^^^^^^^^^ conflicting-markers: contradicts the list type 'set'
    others: '[]string | uniqueItems=true listType=set'
""")
    )


def test_bounds_that_allow_no_value() -> None:
    check_diagnostics(
        spec("""
    replicas: integer | minimum=5 maximum=1
    #                             ^^^^^^^^^ contradicting-markers: so no value is allowed
    others: integer | minimum=5 maximum=5
""")
    )


def test_the_key_of_a_list_of_objects_is_always_there() -> None:
    check_diagnostics(
        spec(
            """
    ports: '[]Port | listType=map listMapKey=name'
    #                                        ^^^^ invalid-list-markers: must be required or have a default
    others: '[]Port | listType=map listMapKey=number'
""",
            """
    Port:
      name: string
      number: integer | required=true
""",
        )
    )


def test_finding() -> None:
    check_diagnostics("""
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    title: string | required
#                   ^^^^^^^^ marker-syntax
    replicas: integer | min=1
#                       ^^^ unknown-marker: unknown marker 'min'
    ports: "[]integer | maxLength=5"
#                       ^^^^^^^^^ marker-not-applicable: 'maxLength' is only for a string
    team: string | required=yes
#                           ^^^ invalid-marker-value: 'yes' is not allowed for 'required'
    names: "[]string | default=a,b"
#                              ^^^ unusable-marker-value: the default 'a,b' is not valid JSON
    name: string | minimum=3
#                  ^^^^^^^ marker-without-effect: 'minimum' has no effect
""")


def test_near_miss() -> None:
    check_diagnostics("""
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    team: string | required=true description="a | b"
#                  ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ marker-syntax
""")


def test_near_miss_of_another() -> None:
    check_diagnostics(r"""
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    replicas: integer | minimum=1
#                       ~~~~~~~ unknown-marker
    team: string | maxLength=5
#                  ~~~~~~~~~ marker-not-applicable
    owner: string | required=true
#                            ~~~~ invalid-marker-value
    names: "[]string | default=[\"a\"]"
#                              ~~~~~~~ unusable-marker-value
    size: float | minimum=3
#                 ~~~~~~~ marker-without-effect
    words: "[]string | uniqueItems=false listType=atomic"
#                      ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ conflicting-markers
    count: integer | minimum=5 maximum=5
#                    ~~~~~~~~~~~~~~~~~~~ contradicting-markers
""")


def test_near_miss_of_a_third() -> None:
    check_diagnostics("""
schema:
  apiVersion: v1alpha1
  kind: Example
  types:
    Port: {name: string | required=true}
  spec:
    ports: "[]Port | listType=map listMapKey=name"
#                    ~~~~~~~~~~~~~~~~~~~~~~~~~~~~ invalid-list-markers
""")
