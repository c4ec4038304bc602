"""Before 0.9.0 kro checks each expression in a text by itself; since then it joins them to one."""

from __future__ import annotations

import pytest

from tests.rules.version_settings import CONFIG, check, without_marks

SCHEMA = """\
schema:
  apiVersion: v1
  kind: App
  spec:
    free: object | required=true
    size: integer | required=true
"""
READS = """\
        size: ${string(schema.spec.size)}
        free: ${string(schema.spec.free.b)}
"""


@pytest.mark.parametrize("version", ["0.6.3", "0.7.1", "0.8.0", "0.8.5"])
def test_an_optional_value_in_a_text_is_unwrapped(version: str) -> None:
    optional = """\
        text: x ${schema.spec.free.?a}
        #                          ^ no-matching-overload
"""
    check(version, SCHEMA + CONFIG + READS + without_marks(optional))
    number = """\
        text: x ${schema.spec.?size}
        #         ^^^^^^^^^^^^^^^^^ type-mismatch: returns type "optional_type(int)" but expected "string"
"""
    check(version, SCHEMA + CONFIG + READS + number)


def test_an_optional_value_in_a_text_is_refused_since_0_9() -> None:
    check(
        "0.9.0",
        SCHEMA
        + CONFIG
        + READS
        + """\
        text: x ${schema.spec.free.?a}
        #         ^^^^^^^^^^^^^^^^^^^ no-matching-overload
""",
    )


def test_a_comment_ends_with_its_own_expression() -> None:
    source = """\
        text: x ${schema.metadata.name // c} y
        #                                    ^ cel-syntax
"""
    check("0.8.5", CONFIG + without_marks(source))
    check("0.9.0", CONFIG + source)


def test_a_comment_before_a_line_break_is_fine_everywhere() -> None:
    source = """\
        text: |-
          x ${schema.metadata.name // c
          + "x"}
"""
    for version in ("0.7.1", "0.8.5", "0.9.4"):
        check(version, CONFIG + source)


def test_each_of_several_expressions_in_a_status_gives_text() -> None:
    config = CONFIG.removesuffix("      data:\n")
    twice = """\
schema:
  apiVersion: v1
  kind: App
  status:
    text: ${size(config.kind)}${size(config.kind)}
    #       ^^^^^^^^^^^^^^^^^ type-mismatch: returns type "int" but expected "string"
    #                           ^^^^^^^^^^^^^^^^^ type-mismatch: returns type "int" but expected "string"
"""
    once = twice.replace("${size(config.kind)}${size(config.kind)}", "x${size(config.kind)}")
    mark = "    #        ^^^^^^^^^^^^^^^^^ type-mismatch\n"
    for version in ("0.7.1", "0.8.5"):
        check(version, twice + config)
    check("0.7.1", without_marks(once) + config)
    check("0.8.0", without_marks(once) + mark + config)


def test_a_text_without_a_resource_is_reported_once() -> None:
    source = """\
schema:
  apiVersion: v1
  kind: App
  status:
    text: ${"a"}${"b"}
    #     ^^^^^^^^^^^^ status-without-reference
    other: ${"a"}${config.kind}
"""
    check("0.8.5", source + CONFIG.removesuffix("      data:\n"))
