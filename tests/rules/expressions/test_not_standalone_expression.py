"""A condition or an iterator is not exactly one expression."""

from __future__ import annotations

import pytest

from tests.fixtures.diagnostics import check_diagnostics, check_fixed


def in_condition(value: str, expectation: str = "") -> str:
    """Return a resource with a value as its one includeWhen; the carets start under the value."""
    below = f"\n#       {expectation}" if expectation else ""
    return f"""
resources:
  - id: config
    includeWhen:
      - {value}{below}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {{name: config}}
"""


def test_condition_with_text_around() -> None:
    check_diagnostics(
        in_condition('"x-${schema.kind}"', "^^^^^^^^^^^^^^^^^^ not-standalone-expression: with nothing around it")
    )


def test_condition_without_braces() -> None:
    source = in_condition(
        'schema.kind == "A"', "^^^^^^^^^^^^^^^^^^ not-standalone-expression: only standalone expressions"
    )
    assert """- '${schema.kind == "A"}'""" in check_fixed(source, "Wrap in '${...}'")


def test_word_as_condition_has_no_fix() -> None:
    (diagnostic,) = check_diagnostics(
        in_condition("enabled", "^^^^^^^ not-standalone-expression: write it as one '${...}'")
    )
    assert diagnostic.fixes == ()


def test_two_expressions_in_one_condition() -> None:
    source = in_condition(
        '${schema.kind != "A"} && ${schema.kind != "B"}',
        "^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ not-standalone-expression: combine the parts inside",
    )
    fixed = check_fixed(source, "Combine into one expression")
    assert """- '${schema.kind != "A" && schema.kind != "B"}'""" in fixed


def test_blanks_around_a_condition() -> None:
    source = in_condition(
        """' ${schema.kind != "A"} '""", "^^^^^^^^^^^^^^^^^^^^^^^^^ not-standalone-expression: remove the blanks"
    )
    assert """- '${schema.kind != "A"}'""" in check_fixed(source, "Remove the blanks")


@pytest.mark.parametrize(("header", "new"), [("|", "|-"), ("|+", "|-"), (">", ">-")])
def test_block_scalar_as_condition(header: str, new: str) -> None:
    source = in_condition(
        f"{header}\n"
        f"#       {'^' * len(header)} not-standalone-expression: keeps a line break after the expression\n"
        '          ${schema.kind != "A"}'
    )
    fixed = check_fixed(source, f"Change to '{new}'")
    assert f"- {new}\n" in fixed


def test_unterminated_condition() -> None:
    check_diagnostics(in_condition("${schema.kind", "^^^^^^^^^^^^^ not-standalone-expression: '${' is never closed"))


def test_iterator_that_is_not_an_expression() -> None:
    check_diagnostics("""
resources:
  - id: configs
    forEach:
      - name: x-${schema.kind}
#             ^^^^^^^^^^^^^^^^ not-standalone-expression: only standalone expressions are allowed
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: "${name}"}
""")


def test_near_miss() -> None:
    check_diagnostics("""
resources:
  - id: config
    includeWhen:
      - ${schema.metadata.name != "a" && schema.metadata.name != "b"}
#       ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ not-standalone-expression
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
""")
