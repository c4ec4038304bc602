"""An expression is in a place where kro evaluates none."""

from __future__ import annotations

from tests.fixtures.diagnostics import check_diagnostics


def test_plain_text() -> None:
    check_diagnostics("""
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: example
  labels:
    app: ${schema.metadata.name}
#        ^^^^^^^^^^^^^^^^^^^^^^^ invalid-value: a valid label
  annotations:
    kubectl.kubernetes.io/last-applied-configuration: '{"a":"${schema.spec.x}"}'
spec:
  schema:
    apiVersion: v1alpha1
    kind: Example
    metadata:
      annotations:
        note: for ${schema.metadata.name}
#                 ^^^^^^^^^^^^^^^^^^^^^^^ expression-in-plain-text: the same for all instances
    additionalPrinterColumns:
      - name: ${schema.spec.size}
#             ^^^^^^^^^^^^^^^^^^^ expression-in-plain-text: gets its value from its jsonPath
        type: string
        jsonPath: .spec.size
    types:
      Name: string | default="${schema.metadata.name}"
#                            ^^^^^^^^^^^^^^^^^^^^^^^^^ expression-in-plain-text: a default is constant
    spec:
      name: Name
      size: string | description="such as ${schema.metadata.name}"
#                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ expression-in-plain-text: a description
      price: string | description="in $, or ${" pattern="^a${1}"
""")


def test_near_miss() -> None:
    check_diagnostics("""
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    title: string | default="$"
#                            ~ expression-in-plain-text
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
      data:
        title: ${schema.spec.title}
""")
