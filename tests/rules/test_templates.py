"""Templates against the schemas of their kinds."""

from kro_ls.kro.schema_index import schema_index
from kro_ls.openapi.sources.bundled import kubernetes
from kro_ls.openapi.sources.crds.source import CrdSource
from kro_ls.rules.diagnosis import diagnose_text
from kro_ls.yaml_positions.text import Text
from tests.fixtures.definitions import rgd_around

CRD = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: buckets.example.com}
spec:
  group: example.com
  names: {kind: Bucket, plural: buckets}
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties:
                region: {type: string}
                extra: {type: object, additionalProperties: true}
                rules: {type: array, items: {type: object, properties: {days: {type: integer}}}}
"""

BUCKET = """\
resources:
  - id: bucket
    template:
      apiVersion: example.com/v1
      kind: Bucket
      metadata:
        name: ${schema.metadata.name}
      spec:
"""


def found(spec: str) -> list[tuple[str, str]]:
    kinds = kubernetes()
    schemas = schema_index(kinds, (CrdSource([("crd.yaml", CRD)], schema_index(kinds).object_meta),))
    diagnosis = diagnose_text(Text(rgd_around(BUCKET + spec)), schemas=schemas)
    return [
        (each.code, diagnosis.analysis.text.content[each.span.start : each.span.end].split("\n")[0])
        for each in diagnosis.diagnostics
    ]


def test_fields_of_a_custom_kind() -> None:
    assert found("        region: eu\n        rules:\n          - days: 3\n") == []
    assert found("        regoin: eu\n") == [("unknown-template-field", "regoin")]
    assert found("        rules:\n          - day: 3\n") == [("unknown-template-field", "day")]


def test_literals_of_a_wrong_type() -> None:
    assert found("        rules: 3\n") == [("template-value-type", "3")]
    assert found("        rules:\n          - days: many\n") == [("template-value-type", "many")]
    assert found("        rules:\n          - days: '${1}0'\n") == [("template-value-type", "'${1}0'")]


def test_types_of_expressions() -> None:
    assert found("        region: ${schema.metadata.generation}\n") == [("type-mismatch", "schema.metadata.generation")]
    assert found("        rules:\n          - days: ${schema.metadata.generation}\n") == []


def test_a_field_without_a_usable_schema() -> None:
    assert found("        extra: {any: 3}\n") == [("unusable-schema", "3")]


def test_a_missing_kind_is_reported_once_and_is_quiet_downstream() -> None:
    second = BUCKET.removeprefix("resources:\n").replace("id: bucket", "id: other").replace("name: ", "name: other-")
    source = BUCKET + "        any: ${other.spec.thing + 1}\n" + second + "        any: thing\n"
    diagnostics = diagnose_text(Text(rgd_around(source))).diagnostics
    assert [(each.code, len(each.related)) for each in diagnostics] == [("unknown-kind", 1)]


def test_fields_that_broken_yaml_hides_are_reported_once_as_broken_yaml() -> None:
    source = """\
schema:
  apiVersion: v1alpha1
  kind: App
  spec:
    name:string
    size: integer | default=1
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.spec.name}-${string(schema.spec.size)}
"""
    assert [each.code for each in diagnose_text(Text(rgd_around(source))).diagnostics] == ["yaml-syntax"]
