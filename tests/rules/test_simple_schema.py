"""The rules about SimpleSchema: where the fault is marked, in every YAML style, and what mends it."""

from __future__ import annotations

import pytest

from kro_ls.rules.diagnosis import diagnose_text
from kro_ls.yaml_positions.text import Text
from tests.fixtures.definitions import rgd_around
from tests.fixtures.diagnostics import check_diagnostics, check_fixed

HEAD = """\
schema:
  apiVersion: v1alpha1
  kind: Example
"""


def spec(lines: str, types: str = "") -> str:
    """Return a fixture with these lines, indented by four, under `spec`, and under `types`."""
    return HEAD + (f"  types:\n{types.strip(chr(10))}\n" if types else "") + f"  spec:\n{lines.strip(chr(10))}\n"


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


def test_an_empty_field_is_marked_at_its_key() -> None:
    check_diagnostics(
        spec("""
    name:
    ^^^^ invalid-schema-field: this field is empty
""")
    )


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


TEMPLATE = """\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.spec.%s}
"""


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


def test_a_type_is_used_only_if_the_instance_reaches_it() -> None:
    check_diagnostics(
        spec(
            "    first: '[]Used'",
            """
    Used: {inner: Inner}
    Inner: string
    Unused: {inner: Inner, more: More}
    ^^^^^^ unused-type: the type 'Unused' is not used
    More: string
    ^^^^ unused-type
""",
        )
    )


def test_names_that_no_crd_can_have() -> None:
    check_diagnostics(
        """
schema:
  apiVersion: v1alpha1
  kind: DNS
  #     ^^^ refused-crd: kro's plural of 'DNS', 'dnsDNSes'
  group: Platform.example.com
  #      ^^^^^^^^^^^^^^^^^^^^ refused-crd: in lower case
  additionalPrinterColumns:
    - name: Name
      type: text
      #     ^^^^ refused-crd: is not a type of printer columns
      jsonPath: spec.name
      #         ^^^^^^^^^ refused-crd: must begin with a dot
  spec:
    name: string
"""
    )


def test_a_kind_that_kro_refuses_is_reported_once() -> None:
    check_diagnostics(
        """
schema:
  apiVersion: v1alpha1
  kind: dns
  #     ^^^ invalid-kind
  spec:
    name: string
"""
    )


def test_a_yaml_bomb_is_not_a_schema() -> None:
    lines = ["    a0: &a0 {x: string}"]
    for level in range(1, 9):
        uses = ", ".join(f"k{number}: *a{level - 1}" for number in range(10))
        lines.append(f"    a{level}: &a{level} {{{uses}}}")
    found = diagnose_text(Text(rgd_around(spec("\n".join(lines)) + TEMPLATE % "a8.k1"))).diagnostics
    assert [each.code for each in found] == ["yaml-syntax"]


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


def test_labels_and_annotations_of_the_crd_follow_the_rules_of_kubernetes() -> None:
    check_diagnostics(
        """
schema:
  apiVersion: v1alpha1
  kind: Example
  metadata:
    labels:
      example.com/team: a
      Example.com/team: a
#     ^^^^^^^^^^^^^^^^ refused-crd: expected a domain in lower case
      size: -large
      #     ^^^^^^ refused-crd: is not a valid label value
    annotations:
      Example.com/team: "anything: goes"
      a b: c
#     ^^^ refused-crd: expected at most 63 letters
  spec:
    name: string
"""
    )


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
