"""The rules about SimpleSchema: where the fault is marked, in every YAML style, and what mends it."""

from __future__ import annotations

import pytest

from kro_ls.rules.diagnosis import diagnose_text
from kro_ls.yaml_positions.text import Text
from tests.fixtures.definitions import rgd_around
from tests.fixtures.diagnostics import check_diagnostics, check_fixed
from tests.rules.schema.definitions import HEAD, spec

TEMPLATE = """\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.spec.%s}
"""


def test_every_fault_of_a_field_is_shown_at_once() -> None:
    check_diagnostics(
        spec("""
    name: strin | reqired=true minLength=x
    #     ^^^^^ unknown-type: did you mean 'string'?
    #             ^^^^^^^ unknown-marker: did you mean 'required'?
    size: integer | minimum=x pattern="^a"
    #                       ^ invalid-marker-value: failed to parse minimum enum value
    #                         ^^^^^^^ marker-not-applicable: 'pattern' is only for a string
""")
    )


@pytest.mark.parametrize(
    ("lines", "title", "wanted"),
    [
        (
            """
    ports: list
    #      ^^^^ unknown-type: did you mean '[]string'?
""",
            "Change to '[]string'",
            'ports: "[]string"',
        ),
        (
            """
    ports: [integer]
    #      ^^^^^^^^^ invalid-schema-field: a list is written '[]string'
""",
            "Change to '[]integer'",
            'ports: "[]integer"',
        ),
        (
            """
    debug: false
    #      ^^^^^ invalid-schema-field: the boolean 'false'
""",
            "Change to 'boolean | default=false'",
            "debug: boolean | default=false",
        ),
        (
            """
    replicas: 3
    #         ^ invalid-schema-field: the number '3'
""",
            "Change to 'integer | default=3'",
            "replicas: integer | default=3",
        ),
        (
            """
    name: string required=true
    #     ^^^^^^^^^^^^^^^^^^^^ unknown-type: '|' is missing between type and markers
""",
            "Change to 'string | required=true'",
            "name: string | required=true",
        ),
        (
            """
    ports: "string[]"
    #       ^^^^^^^^ unknown-type: did you mean '[]string'?
""",
            "Change to '[]string'",
            'ports: "[]string"',
        ),
        (
            """
    ports: list<Int>
    #      ^^^^^^^^^ unknown-type: did you mean '[]integer'?
""",
            "Change to '[]integer'",
            'ports: "[]integer"',
        ),
        (
            """
    ports: map<string, bool>
    #      ^^^^^^^^^^^^^^^^^ unknown-type: did you mean 'map[string]boolean'?
""",
            "Change to 'map[string]boolean'",
            "ports: map[string]boolean",
        ),
        (
            """
    size: integer | minimum=1, maximum=3
    #                       ^^ invalid-marker-value: markers are separated by blanks alone
""",
            "Change to '1'",
            "minimum=1 maximum=3",
        ),
        (
            """
    labels: map[string]
    #       ^^^^^^^^^^^ invalid-type-expression: map value type is required
""",
            "Change to 'map[string]string'",
            "labels: map[string]string",
        ),
        (
            """
    name: |
    #     ^ marker-syntax: blanks after the last marker
      string | required=true
    other: string
""",
            "Remove the blanks",
            "name: |-\n        string | required=true\n",
        ),
    ],
)
def test_fixes_leave_valid_yaml_behind(lines: str, title: str, wanted: str) -> None:
    assert wanted in check_fixed(spec(lines), title)


def test_what_yaml_cannot_read_is_reported_once() -> None:
    for value in ("[]string", "[]string | required=true", 'string | description="a: b"', "*missing", "'string"):
        found = diagnose_text(Text(rgd_around(spec(f"    ports: {value}")))).diagnostics
        assert [each.code for each in found] == ["yaml-syntax"], value


def test_a_section_that_is_not_a_mapping_is_a_field_of_a_wrong_type() -> None:
    check_diagnostics(
        HEAD
        + """\
  spec: string
  #     ^^^^^^ wrong-type: must be a mapping, not a string
"""
    )


def test_a_resource_that_is_not_a_mapping_is_no_quoted_name() -> None:
    check_diagnostics("""
resources:
  - text
#   ^^^^ wrong-type: this value must be a mapping, not a string
""")


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        ("    size: Sise", "unknown-type"),
        ("    size: [string]", "invalid-schema-field"),
        ("    size: Tree", "recursive-type"),
        ("    size: {cpu: Sise}", "unknown-type"),
        ("    - size", "wrong-type"),
    ],
)
def test_a_field_in_error_does_not_make_its_uses_wrong(lines: str, code: str) -> None:
    types = "    Tree: {size: '[]Tree'}"
    source = spec(lines, types) + TEMPLATE % "size.cpu.cores + schema.spec.size.cpu"
    found = diagnose_text(Text(rgd_around(source))).diagnostics
    assert {each.code for each in found} <= {code, "recursive-type"}
    assert code in {each.code for each in found}


def test_fields_without_fault_are_checked_beside_one_in_error() -> None:
    source = spec("    size: Sise\n    name: string") + TEMPLATE % "nam"
    assert {each.code for each in diagnose_text(Text(rgd_around(source))).diagnostics} == {
        "unknown-type",
        "undefined-field",
    }


def test_a_yaml_bomb_is_not_a_schema() -> None:
    lines = ["    a0: &a0 {x: string}"]
    for level in range(1, 9):
        uses = ", ".join(f"k{number}: *a{level - 1}" for number in range(10))
        lines.append(f"    a{level}: &a{level} {{{uses}}}")
    found = diagnose_text(Text(rgd_around(spec("\n".join(lines)) + TEMPLATE % "a8.k1"))).diagnostics
    assert [each.code for each in found] == ["yaml-syntax"]
