"""Definition, references, highlights and rename of names in expressions."""

from __future__ import annotations

import pytest
from lsprotocol import types

from kro_ls.features.actions.rename import RenameError, prepare_rename, rename
from kro_ls.features.navigation.definition import definition
from kro_ls.features.navigation.reference_search import references
from tests.fixtures.definitions import rgd
from tests.fixtures.features import check_definition, check_references, check_rename
from tests.fixtures.language import fixture

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


@pytest.mark.parametrize("source", [RESOURCE, ITERATOR, VARIABLE])
def test_definition_leads_to_the_declaration(source: str) -> None:
    check_definition(fixture(source))


@pytest.mark.parametrize("source", [RESOURCE, ITERATOR, VARIABLE])
def test_references_and_highlights_are_all_uses(source: str) -> None:
    check_references(fixture(source), "use")


def test_schema_leads_to_the_schema_section() -> None:
    found = fixture(RESOURCE.replace("con$0fig", "config").replace("schema.spec.name", "sch$0ema.spec.name"))
    location = definition(found.cursor)
    assert location is not None
    assert location.range.start == types.Position(5, 2)


def test_nothing_is_found_outside_of_names() -> None:
    found = fixture(RESOURCE.replace("con$0fig", "config").replace("name: app", "name: a$0pp"))
    assert definition(found.cursor) is None
    assert references(found.cursor, include_declaration=True) == []


@pytest.mark.parametrize("source", [RESOURCE, ITERATOR, VARIABLE])
def test_rename_changes_the_declaration_and_every_use(source: str) -> None:
    check_rename(fixture(source), "renamed", "declaration", "use")


def test_prepare_rename_offers_the_name() -> None:
    found = fixture(RESOURCE)
    offered = prepare_rename(found.cursor)
    assert offered is not None
    assert (offered.placeholder, offered.range) == ("config", found.marks["use"][1])


@pytest.mark.parametrize(
    ("new_name", "reason"),
    [("my-config", "lower camel case"), ("schema", "reserved"), ("copy", "another resource"), ("", "lower camel case")],
)
def test_rename_refuses_what_kro_would_refuse(new_name: str, reason: str) -> None:
    found = fixture(RESOURCE)
    with pytest.raises(RenameError, match=reason):
        rename(found.cursor, new_name)


def test_kro_names_cannot_be_renamed() -> None:
    found = fixture(RESOURCE.replace("con$0fig", "config").replace("schema.spec.name", "sch$0ema.spec.name"))
    assert prepare_rename(found.cursor) is None
    assert rename(found.cursor, "x") is None
