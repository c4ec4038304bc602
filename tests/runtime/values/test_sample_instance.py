"""Sample instances: their CRD accepts them, and their values are such as people write."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kro_ls.analysis.analysis import analyze
from kro_ls.runtime.cluster.instance import admit_instance, instance_kind
from kro_ls.runtime.cluster.simulation import simulate
from kro_ls.runtime.values.sample_instance import sample_instance
from kro_ls.yaml_positions.text import Text
from tests.conformance.schemas import chained_schemas
from tests.fixtures.runtime import config_map, definition
from tests.paths import CONFORMANCE, needs_conformance


def sample_of(spec: str, resources: str = config_map("a", "a")) -> dict[str, Any]:
    """Return the `spec` of a sample that the CRD accepts."""
    lines = "".join(f"      {line}\n" for line in spec.strip().split("\n"))
    rgd = definition(resources, schema=f"    spec:\n{lines}")
    instance = sample_instance(rgd)
    assert admit_instance(rgd, instance).errors == ()
    found: Any = instance["spec"]
    return dict(found)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ('email: string | pattern="^[a-z]+@[a-z.]+$"', "app@example.com"),
        ('contact: string | pattern="^\\\\d{3}-\\\\d{4}$"', "000-0000"),
        ('zone: string | pattern="^[a-z]{2}-[a-z]+-[0-9][a-z]$"', "us-west-2a"),
        ('release: string | pattern="^v[0-9]+[.][0-9]+$"', "v1.2"),
        ('cidr: string | pattern="^([0-9]{1,3}[.]){3}[0-9]{1,3}/[0-9]{1,2}$"', "10.0.0.0/16"),
        ("subscription: string | maxLength=9", "subscript"),
        ("databaseName: string | maxLength=2", "ap"),
        ("port: integer | minimum=30000 maximum=32767", 30000),
        ("port: integer", 8080),
        ("replicas: integer | maximum=1", 1),
        ('tier: string | enum="gold,silver"', "gold"),
        ('environment: string | enum="prod,dev"', "dev"),
    ],
)
def test_a_value_is_realistic_within_its_bounds(field: str, value: object) -> None:
    assert list(sample_of(field).values()) == [value]


def test_a_text_that_is_too_short_is_filled_up() -> None:
    assert re.fullmatch("my-secret-[0-9a-f]{10}", sample_of("secret: string | minLength=20 maxLength=20")["secret"])


@pytest.mark.parametrize(
    "spec",
    [
        'even: integer | validation="self % 2 == 0"',
        "name: string | validation=\"self.startsWith('team-') && size(self) > 8\"",
        "mode: string | validation=\"self in ['fast', 'slow']\"",
        "host: string | validation=\"self.matches('^[a-z]+[.]example[.]com$')\"",
        'ports: "[]integer | minItems=2 validation=\\"self.all(p, p > 1024)\\""',
        'zones: "[]string | validation=\\"size(self) >= 2\\""',
        'size: integer | minimum=1 validation="self >= 5 && self <= 7"',
        'on: boolean | validation="self"',
    ],
)
def test_rules_of_a_field_hold(spec: str) -> None:
    sample_of(spec)


@pytest.mark.parametrize(
    "rule",
    [
        "self.minReplicas < self.maxReplicas",
        "self.maxReplicas == self.minReplicas * 2",
        "self.minReplicas + self.maxReplicas > 10",
        "!self.tls || self.secretName != ''",
        "self.tls == true && has(self.secretName)",
        "!(has(self.secretName) && has(self.certificate))",
    ],
)
def test_rules_about_several_fields_hold(rule: str) -> None:
    rgd = definition(
        config_map("a", "a"),
        schema=f"""\
    types:
      Web:
        minReplicas: integer
        maxReplicas: integer
        tls: boolean
        secretName: string
        certificate: string
    spec:
      web: 'Web | validation="{rule.replace("'", "''")}"'
""",
    )
    instance = sample_instance(rgd)
    assert instance_kind(rgd) is not None
    assert admit_instance(rgd, instance).errors == ()


def test_what_a_field_is_used_for_says_what_it_is() -> None:
    service = """\
    - id: service
      template:
        apiVersion: v1
        kind: Service
        metadata: {name: s}
        spec: {clusterIP: "${schema.spec.front}", ports: [{port: 80, protocol: "${schema.spec.how}"}]}
"""
    found = sample_of("front: string\nhow: string", service)
    assert found["how"] in ("TCP", "UDP", "SCTP")
    assert re.fullmatch(r"10(\.\d+){3}", found["front"])


@pytest.mark.parametrize(
    ("api_version", "values"),
    [
        ("documentdb.azure.com/v1", ("westeurope", "1")),
        ("sql.cnrm.cloud.google.com/v1beta1", ("europe-west1", "europe-west1-b")),
        ("rds.services.k8s.aws/v1alpha1", ("us-west-2", "us-west-2a")),
        ("example.com/v1", ("us-west-2", "us-west-2a")),
    ],
)
def test_regions_and_zones_are_those_of_the_cloud(api_version: str, values: tuple[str, str]) -> None:
    object_ = f'{{apiVersion: {api_version}, kind: Thing, metadata: {{name: "${{schema.spec.region}}"}}}}'
    found = sample_of("region: string\nzone: string", f"    - id: thing\n      template: {object_}\n")
    assert (found["region"], found["zone"]) == values


def test_what_a_name_is_made_of_stays_a_name() -> None:
    resource = """\
    - id: subnet
      template:
        apiVersion: v1
        kind: Service
        metadata: {name: "${schema.spec.name}-${schema.spec.front}"}
        spec: {clusterIP: "${schema.spec.front}", ports: [{port: 80}]}
"""
    assert sample_of("name: string\nfront: string", resource)["front"] == "my-front"


FIELDS = {
    "name": "string",
    "bucketName": "string",
    "vpcId": "string",
    "roleArn": "string",
    "source": "{name: string, bucketName: string}",
    "target": "{name: string, url: string}",
    "ports": "'[]integer | minItems=2'",
    "labels": "map[string]string",
    "url": "string",
    "size": "integer | minimum=3",
    "code": 'string | pattern="^[A-Z]{3}$"',
}


@given(st.lists(st.sampled_from(sorted(FIELDS)), unique=True, min_size=1))
def test_a_field_does_not_change_the_others(names: list[str]) -> None:
    def made(fields: list[str]) -> dict[str, Any]:
        return sample_of("\n".join(f"{name}: {FIELDS[name]}" for name in fields))

    whole = made(list(FIELDS))
    assert made(names) == {name: whole[name] for name in names}


@lru_cache(maxsize=1)
def published() -> list[tuple[str, Any]]:
    """Return the published definitions that declare a kind."""
    schemas = chained_schemas(CONFORMANCE)
    return [
        (path.name, rgd)
        for path in sorted((CONFORMANCE / "rgds").glob("*.yaml"))
        for rgd in analyze(Text(path.read_text(encoding="utf-8")), schemas).rgds
        if instance_kind(rgd) is not None
    ]


@needs_conformance
def test_samples_of_published_definitions_are_accepted() -> None:
    refused = [
        (name, [error.text for error in admission.errors])
        for name, rgd in published()
        if (admission := admit_instance(rgd, sample_instance(rgd))).errors
    ]
    assert refused == []
    assert len(published()) > 150


def leaves(value: Any, name: str = "") -> list[tuple[str, Any]]:
    if isinstance(value, dict):
        return [each for key, inner in value.items() for each in leaves(inner, key)]
    if isinstance(value, list):
        return [each for inner in value for each in leaves(inner, name)]
    return [(name, value)]


@needs_conformance
def test_no_value_of_a_published_definition_repeats_the_name_of_its_field() -> None:
    def plain(text: str) -> str:
        return re.sub("[^a-z]", "", text.lower())

    silly = []
    for file, rgd in published():
        admitted = admit_instance(rgd, sample_instance(rgd)).instance
        found = simulate(rgd, admitted)
        made = [admitted["spec"]]
        made += [each.get("status") for node in found.final.result.nodes for each in node.observed or ()]
        for name, value in (each for one in made for each in leaves(one)):
            if isinstance(value, str) and (value.startswith("example-") or (name and plain(value) == plain(name))):
                silly.append((file, name, value))
    # Defaults and names that the authors gave.
    assert [each for each in silly if each[1:] not in ALLOWED] == []


ALLOWED = {("field", "field")}
