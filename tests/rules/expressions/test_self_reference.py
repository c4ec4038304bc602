"""A resource refers to itself."""

from __future__ import annotations

from tests.fixtures.diagnostics import check_diagnostics


def test_own_id_in_for_each_and_include_when() -> None:
    check_diagnostics("""
resources:
  - id: configs
    forEach:
      - name: ${configs.map(each, each.metadata.name)}
#               ^^^^^^^ self-reference: self references are not allowed
    includeWhen:
      - ${size(configs) == 0}
#              ^^^^^^^ self-reference: self references are not allowed
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: "${name}"}
""")


def test_what_an_iterator_over_its_own_resource_gives_is_not_judged() -> None:
    check_diagnostics("""
resources:
  - id: configs
    forEach:
      - name: ${configs}
#               ^^^^^^^ self-reference: self references are not allowed
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: "${'a-' + name}"}
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
        self: ${schema.metadata.name + ["a"].map(config, config).join("")}
#                                                ~~~~~~ self-reference
""")
