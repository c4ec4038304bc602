"""An expression is not valid CEL."""

from __future__ import annotations

import pytest

from tests.fixtures.diagnostics import check_diagnostics
from tests.rules.expressions.texts import in_name


@pytest.mark.parametrize(
    ("value", "expectation"),
    [
        ("${schema.kind +}", "               ^ cel-syntax: Syntax error: mismatched input '<EOF>'"),
        ("${(schema.kind}-x", "              ^ cel-syntax: Syntax error"),
        ("${schema..kind}", "         ^ cel-syntax: Syntax error"),
        ("${schema.kind schema.kind}-x", "              ^^^^^^ cel-syntax: Syntax error"),
        ("${}", "^^^ cel-syntax: the expression is empty"),
    ],
)
def test_syntax_errors(value: str, expectation: str) -> None:
    check_diagnostics(in_name(value, expectation))


def test_a_syntax_error_does_not_breed() -> None:
    check_diagnostics(in_name("${unknown(nothing.at) +}", "                       ^ cel-syntax: Syntax error"))


def test_syntax_error_in_a_block_scalar() -> None:
    check_diagnostics(
        """
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: config}
      data:
        text: |
          first line
          ${schema.kind.}
#                       ^ cel-syntax: Syntax error
          ${shema.kind}
""".replace("${shema.kind}", "${schema.kind}")
    )


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
        key: ${"}" + schema.metadata.name}
#            ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ cel-syntax
""")
