"""Definition, references, highlights and rename of names in expressions."""

from __future__ import annotations

import pytest
from lsprotocol import types

from kro_ls.features.actions.rename import RenameError, prepare_rename, rename
from kro_ls.features.navigation.definition import definition
from kro_ls.features.navigation.references import document_highlights, references
from tests.features.fixtures import Fixture, fixture, rgd

RESOURCE = rgd(
    """
- id: config
      ^^^^^^ declaration
  template:
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: "${schema.spec.name}"}
- id: copy
  template:
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: "copy-${con$0fig.metadata.name}-\\u00e9${config.metadata.uid}"}
                             ^^^^^^ use
                                                           ^^^^^^ use
""",
    status="name: ${config.metadata.name}\n        ^^^^^^ use",
)

ITERATOR = rgd(
    """
- id: config
  forEach:
    - region: ${schema.spec.regions}
      ^^^^^^ declaration
  template:
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: ${regi$0on + "-x"}
              ^^^^^^ use
- id: other
  forEach:
    - region: ${schema.spec.regions}
  template:
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: ${region}
""",
    spec='{regions: "[]string"}',
)

VARIABLE = rgd(
    """
- id: config
  template:
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: >-
        ${schema.spec.names.map(each_name, each_n$0ame +
                                ^^^^^^^^^ declaration
                                           ^^^^^^^^^ use
          each_name).join("")}
          ^^^^^^^^^ use
""",
)


def places(found: Fixture, *labels: str) -> list[types.Range]:
    return sorted((each for label in labels for each in found.marks[label]), key=lambda each: (each.start, each.end))


def in_order(ranges: list[types.Range]) -> list[types.Range]:
    return sorted(ranges, key=lambda each: (each.start, each.end))


@pytest.mark.parametrize("source", [RESOURCE, ITERATOR, VARIABLE])
def test_definition_leads_to_the_declaration(source: str) -> None:
    found = fixture(source)
    location = definition(found.document, found.cursor)
    assert location is not None
    assert [location.range] == found.marks["declaration"]


@pytest.mark.parametrize("source", [RESOURCE, ITERATOR, VARIABLE])
def test_references_are_all_uses(source: str) -> None:
    found = fixture(source)
    uses = references(found.document, found.cursor, include_declaration=False)
    assert in_order([each.range for each in uses]) == places(found, "use")
    everything = references(found.document, found.cursor, include_declaration=True)
    assert in_order([each.range for each in everything]) == places(found, "declaration", "use")


def test_highlights_tell_the_declaration_from_the_uses() -> None:
    found = fixture(RESOURCE)
    highlights = document_highlights(found.document, found.cursor)
    written = [each.range for each in highlights if each.kind == types.DocumentHighlightKind.Write]
    assert written == found.marks["declaration"]
    assert len(highlights) == 4


def test_schema_leads_to_the_schema_section() -> None:
    found = fixture(RESOURCE.replace("con$0fig", "config").replace("schema.spec.name", "sch$0ema.spec.name"))
    location = definition(found.document, found.cursor)
    assert location is not None
    assert location.range.start == types.Position(5, 2)


def test_nothing_is_found_outside_of_names() -> None:
    found = fixture(RESOURCE.replace("con$0fig", "config").replace("kind: App", "kind: A$0pp"))
    assert definition(found.document, found.cursor) is None
    assert references(found.document, found.cursor, include_declaration=True) == []


@pytest.mark.parametrize("source", [RESOURCE, ITERATOR, VARIABLE])
def test_rename_changes_the_declaration_and_every_use(source: str) -> None:
    found = fixture(source)
    edit = rename(found.document, found.cursor, "renamed")
    assert edit is not None
    assert edit.changes is not None
    edits = edit.changes[found.document.uri]
    assert in_order([each.range for each in edits]) == places(found, "declaration", "use")
    assert {each.new_text for each in edits} == {"renamed"}


def test_prepare_rename_offers_the_name() -> None:
    found = fixture(RESOURCE)
    offered = prepare_rename(found.document, found.cursor)
    assert offered is not None
    assert (offered.placeholder, offered.range) == ("config", found.marks["use"][1])


@pytest.mark.parametrize(
    ("new_name", "reason"),
    [("my-config", "lower camel case"), ("schema", "reserved"), ("copy", "another resource"), ("", "lower camel case")],
)
def test_rename_refuses_what_kro_would_refuse(new_name: str, reason: str) -> None:
    found = fixture(RESOURCE)
    with pytest.raises(RenameError, match=reason):
        rename(found.document, found.cursor, new_name)


def test_kro_names_cannot_be_renamed() -> None:
    found = fixture(RESOURCE.replace("con$0fig", "config").replace("schema.spec.name", "sch$0ema.spec.name"))
    assert prepare_rename(found.document, found.cursor) is None
    assert rename(found.document, found.cursor, "x") is None
