"""Which names completion has first in an expression: by place, key, type and what the definition says elsewhere."""

from __future__ import annotations

import pytest

from kro_ls.features.completion.completion_list import completion
from kro_ls.features.completion.items import MOST_ITEMS
from tests.fixtures.definitions import rgd
from tests.fixtures.features import check_completion
from tests.fixtures.language import Fixture, fixture

RESOURCES = """
- id: first
  template:
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: ${schema.spec.name}
- id: web
  readyWhen:
    - $READY
  template:
    apiVersion: apps/v1
    kind: Deployment
    metadata:
      name: $NAME
    spec:
      replicas: $REPLICAS
      template:
        spec:
          volumes:
            - name: config
              configMap: {name: "$CONFIG"}
          containers:
            - name: main
              image: $IMAGE
              env:
                - name: LOG_LEVEL
                  value: $LEVEL
- id: service
  template:
    apiVersion: v1
    kind: Service
    metadata:
      name: ${web.metadata.name}
"""
SPEC = "{name: string, image: string, size: integer, logLevel: string, network: {cidr: string}}"
DEFAULTS = {
    "$READY": "${true}",
    "$NAME": "web",
    "$REPLICAS": "1",
    "$CONFIG": "x",
    "$IMAGE": "nginx",
    "$LEVEL": "info",
}


def at(value: str, place: str = "$NAME", status: str = "") -> Fixture:
    source = rgd(RESOURCES, spec=SPEC, status=status).replace(place, value)
    for each, default in DEFAULTS.items():
        source = source.replace(each, default)
    return fixture(source)


@pytest.mark.parametrize(
    ("value", "place", "first"),
    [
        ("${$0}", "$NAME", "schema"),
        ("${$0}", "$CONFIG", "first"),
        ("${$0}", "$READY", "web"),
        ("${schema.$0}", "$NAME", "spec"),
        ("${schema.metadata.$0}", "$NAME", "name"),
        ("${web.$0}", "$READY", "status"),
        ("${first.metadata.$0}", "$NAME", "name"),
        ("${schema.spec.$0}", "$NAME", "name"),
        ("${schema.spec.$0}", "$IMAGE", "image"),
        ("${schema.spec.$0}", "$REPLICAS", "size"),
        ("${schema.spec.$0}", "$LEVEL", "logLevel"),
    ],
)
def test_the_likeliest_name_is_first(value: str, place: str, first: str) -> None:
    check_completion(at(value, place), first)


def test_the_status_begins_with_resources() -> None:
    check_completion(at("web", status="replicas: ${$0}"), "web")
    check_completion(at("web", status="replicas: ${web.$0}"), "status")


def test_an_object_that_holds_the_key_comes_before_others() -> None:
    source = rgd(RESOURCES, spec="{a: {b: string}, network: {cidr: string}, z: string}")
    source = source.replace("replicas: $REPLICAS", "cidrBlock: ${schema.spec.$0}")
    check_completion(fixture(source), "network")


@pytest.mark.parametrize("uses", [0, 3, 30])
def test_the_field_that_is_the_key_comes_before_one_that_is_used_more(uses: int) -> None:
    template = "{apiVersion: v1, kind: Secret, metadata: {name: '${schema.spec.name}'}}"
    used = "".join(f"- id: used{number}\n  template: {template}\n" for number in range(uses))
    asked = (
        "- id: asked\n  template:\n    apiVersion: v1\n    kind: Secret\n    metadata:\n"
        "      name: ${schema.spec.name}\n      namespace: ${schema.spec.$0}\n"
    )
    check_completion(fixture(rgd(used + asked, spec="{name: string, namespace: string, size: integer}")), "namespace")


def test_no_resource_is_offered_that_needs_this_one() -> None:
    found = {item.label for item in check_completion(at("${$0}"))}
    assert "first" in found
    assert not {"web", "service"} & found, "service needs web, so web cannot need service"
    in_status = {item.label for item in check_completion(at("web", status="a: ${$0}"))}
    assert {"first", "web", "service"} <= in_status


def test_operators_are_not_offered() -> None:
    labels = {item.label for item in check_completion(at("${$0}"))}
    assert all(label.isidentifier() for label in labels)


MANY = "".join(f"- id: r{number}\n  template: {{apiVersion: v1, kind: ConfigMap}}\n" for number in range(300))
LAST = "- id: last\n  template:\n    apiVersion: v1\n    kind: ConfigMap\n    metadata:\n      name: ${%s}\n"


def test_of_many_resources_the_likely_are_offered_and_the_others_when_they_are_typed() -> None:
    answer = completion(fixture(rgd(MANY + LAST % "$0")).cursor, snippets=True)
    assert answer.is_incomplete
    assert len(answer.items) <= MOST_ITEMS
    assert "r299" in {item.label for item in answer.items}, "a neighbour"
    typed = completion(fixture(rgd(MANY + LAST % "R12$0")).cursor, snippets=True)
    assert {"r12", "r120"} <= {item.label for item in typed.items}


OPTIONAL = "{name: string | required=true, image: string, size: integer, part: {a: string}, port: integer | default=1}"


def taken(value: str, label: str, place: str = "$IMAGE", spec: str = OPTIONAL, resources: str = RESOURCES) -> str:
    """Return the line of the cursor after an item was taken."""
    source = rgd(resources, spec=spec).replace(place, value)
    for each, default in DEFAULTS.items():
        source = source.replace(each, default)
    found = fixture(source)
    item = next(each for each in check_completion(found) if each.label == label)
    assert item.text_edit is not None
    edits = [item.text_edit, *item.additional_text_edits]
    line = found.content.split("\n")[found.position.line]
    for edit in sorted(edits, key=lambda each: each.range.start.character, reverse=True):
        assert edit.range.start.line == found.position.line
        line = line[: edit.range.start.character] + edit.new_text + line[edit.range.end.character :]
    return line.strip()


@pytest.mark.parametrize(
    ("value", "label", "line"),
    [
        ("${schema.spec.$0}", "image", "image: ${schema.spec.?image}"),
        ("a-${schema.spec.$0}", "image", 'image: a-${schema.spec.?image.orValue("")}'),
        ('"a-${schema.spec.$0}"', "image", "image: \"a-${schema.spec.?image.orValue('')}\""),
        ("${string(schema.spec.$0)}", "size", "image: ${string(schema.spec.?size.orValue(0))}"),
        ("${schema.spec.$0}", "part", "image: ${schema.spec.?part}"),
        ("${schema.spec.$0}", "name", "image: ${schema.spec.name}"),
        ("${string(schema.spec.$0)}", "port", "image: ${string(schema.spec.port)}"),
        ("${schema.spec.?$0}", "image", "image: ${schema.spec.?image}"),
        ("${has(schema.spec.$0)}", "image", "image: ${has(schema.spec.image)}"),
        ("${has(schema.spec.image) ? schema.spec.$0", "image", "image: ${has(schema.spec.image) ? schema.spec.image"),
        ("${schema.spec.$0.size()}", "image", "image: ${schema.spec.image.size()}"),
    ],
)
def test_an_optional_field_is_read_as_an_optional(value: str, label: str, line: str) -> None:
    assert taken(value, label) == line


def test_no_field_is_taken_for_optional_where_none_is_required() -> None:
    spec = "{name: string, image: string}"
    assert taken("${schema.spec.$0}", "image", spec=spec) == "image: ${schema.spec.image}"


def test_a_condition_that_asks_for_the_field_makes_it_safe() -> None:
    resources = RESOURCES.replace("- id: web\n", '- id: web\n  includeWhen: ["${has(schema.spec.image)}"]\n')
    assert taken("${schema.spec.$0}", "image", resources=resources) == "image: ${schema.spec.image}"


def test_an_optional_field_says_why() -> None:
    source = rgd(RESOURCES, spec=OPTIONAL).replace("$IMAGE", "${schema.spec.$0}")
    item = next(each for each in check_completion(fixture(source)) if each.label == "image")
    assert item.detail == "string, optional: an instance may leave it out"
