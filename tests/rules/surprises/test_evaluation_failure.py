"""A part of an expression fails with every value."""

from __future__ import annotations

import pytest

from kro_ls.rules.settings import Settings
from tests.fixtures.diagnostics import check_diagnostics
from tests.rules.surprises.definitions import marked, template


@pytest.mark.parametrize(
    ("expression", "part", "message"),
    [
        ('string(quantity("lots").asInteger())', 'quantity("lots")', "quantities must match the regular expression"),
        ('string(int("a"))', 'int("a")', "type conversion error from 'string' to 'int'"),
        ('string(timestamp("no"))', 'timestamp("no")', 'invalid RFC 3339 timestamp "no"'),
        ('string(ip("x"))', 'ip("x")', "parse error during conversion"),
        ("string(1 / 0)", "1 / 0", "division by zero"),
        ("string(schema.spec.replicas / 0)", "0", "division by zero"),
        ("string(schema.spec.replicas % 0)", "0", "modulus by zero"),
        ("[1, 2].map(n, string(n / 0))[0]", "n / 0", "division by zero"),
        ('["a", "b"][2]', '["a", "b"][2]', "index out of bounds: 2"),
        ("schema.spec.sizes[-1]", "-1", "index out of bounds: -1"),
        ('{"a": "b"}["c"]', '{"a": "b"}["c"]', "no such key: c"),
        ('[1, "a"].sort()[0]', '[1, "a"].sort()', "list elements must have the same type"),
        ('[1, "a"].join(",")', '[1, "a"].join(",")', "no such overload"),
        ('string(schema.spec.token.matches("("))', '"("', "error parsing regexp: missing closing )"),
        ("string(18446744073709551615u + 1u)", "18446744073709551615u + 1u", "unsigned integer overflow"),
        ('json.unmarshal("{")', 'json.unmarshal("{")', "json.unmarshal failed to parse JSON"),
        ('string(schema.spec.size == "large" && int("a") > 0)', 'int("a")', "type conversion error"),
    ],
)
def test_what_always_fails(expression: str, part: str, message: str) -> None:
    check_diagnostics(template(expression, f"{marked(expression, part)} evaluation-failure: {message}"))


@pytest.mark.parametrize(
    "expression",
    [
        "string(1.0 / 0.0)",
        "string(true || 1 / 0 > 0)",
        'string(isQuantity("lots"))',
        "string(schema.spec.replicas / schema.spec.level)",
        "schema.spec.sizes[0]",
        'schema.spec.labels["-1"]',
        'schema.spec.token.matches("^a+$") ? "a" : "b"',
        'optional.of("a").orValue("b")',
        'random.seededString(8, "seed")',
        "string(lists.range(1000000).map(n, n * 2).filter(n, n > 3).map(n, n + 1).size())",
    ],
)
def test_what_does_not_fail(expression: str) -> None:
    check_diagnostics(template(expression))


def test_omit_is_not_a_value() -> None:
    check_diagnostics(
        """
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: config}
      data:
        text: a-${omit()}
#                 ^^^^^^ evaluation-failure: no such overload
        compared: '${schema.metadata.name == omit() ? "a" : "b"}'
#                                            ^^^^^^ evaluation-failure: no such overload
        chosen: '${schema.metadata.name == "a" ? "a" : omit()}'
""",
        Settings(feature_gates=frozenset({"CELOmitFunction"})),
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
        valid: ${string(schema.metadata.name.matches("^[a-z]"))}
#                                                    ~~~~~~~~ evaluation-failure
""")
