"""Refactorings: the offers at the cursor, and the resulting definition."""

from __future__ import annotations

import re

import pytest
from lsprotocol import types

from kro_ls.cursor.cursor import Cursor
from kro_ls.features.actions.refactorings import found_refactorings, refactorings
from kro_ls.features.convert import to_range
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.scalars.writing import edited
from tests.fixtures.definitions import rgd_around
from tests.fixtures.language import fixture
from tests.paths import ROOT

SCHEMA = """\
schema:
  apiVersion: v1alpha1
  kind: App
  spec:
    name: string | required=true
    color: string | default=red
"""
CONFIG = """\
resources:
  - id: last
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: "${first.metadata.name}-2"}
  # Comes first.
  - id: first
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.spec.name}
      data:
        color: ${schema.spec.color}
        text: the-${schema.spec.color}-one
        size: "3"
  - id: pod
    template:
      apiVersion: v1
      kind: Pod
      metadata:
        name: ${schema.spec.name}
      spec:
        terminationGracePeriodSeconds: 30
        containers:
          - name: main
            image: nginx:1.29
"""
DEFINITION = rgd_around(SCHEMA + CONFIG)


def offered(place: str, definition: str = DEFINITION) -> dict[str, str]:
    """Return the offers at the beginning of a text: titles, with the definition after each."""
    found = fixture(definition.replace(place, f"$0{place}", 1))
    assert found.content == definition
    return {each.title: edited(definition, each.replacements) for each in found_refactorings(found.cursor)}


def changed(place: str, title: str, definition: str = DEFINITION) -> list[str]:
    """Return the lines that are new after a refactoring, without their indentation."""
    before = definition.splitlines()
    return [line.strip() for line in offered(place, definition)[title].splitlines() if line not in before]


def test_a_literal_becomes_a_field() -> None:
    assert changed("nginx:1.29", "Extract to 'schema.spec.image', with this value as its default") == [
        "image: string | default=nginx:1.29",
        'image: "${schema.spec.image}"',
    ]
    assert changed("30", "Extract to 'schema.spec.terminationGracePeriodSeconds', which is required") == [
        "terminationGracePeriodSeconds: integer | required=true",
        'terminationGracePeriodSeconds: "${schema.spec.terminationGracePeriodSeconds}"',
    ]


def test_a_field_becomes_its_default() -> None:
    inlined = offered("color: string", DEFINITION)["Inline 'color': \"red\""]
    assert "color: string" not in inlined
    assert 'color: "red"\n' in inlined
    assert 'text: the-${"red"}-one\n' in inlined


def test_a_resource_says_when_it_is_ready() -> None:
    (start, entry) = changed("id: pod", "Wait until the Pod is ready")
    assert start == "readyWhen:"
    assert "pod.status" in entry


def test_resources_are_sorted_with_their_comments() -> None:
    lines = offered("id: pod")["Sort the resources by what they depend on"].splitlines()
    order = [line.strip() for line in lines if line.lstrip().startswith(("- id", "#"))]
    assert order == ["# Comes first.", "- id: first", "- id: last", "- id: pod"]
    assert sorted(lines) == sorted(DEFINITION.splitlines())


def test_a_resource_becomes_a_collection_and_a_single_one_again() -> None:
    title = "Make it a collection"
    assert changed("id: pod", title) == [
        "forEach:",
        '- element: ${["a", "b"]}',
        'name: "${schema.spec.name}-${element}"',
    ]
    assert title not in offered("id: first")  # others read it
    several = offered("id: pod")[title].replace('["a", "b"]', "[1, 2].map(x, string(x))")
    assert changed("id: pod", "Make it a single resource, of the first item", several) == [
        'name: "${schema.spec.name}-${([1, 2].map(x, string(x)))[0]}"'
    ]


def test_iterators_come_into_the_name() -> None:
    several = offered("id: pod")["Make it a collection"].replace("-${element}", "")
    assert changed("id: pod", "Put 'element' into the name", several) == ['name: "${schema.spec.name}-${element}"']


def test_quotes() -> None:
    assert changed('"3"', "Write in single quotes") == ["size: '3'"]
    assert "Write without quotes" not in offered('"3"')
    assert not any(title.startswith("Write") for title in offered("nginx")), "quotes would change nothing"


def test_line_endings_are_those_of_the_document() -> None:
    found = fixture(DEFINITION.replace("\n", "\r\n").replace("id: pod", "$0id: pod", 1))
    here = to_range(found.document, Span(found.cursor.offset, found.cursor.offset))
    edits = [
        edit.new_text
        for action in refactorings(found.document, here)
        if action.edit and action.edit.changes
        for edit in action.edit.changes[found.document.uri]
    ]
    assert any("\r\n" in each for each in edits)
    assert all(each.count("\n") == each.count("\r\n") for each in edits)


def test_broken_yaml_is_left_alone() -> None:
    found = fixture(DEFINITION.replace("kind: Pod", "kind: Pod: $0x"))
    assert not refactorings(found.document, types.Range(found.position, found.position))


@pytest.mark.parametrize("name", ["web-app.yaml", "team.yaml"])
def test_what_is_offered_in_the_examples_can_be_made(name: str) -> None:
    content = (ROOT / "examples" / name).read_text(encoding="utf-8")
    document = fixture(content.replace("kind", "ki$0nd", 1)).document
    found = 0
    for match in list(re.finditer(r"\S+$", content, re.MULTILINE))[::5]:
        for each in found_refactorings(Cursor(document, match.start())):
            assert edited(content, each.replacements) != content
            found += 1
    assert found


def test_a_literal_in_an_expression_becomes_a_field() -> None:
    definition = DEFINITION.replace('size: "3"', 'size: "${schema.spec.name + \\"-big\\"}"')
    assert changed('\\"-big', "Extract to 'schema.spec.big', with this value as its default", definition) == [
        "big: string | default=-big",
        'size: "${schema.spec.name + schema.spec.big}"',
    ]
    definition = DEFINITION.replace(
        "    - id: pod\n", "    - id: pod\n      includeWhen:\n        - ${schema.spec.color.size() > 2}\n"
    )
    assert changed("2}", "Extract to 'schema.spec.value', with this value as its default", definition) == [
        "value: integer | default=2",
        "- ${schema.spec.color.size() > schema.spec.value}",
    ]


def test_an_instance_may_override_an_expression() -> None:
    definition = DEFINITION.replace('size: "3"', "size: ${string(schema.spec.name.size() + 1)}")
    assert changed("string(", "Let an instance override it by 'schema.spec.size'", definition) == [
        "size: string",
        "size: ${schema.spec.?size.orValue(string(schema.spec.name.size() + 1))}",
    ]
    assert not any(title.startswith("Let an instance") for title in offered("schema.spec.color}", DEFINITION))


def test_what_is_read_of_a_resource_is_shown_in_the_status() -> None:
    definition = DEFINITION.replace('size: "3"', "size: ${last.metadata.uid}").replace(
        '"${first.metadata.name}-2"', '"${schema.spec.name}-2"'
    )
    title = "Show it in the status as 'uid'"
    assert changed("last.metadata.uid", title, definition) == ["status:", 'uid: "${last.metadata.uid}"']
    shown = offered("last.metadata.uid", definition)[title]
    again = shown.replace("size: ${last.metadata.uid}", "size: ${last.metadata.?uid.orValue('')}")
    (other,) = (name for name in offered("last.metadata.?uid", again) if name.startswith("Show"))
    assert other == "Show it in the status as 'size'"
    assert changed("last.metadata.?uid", other, again) == ["size: \"${last.metadata.?uid.orValue('')}\""]
    assert title not in offered("size: ${", shown)


def test_a_wrong_expression_is_put_nowhere_else() -> None:
    definition = DEFINITION.replace('size: "3"', "size: ${first.metadata.nmae}")
    assert not any(title.startswith(("Show it", "Let an instance")) for title in offered("nmae", definition))
    right = definition.replace("nmae", "name")
    assert any(title.startswith("Show it") for title in offered("first.metadata.name}\n", right))
