"""An expression is inside another expression."""

from __future__ import annotations

from tests.fixtures.diagnostics import check_diagnostics, check_fixed
from tests.rules.expressions.texts import in_name


def test_nested_expression() -> None:
    source = in_name("${string(${schema.kind})}-x", "         ^^ nested-expression: nested expressions are not allowed")
    assert "name: ${string(schema.kind)}-x" in check_fixed(source, "Remove the inner '${' and '}'")


def test_nested_expression_that_is_not_closed_has_no_fix() -> None:
    (diagnostic,) = check_diagnostics(in_name("${a ${b", "    ^^ nested-expression: inside string literals"))
    assert diagnostic.fixes == ()


def test_expression_in_a_string_is_fine() -> None:
    check_diagnostics(in_name("""'${"a-${b}-" + schema.kind}'"""))


def test_near_miss() -> None:
    check_diagnostics("""
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
      data:
        key: ${"${" + schema.metadata.name + "}"}
#               ~ nested-expression
""")
