"""Completion of a value with a whole expression."""

from __future__ import annotations

import pytest

from kro_ls.features.completion.completion_list import completion
from tests.fixtures.definitions import rgd
from tests.fixtures.language import Fixture, fixture

RESOURCES = """
- id: vpc
  template:
    apiVersion: ec2.services.k8s.aws/v1alpha1
    kind: VPC
    metadata: {name: "$VPC"}
    spec: {}
- id: web
  includeWhen:
    - $INCLUDE
  readyWhen:
    - $READY
  template:
    apiVersion: apps/v1
    kind: Deployment
    metadata:
      name: $NAME
    spec:
      replicas: $REPLICAS
      paused: $PAUSED
      template:
        spec:
          containers:
            - name: main
              image: $IMAGE
              ports: [{protocol: $PROTOCOL}]
"""
SPEC = "{name: string, image: string, replicas: integer, debug: boolean, vpcID: string}"
DEFAULTS = {
    "$VPC": "vpc",
    "$INCLUDE": "${true}",
    "$READY": "${true}",
    "$NAME": "web",
    "$REPLICAS": "1",
    "$PAUSED": "false",
    "$IMAGE": "nginx",
    "$PROTOCOL": "TCP",
}


def at(value: str, place: str, status: str = "") -> Fixture:
    source = rgd(RESOURCES, spec=SPEC, status=status).replace(place, value)
    for each, default in DEFAULTS.items():
        source = source.replace(each, default)
    return fixture(source)


def offered(found: Fixture) -> dict[str, str]:
    """Return the line of the cursor after each item was taken, by label."""
    lines = {}
    for item in completion(found.cursor, snippets=False).items:
        edit = item.text_edit
        assert edit is not None
        line = found.content.split("\n")[found.position.line]
        start, end = edit.range.start.character, edit.range.end.character
        lines[item.label] = (line[:start] + edit.new_text + line[end:]).strip()
    return lines


@pytest.mark.parametrize(
    ("value", "place", "label", "line"),
    [
        ("$0", "$REPLICAS", "${schema.spec.replicas}", "replicas: ${schema.spec.replicas}"),
        ("$$0", "$REPLICAS", "${schema.spec.replicas}", "replicas: ${schema.spec.replicas}"),
        ("rep$0", "$REPLICAS", "${schema.spec.replicas}", "replicas: ${schema.spec.replicas}"),
        ("$0", "$IMAGE", "${schema.spec.image}", "image: ${schema.spec.image}"),
        ('"$0"', "$IMAGE", "${schema.spec.image}", 'image: "${schema.spec.image}"'),
        ('"$$0"', "$IMAGE", "${schema.spec.image}", 'image: "${schema.spec.image}"'),
        ("a-$$0-b", "$IMAGE", "${schema.spec.image}", "image: a-${schema.spec.image}-b"),
        ("$0", "$NAME", "${schema.spec.name}", "name: ${schema.spec.name}"),
        ("$0", "$INCLUDE", "${schema.spec.debug}", "- ${schema.spec.debug}"),
    ],
)
def test_the_likeliest_expression_is_first(value: str, place: str, label: str, line: str) -> None:
    found = offered(at(value, place))
    assert next(iter(found)) == label
    assert found[label] == line


def test_only_what_fits_is_offered() -> None:
    assert list(offered(at("$0", "$REPLICAS"))) == ["${schema.spec.replicas}"]
    assert "${schema.spec.debug}" not in offered(at("$0", "$IMAGE"))


def test_booleans_and_values_of_enums_come_first() -> None:
    assert list(offered(at("$0", "$PAUSED")))[:2] == ["true", "false"]
    assert set(offered(at("$0", "$PROTOCOL"))) == {"TCP", "UDP", "SCTP"}


def test_a_field_of_the_name_and_type_of_the_key_comes_before_the_values() -> None:
    source = rgd(RESOURCES, spec=SPEC.replace("debug", "paused")).replace("$PAUSED", "$0")
    for each, default in DEFAULTS.items():
        source = source.replace(each, default)
    assert list(offered(fixture(source))) == ["${schema.spec.paused}", "true", "false"]
    assert next(iter(offered(fixture(source.replace("$0", "t$0"))))) == "true"


def test_the_field_of_a_resource_that_the_key_names() -> None:
    found = list(offered(at("web", "$NAME", status="vpcID: $0")))
    assert found[0] == "${vpc.status.vpcID}"
    assert "${schema.spec.vpcID}" in found[:3]


@pytest.mark.parametrize(
    ("key", "first"),
    [
        ("replicas", "${web.status.replicas}"),
        ("paused", "${web.spec.paused}"),
        ("vpcID", "${vpc.status.vpcID}"),
        ("image", "${schema.spec.image}"),
    ],
)
def test_a_status_shows_resources_before_it_repeats_the_instance(key: str, first: str) -> None:
    assert next(iter(offered(at("${schema.spec.replicas}", "$REPLICAS", status=f"{key}: $0")))) == first


def test_a_status_whose_key_says_nothing_is_offered_resources_alone() -> None:
    found = offered(at("web", "$NAME", status="other: $0"))
    assert "${web.metadata.name}" in found
    assert not any("schema" in label for label in found)


def test_a_resource_that_needs_this_one_is_not_offered() -> None:
    source = RESOURCES.replace("$NAME", "${vpc.metadata.name}").replace("$VPC", "$0")
    for each, default in DEFAULTS.items():
        source = source.replace(each, default)
    assert not any("web." in label for label in offered(fixture(rgd(source, spec=SPEC))))


@pytest.mark.parametrize(
    ("value", "label", "line"),
    [
        (
            "$0",
            "${web.status.availableReplicas == web.spec.replicas}",
            "- ${web.status.availableReplicas == web.spec.replicas}",
        ),
        (
            '"$0"',
            "${web.status.conditions.exists(c, c.type == 'Available' && c.status == 'True')}",
            "- \"${web.status.conditions.exists(c, c.type == 'Available' && c.status == 'True')}\"",
        ),
    ],
)
def test_what_shows_that_a_kind_is_ready(value: str, label: str, line: str) -> None:
    assert offered(at(value, "$READY"))[label] == line


def test_what_is_offered_for_readiness_is_right() -> None:
    for line in offered(at("$0", "$READY")).values():
        source = rgd(RESOURCES, spec=SPEC).replace("- $READY", line)
        for each, default in DEFAULTS.items():
            source = source.replace(each, default)
        found = fixture(source).document.diagnosis.diagnostics
        assert [each for each in found if each.severity.value == "error"] == []


@pytest.mark.parametrize("source", ["apiVersion: $0", "kind: $0", "metadata:\n  name: $0"])
def test_nothing_is_offered_outside_of_resources_and_status(source: str) -> None:
    labels = offered(fixture(f"apiVersion: kro.run/v1alpha1\nkind: ResourceGraphDefinition\n{source}"))
    assert not any(label.startswith("${") for label in labels)
