"""Values of a chart that occur in its manifests become fields of the same name."""

from kro_ls.authoring.from_manifests.known_fields import ChartValues
from kro_ls.openapi.json_values import JsonObject
from tests.fixtures.manifests import DEPLOYMENT, INGRESS, SERVICE, definition, objects, schema_of

VALUES = """\
replicaCount: 2
image: {repository: example.com/shop, tag: "1.0", pullPolicy: IfNotPresent}
service: {port: 80, type: ClusterIP}
ingress: {host: shop.example.com}
unused: 2
nodeSelector: {}
"""
SCHEMA: JsonObject = {
    "properties": {
        "replicaCount": {"type": "integer", "description": 'How many "pods"'},
        "image": {"properties": {"pullPolicy": {"type": "string", "enum": ["IfNotPresent", "Always"]}}},
    }
}
MANIFESTS = "---\n".join(
    [
        DEPLOYMENT.replace("          ports", "          imagePullPolicy: IfNotPresent\n          ports"),
        SERVICE.replace("spec:", "spec:\n  type: ClusterIP"),
        INGRESS,
    ]
)


def test_values_that_stand_in_the_manifests_are_fields() -> None:
    (values,) = objects(VALUES)
    text = definition(MANIFESTS, chart=ChartValues(values, {}))
    assert schema_of(text) == {
        "replicaCount": "integer | default=2",
        "image": {
            "repository": 'string | default="example.com/shop"',
            "tag": 'string | default="1.0"',
            "pullPolicy": 'string | default="IfNotPresent"',
        },
        "service": {"port": "integer | default=80", "type": 'string | default="ClusterIP"'},
        "ingress": {"host": 'string | default="shop.example.com"'},
    }
    assert "image: ${schema.spec.image.repository}:${schema.spec.image.tag}\n" in text


def test_of_two_values_the_one_with_the_nearer_name_counts() -> None:
    values = objects("replica: {externalPrimary: {port: 80}}\nservice: {port: 80}\n")[0]
    assert schema_of(definition(MANIFESTS, chart=ChartValues(values, {}))) == {
        "service": {"port": "integer | default=80"}
    }


def test_kinds_and_details_stay_in_the_template() -> None:
    values = objects("kind: Deployment\nrestartPolicy: Always\nservice: {namespace: 80}\nlivenessProbe: {port: 8080}\n")
    manifests = DEPLOYMENT.replace("      containers:", "      restartPolicy: Always\n      containers:")
    assert schema_of(definition(manifests, chart=ChartValues(values[0], {}))) == {}


def test_whole_numbers_are_integers() -> None:
    chart = ChartValues({"replicaCount": 2}, {"properties": {"replicaCount": {"type": "number"}}})
    assert schema_of(definition(DEPLOYMENT, chart=chart)) == {"replicaCount": "integer | default=2"}


def test_a_value_may_be_called_as_a_reserved_word_of_cel() -> None:
    config = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: shop}\ndata: {namespace: stores}\n"
    text = definition(config, chart=ChartValues({"election": {"namespace": "stores"}, "in": "stores"}, {}))
    assert "${schema.spec.election.namespace}" in text


def test_the_schema_of_the_values_gives_types_descriptions_and_choices() -> None:
    (values,) = objects(VALUES)
    schema = schema_of(definition(MANIFESTS, chart=ChartValues(values, SCHEMA)))
    assert schema["replicaCount"] == 'integer | default=2 description="How many \\"pods\\""'
    assert schema["image"]["pullPolicy"] == 'string | default="IfNotPresent" enum="IfNotPresent,Always"'
