"""Nothing reads a field of the instance."""

from __future__ import annotations

import pytest

from kro_ls.rules.diagnosis import diagnose_text
from kro_ls.yaml_positions.text import Text
from tests.fixtures.definitions import rgd_around
from tests.fixtures.diagnostics import check_diagnostics


def test_unused_fields() -> None:
    check_diagnostics("""
schema:
  apiVersion: v1alpha1
  kind: Example
  additionalPrinterColumns:
    - {name: Shown, type: string, jsonPath: .spec.shown}
  spec:
    read: string | required=true
    shown: string
    left: string
#   ^^^^ unused-schema-field: 'left' is never read
    my-name: string | default=a
    asked: string
    inStatus: string
    place:
      city: string | default=Ulm
      street: string
#     ^^^^^^ unused-schema-field: 'place.street' is never read
    whole:
      city: string | default=Ulm
      street: string
    items: '[]Item | default=[]'
  types:
    Item:
      name: string
  status:
    it: ${schema.spec.?inStatus}
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.spec.read}-${schema.spec.my__dash__name}
      data:
        asked: ${string(has(schema.spec.asked))}
        city: ${schema.spec.place.city}
        whole: ${json.marshal(dyn(schema.spec.whole))}
        count: ${string(schema.spec.items.filter(i, has(i.name)).size())}
""")


@pytest.mark.parametrize("name", ["${schema.spec.read", "${schema.spec.}", "${schema.spec.read}${shema.spec.left}"])
def test_unused_fields_are_not_reported_while_an_expression_is_broken(name: str) -> None:
    codes = {
        diagnostic.code
        for diagnostic in diagnose_text(
            Text(
                rgd_around(f"""
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    read: string | default=a
    left: string | default=a
resources:
  - id: shared
    externalRef:
      apiVersion: v1
      kind: ConfigMap
      metadata: {{name: shared}}
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: {name}
      data:
        read: ${{schema.spec.read}}
""")
            )
        ).diagnostics
    }
    assert codes
    assert not codes & {"unused-schema-field", "unused-resource"}


def test_a_misspelt_field_is_not_reported_twice() -> None:
    check_diagnostics("""
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    name: string | required=true
    title: string | default=a
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.spec.name}
      data:
        title: ${schema.spec.titel}
#                            ^^^^^ undefined-field: undefined field 'titel'
""")


def test_everything_is_used_where_the_whole_is() -> None:
    check_diagnostics("""
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    left: string
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: config}
      data:
        all: ${json.marshal(dyn(schema.spec))}
""")


def test_near_miss() -> None:
    check_diagnostics("""
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    name: string | required=true
    image: string | default=nginx
#   ~~~~~ unused-schema-field
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: '${schema.spec.name}${has(schema.spec.image) ? "" : "-none"}'
""")
