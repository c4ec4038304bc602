"""An iterator of forEach is not part of the name."""

from __future__ import annotations

import pytest

from kro_ls.rules.diagnosis import diagnose_text
from kro_ls.rules.diagnostics import Severity
from kro_ls.yaml_positions.text import Text
from tests.fixtures.definitions import rgd_around
from tests.fixtures.diagnostics import check_diagnostics, check_fixed


@pytest.mark.parametrize("name", ["config", '"config"', "'config'", "${schema.metadata.name}"])
def test_iterator_without_use_in_the_name(name: str) -> None:
    fixed = check_fixed(
        f"""
resources:
  - id: configs
    forEach:
      - suffix: ${{["a", "b"]}}
#       ^^^^^^ unused-iterator: must be used to produce a unique resource identity, missing: [suffix]
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: {name}
      data: {{suffix: "${{suffix}}"}}
""",
        "Add '-${suffix}' to metadata.name",
    )
    assert "-${suffix}" in fixed


def test_namespace_is_part_of_the_identity() -> None:
    check_diagnostics("""
resources:
  - id: configs
    forEach:
      - space: ${["a", "b"]}
      - name: ${["a", "b"]}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${name}
        namespace: ${space}
""")


@pytest.mark.parametrize("value", ["schema.spec.names", "${schema.spec.names", "$(names)", "x-${schema.spec.names}"])
def test_iterator_without_an_expression_is_not_unused_as_well(value: str) -> None:
    content = f"""
resources:
  - id: configs
    forEach:
      - suffix: {value}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: config
"""
    found = diagnose_text(Text(rgd_around(content))).diagnostics
    assert [each.code for each in found if each.severity is Severity.ERROR] == ["not-standalone-expression"]


def test_iterator_with_a_damaged_identity_is_not_reported() -> None:
    check_diagnostics("""
resources:
  - id: first
    forEach:
      - suffix: ${["a", "b"]}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${sufix}
#               ^^^^^ unresolved-reference: did you mean 'suffix'?
  - id: second
    forEach:
      - suffix: ${["a", "b"]}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${suffix +}
#                       ^ cel-syntax: mismatched input '<EOF>'
  - id: third
    forEach:
      - suffix: ${["a", "b"]}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${"a" + ${suffix}}
#                     ^^ nested-expression: nested expressions are not allowed
""")


def test_near_miss() -> None:
    check_diagnostics("""
resources:
  - id: configs
    forEach:
      - suffix: ${["a", "b"]}
#       ~~~~~~ unused-iterator
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}-${suffix}
""")
