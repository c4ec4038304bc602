"""What depends on the version of kro in `spec.schema`."""

from __future__ import annotations

import pytest

from tests.rules.version_settings import CONFIG, check, without_marks


@pytest.mark.parametrize(
    "read", ["string(schema.spec.ratio)", "string(schema.spec.?ratio.orValue(1.0))", "string(has(schema.spec.ratio))"]
)
def test_a_float_was_no_field_that_an_expression_can_read(read: str) -> None:
    before = read.partition("ratio")[0]
    source = f"""\
schema:
  apiVersion: v1
  kind: App
  spec:
    ratio: float | default=1
    #      ^^^^^ newer-kro-needed: type 'float' needs kro 0.9.2
{CONFIG}        ratio: ${{{read}}}
        #        {" " * len(before)}^^^^^ newer-kro-needed: a field of type 'float' in an expression needs kro 0.9.2
"""
    check("0.9.1", source)
    check("0.9.2", without_marks(source))


def test_types_could_once_be_nested_without_a_limit() -> None:
    nested = "[]" * 17
    source = f"""\
schema:
  apiVersion: v1
  kind: App
  spec: {{a: "{nested}string"}}
"""
    check("0.8.4", source)
    check("0.8.5", source + "#            " + " " * len(nested) + "^^^^^^ invalid-type-expression: nesting too deep\n")


def test_an_empty_group_was_once_that_of_kro() -> None:
    source = """\
schema: {apiVersion: v1, group: "", kind: App, spec: {a: string}}
"""
    check("0.7.0", source)
    check("0.7.1", source + "#                               ^^ refused-crd: '' is not a valid group\n")


def test_types_were_once_written_without_white_space() -> None:
    source = """\
schema:
  apiVersion: v1
  kind: App
  types:
    mapping: string
  spec:
    names: "[] string"
    #         ^ newer-kro-needed: a blank after '[]' needs kro 0.8.5
    sizes: map[string] integer
    #                 ^ newer-kro-needed: a blank after 'map[string]' needs kro 0.8.5
    plain: "[]map[string]integer"
    mapped: "[]mapping"
    #          ^^^^^^^ newer-kro-needed: type 'mapping', which begins with 'map', needs kro 0.8.5
"""
    for version in ("0.7.1", "0.8.0", "0.8.4"):
        check(version, source)
    check("0.8.5", without_marks(source))


def test_an_object_may_stand_in_a_type_and_at_first_not_in_a_list() -> None:
    source = """\
schema:
  apiVersion: v1
  kind: App
  types:
    Item:
      free: object
      many: "[]object"
      #        ^^^^^^ newer-kro-needed: type 'object' in a list or a map needs kro 0.8.0
  spec:
    item: Item
"""
    check("0.7.1", source)
    check("0.8.0", without_marks(source))


def test_an_early_default_was_whatever_json_kubernetes_takes() -> None:
    source = """\
schema:
  apiVersion: v1
  kind: App
  spec:
    size: integer | default=1.0
    #                       ^^^ invalid-default
    count: integer | default=1e2
    #                        ^^^ invalid-default
    half: integer | default=1.5
    #                       ^^^ refused-default: the default '1.5' is not an integer
    word: integer | default=x
    #                       ^ unusable-marker-value
"""
    marks = source.splitlines(keepends=True)
    newest = "".join(
        line.replace("refused-default: the default '1.5' is not an integer", "invalid-default") for line in marks
    )
    newest = newest.replace("unusable-marker-value", "invalid-default")
    check("0.9.2", newest)
    old = "".join(line for line in marks if "# " not in line or "invalid-default" not in line)
    for version in ("0.7.1", "0.8.0", "0.9.1"):
        check(version, old)


def test_an_object_with_a_required_field_got_an_empty_default_in_0_8_0_alone() -> None:
    source = """\
schema:
  apiVersion: v1
  kind: App
  types:
    Part:
      name: string | required=true
      size: integer | default=1
    Unused:
  # ^^^^^^ unused-type
      name: string | required=true
      size: integer | default=1
  spec:
    id: string | required=true
    #MARK
    size: integer | default=1
    parts: "[]Part"
    #         ^^^^ refused-default
    byName: map[string]Part
    inner:
      name: string | required=true default=a
    # ^^^^ refused-default
"""
    check("0.8.0", source.replace("    #MARK\n", "  # ^^ refused-default\n"))
    others = "".join(
        line for line in source.splitlines(keepends=True) if not line.endswith(("refused-default\n", "#MARK\n"))
    )
    for version in ("0.7.1", "0.8.1", "0.9.4"):
        check(version, others)


def test_of_several_rules_the_last_counted() -> None:
    source = """\
schema:
  apiVersion: v1
  kind: App
  spec:
    name: string | validation="self +" validation="self != ''"
    #              MARK
"""
    check("0.9.1", source.replace("MARK", "^^^^^^^^^^^^^^^^^^^ marker-without-effect"))
    check("0.9.2", source.replace("MARK", "           ^^^^^^^^ refused-validation: does not compile"))
