"""The status of the generated CRD, inferred from the types of the status expressions."""

from typing import Any

from kro_ls.analysis.crd.generated_crd import inferred_status
from kro_ls.rules.diagnosis import diagnose_text
from kro_ls.yaml_positions.text import Text
from tests.fixtures.definitions import rgd_around


def status_field(expression: str) -> Any:
    text = rgd_around(f"""
        schema:
          apiVersion: v1alpha1
          kind: Example
          spec: {{anything: object, names: '[]string'}}
          status:
            field: {expression}
        resources:
          - id: pods
            forEach: [{{name: "${{schema.spec.names}}"}}]
            template: {{apiVersion: v1, kind: Pod, metadata: {{name: "${{name}}"}}}}
    """)
    status = inferred_status(diagnose_text(Text(text)).analysis.rgds[0])
    assert status is not None
    return status["properties"]["field"]


def test_an_object_without_fields_has_no_properties() -> None:
    assert status_field("${schema.spec.anything}") == {"type": "object"}


def test_objects_of_a_collection_have_their_fields() -> None:
    items = status_field("${pods.map(pod, pod.spec.os)}")["items"]
    assert items == {"type": "object", "properties": {"name": {"type": "string"}}}
