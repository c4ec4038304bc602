"""A forEach iterator does not run over a list."""

from __future__ import annotations

import pytest

from tests.fixtures.definitions import rgd
from tests.fixtures.diagnostics import check_diagnostics


@pytest.mark.parametrize(
    ("expression", "type_"),
    [("schema.spec.port", "int"), ("schema.spec.owner", "object"), ("type(1)", "type(int)"), ("b'a'", "bytes")],
)
def test_an_iterator_over_something_else_than_a_list_is_one_mistake(expression: str, type_: str) -> None:
    spec = "{team: string | required=true, port: integer, owner: {name: string | required=true}}"
    check_diagnostics(
        rgd(
            f"""\
- id: configs
  forEach:
    - name: ${{{expression}}}
#             {"^" * len(expression)} for-each-type: needs a list, but this gives {type_}
  template:
    apiVersion: v1
    kind: ConfigMap
    metadata: {{name: '${{name + schema.spec.team}}'}}
    data:
      uses: ${{string(schema.spec.?port.hasValue() || schema.spec.?owner.hasValue())}}
""",
            spec=spec,
        )
    )


def test_finding() -> None:
    check_diagnostics("""
resources:
  - id: config
    forEach:
      - letter: ${schema.metadata.name}
#                 ^^^^^^^^^^^^^^^^^^^^ for-each-type: the iterator 'letter' needs a list, but this gives string
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${letter}
""")


def test_near_miss() -> None:
    check_diagnostics("""
resources:
  - id: config
    forEach:
      - letter: ${schema.metadata.name.split("")}
#               ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ for-each-type
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${letter}
""")
