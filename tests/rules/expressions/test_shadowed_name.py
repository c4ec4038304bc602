"""A macro's variable hides the resource that the macro is called on."""

from __future__ import annotations

from tests.fixtures.diagnostics import check_diagnostics, check_fixed
from tests.rules.expressions.references import in_template


def test_a_variable_that_hides_the_resource() -> None:
    source = in_template(
        'shared.data.map(shared, shared).join(",")',
        "                  ^^^^^^ shadowed-name: in the whole macro, so the value stays pending",
    )
    fixed = check_fixed(source.replace("\n\n", "\n"), "Rename to 'x'")
    assert 'shared.data.map(x, x).join(",")' in fixed


def test_a_bound_name_that_hides_the_resource() -> None:
    source = in_template(
        "cel.bind(shared, shared.kind, shared)",
        "           ^^^^^^ shadowed-name: in the whole macro, so the value stays pending",
    )
    fixed = check_fixed(source.replace("\n\n", "\n"), "Rename to 'x'")
    assert "cel.bind(x, shared.kind, x)" in fixed


def test_a_variable_over_something_else_is_fine() -> None:
    check_diagnostics(in_template('["a"].map(shared, shared).join(",")').replace("\n\n", "\n"))


def test_near_miss() -> None:
    check_diagnostics("""
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
  - id: copy
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}-copy
      data:
        keys: ${config.data.map(key, key + config.metadata.name).join(",")}
#                               ~~~ shadowed-name
""")
