"""An expression calls a function that kro does not have."""

from __future__ import annotations

from tests.fixtures.diagnostics import check_diagnostics, check_fixed
from tests.rules.expressions.references import in_template


def test_fix_of_a_function() -> None:
    source = in_template("string(len(shared.data))", "         ^^^ unknown-function: did you mean 'size'?")
    assert "size(shared.data)" in check_fixed(source.replace("\n\n", "\n"), "Change to 'size'")


def test_near_miss() -> None:
    check_diagnostics("""
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${string(schema.metadata.name)}
#               ~~~~~~ unknown-function
""")
