"""A resource has neither or both of template and externalRef."""

from __future__ import annotations

from tests.fixtures.diagnostics import check_diagnostics


def test_neither_template_nor_reference() -> None:
    check_diagnostics("""
resources:
  - id: config
    template:
#   ^^^^^^^^ resource-form: this is empty; expected an object
  - id: other
#       ^^^^^ resource-form: neither 'template' nor 'externalRef' is given
""")


def test_empty_entry() -> None:
    check_diagnostics("""
resources:
  - {}
#   ^^ missing-field: id: Required value
#   ^^ resource-form: exactly one of template or externalRef must be provided
""")


def test_both_template_and_reference() -> None:
    check_diagnostics("""
resources:
  - id: config
    externalRef:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: config}
    template: {apiVersion: v1, kind: ConfigMap, metadata: {name: config}}
#   ^^^^^^^^ resource-form: both 'template' and 'externalRef' are given; remove one of the two
""")


def test_reference_with_for_each() -> None:
    check_diagnostics("""
resources:
  - id: config
#       ^^^^^^ unused-resource: is never referenced
    forEach:
#   ^^^^^^^ resource-form: cannot use externalRef with forEach
      - name: ${["a"]}
    externalRef:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: config}
  - id: second
#       ^^^^^^ unused-resource: is never referenced
    forEach: []
    externalRef:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: config}
""")


def test_name_or_selector() -> None:
    check_diagnostics("""
resources:
  - id: neither
#       ^^^^^^^ unused-resource: is never referenced
    externalRef:
      apiVersion: v1
      kind: ConfigMap
      metadata:
#     ^^^^^^^^ resource-form: neither 'name' nor 'selector' is given
        namespace: default
  - id: both
#       ^^^^ unused-resource: is never referenced
    externalRef:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        selector: {}
        name: config
#       ^^^^ resource-form: both 'name' and 'selector' are given; remove one of the two
  - id: misspelt
#       ^^^^^^^^ unused-resource: is never referenced
    externalRef:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        selektor: {}
#       ^^^^^^^^ unknown-field: did you mean 'selector'?
  - id: everything
#       ^^^^^^^^^^ unused-resource: is never referenced
    externalRef:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        selector: {}
""")


def test_near_miss() -> None:
    check_diagnostics("""
resources:
  - id: config
#       ~~~~~~ resource-form
    readyWhen:
      - ${has(config.metadata.annotations)}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
""")
