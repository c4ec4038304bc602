"""A comparison is always true or always false."""

from __future__ import annotations

import pytest

from tests.fixtures.diagnostics import check_diagnostics, check_fixed
from tests.rules.surprises.definitions import marked, template


@pytest.mark.parametrize(
    "expression",
    [
        'schema.spec.size == "large"',
        'schema.spec.size != "small"',
        'schema.spec.size in ["small", "large"]',
        "schema.spec.level > 2",
        "schema.spec.level == 3",
        "schema.spec.replicas > 1",
        "schema.spec.replicas >= 5",
        "schema.spec.replicas == 5",
        "size(schema.spec.labels) > 0",
        "schema.spec.sizes.size() == 0",
        'schema.spec.token.indexOf("x") == -1',
        'schema.spec.token.indexOf("x") >= 0',
        'secret.?type.orValue("") == ""',
        "dyn(schema.spec.size) == null",
        'schema.spec.token == "anything"',
        "has(schema.spec.place)",
        '1 == 1 && "a" != "b"',
    ],
)
def test_comparisons_that_depend_on_values(expression: str) -> None:
    check_diagnostics(template(f"string({expression})"))


@pytest.mark.parametrize(
    ("expression", "part", "message"),
    [
        ('schema.spec.size == "medium"', '"medium"', "always false; 'size' can only be 'large' or 'small'"),
        ('"medium" != schema.spec.size', '"medium"', "always true"),
        ('schema.spec.?size.orValue("") == "medium"', '"medium"', "always false"),
        ('schema.spec.size in ["medium", "big"]', '["medium", "big"]', "always false"),
        ('schema.spec.size in ["small", "medium"]', '"medium"', "the value is never this one"),
        ("schema.spec.level == 4", "4", "always false; 'level' can only be '1', '2' or '3'"),
        ("schema.spec.level <= 3", "3", "always true"),
        ("schema.spec.replicas == 0", "0", "always false; 'replicas' is at least 1 and at most 5"),
        ("schema.spec.replicas < 1", "1", "always false"),
        ("1 > schema.spec.replicas", "1", "always false"),
        ("schema.spec.replicas <= 5", "5", "always true"),
        ("size(schema.spec.labels) >= 0", "0", "always true; size() is at least 0"),
        ("schema.spec.sizes.size() < 0", "0", "always false"),
        ('schema.spec.token.indexOf("x") == -2', "-2", "always false"),
        ("schema.spec.place != null", "null", "always true; a field that is null counts as missing"),
        ("secret.metadata.creationTimestamp == null", "null", "always false"),
        ("schema.spec.?token == null", "null", "always false; an optional is never null"),
    ],
)
def test_comparisons_with_one_answer(expression: str, part: str, message: str) -> None:
    whole = f"string({expression})"
    carets = " " * (whole.rindex(part)) + "^" * len(part)
    check_diagnostics(template(whole, f"{carets} constant-comparison: {message}"))


def test_fix_of_an_enum_value() -> None:
    expression = 'schema.spec.size == "lage" ? "a" : "b"'
    source = template(expression, f"{marked(expression, chr(34) + 'lage' + chr(34))} constant-comparison: always false")
    assert 'size == "large"' in check_fixed(source, "Change to 'large'")


def test_finding() -> None:
    check_diagnostics("""
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    size: string | default=small enum="small,large"
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
      data:
        replicas: '${schema.spec.size == "big" ? "3" : "1"}'
#                                        ^^^^^ constant-comparison: this is always false
""")


def test_near_miss() -> None:
    check_diagnostics("""
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    size: string | default=small enum="small,large"
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
      data:
        replicas: '${schema.spec.size == "large" ? "3" : "1"}'
#                                        ~~~~~~~ constant-comparison
""")
