"""An expression is never closed, so kro takes it as plain text."""

from __future__ import annotations

import pytest

from tests.fixtures.diagnostics import check_diagnostics, check_fixed
from tests.rules.expressions.texts import in_name


def test_an_unclosed_expression_names_no_version() -> None:
    check_diagnostics("""
resources:
  - id: config
    template:
      apiVersion: apps/v${1
#                       ^^ unterminated-expression: never closed
      kind: ConfigMap
#           ^^^^^^^^^ unknown-kubernetes-kind: cannot resolve group version kind "apps/v${1, Kind=ConfigMap"
      metadata: {name: config}
""")


@pytest.mark.parametrize("value", ["${schema.kind", "'${schema.kind'", "x-${schema.kind"])
def test_unterminated_expression(value: str) -> None:
    column = value.index("$")
    source = in_name(value, " " * column + "^^ unterminated-expression: it is plain text")
    assert "${schema.kind}" in check_fixed(source, "Add the missing '}'")


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("${size('\"') > 0}", "a lone double quote opens a string for kro, even in single quotes"),
        ('${size("a) > 0}', "a double quote opens a string that never ends"),
        ("${size('{') > 0}", "a '{' counts as open even inside single quotes"),
    ],
)
def test_why_an_expression_is_not_closed(value: str, reason: str) -> None:
    check_diagnostics(in_name(value, f"^^ unterminated-expression: {reason}"))


def test_an_unterminated_expression_beside_others() -> None:
    check_diagnostics(
        in_name("${schema.kind} ${schema", "               ^^ unterminated-expression: the '}' is missing")
    )


def test_plain_text_with_dollars_is_fine() -> None:
    check_diagnostics("""
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: config}
      data:
        key: "$HOME-$(date)-{{x}}-$"
""")


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
        key: $ {schema.metadata.name
#            ~~~~~~~~~~~~~~~~~~~~~~~ unterminated-expression
""")
