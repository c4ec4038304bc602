"""Hover, definition, references and rename in SimpleSchema, and from expressions to it."""

from __future__ import annotations

import pytest

from kro_ls.features.actions.rename import RenameError, prepare_rename, rename
from kro_ls.features.hover.hover import hover, hover_simple_schema
from kro_ls.features.navigation.definition import definition
from kro_ls.features.navigation.reference_search import references
from tests.fixtures.features import check_definition, check_hover, check_no_hover, check_references, check_rename
from tests.fixtures.language import Fixture, fixture

SOURCE = """
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: app
spec:
  schema:
    apiVersion: v1alpha1
    kind: App
    types:
      Port:
      ^^^^ Port
        number: integer | minimum=1 default=80 description="The port's number"
        ^^^^^^ number
        name: string | required=true
      Size: string | enum="small,large" default=small
      Service:
        ports: "[]Port | maxItems=3"
                  ^^^^ Port
    spec:
    ^^^^ spec
      name: string | required=true description="Who am I"
      ^^^^ name
      ports: '[]Port'
                ^^^^ Port
      service: Service
      named: map[string]Port
                        ^^^^ Port
      size: Size
      ^^^^ size
      nested:
        size: Size | description="of the inner"
        ^^^^ nested size
  resources:
    - id: config
      forEach:
        - port: ${schema.spec.service.ports}
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: ${schema.spec.name + string(port.number)}
        data:
          a: ${schema.spec.ports.map(p, string(p.number)).join("")}
          b: ${schema.spec.ports[0].number}${schema.spec.named["x"].number}
          c: ${schema.spec.size}${schema.spec.?nested.?size}
          d: ${schema.spec.unknown}${config.metadata.name}
"""


def at(old: str, new: str, source: str = SOURCE) -> Fixture:
    assert old in source
    return fixture(source.replace(old, new, 1))


NUMBER = "**number**: `integer`, default `80`\n\nThe port's number"


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ("name: string | req", "name: str$0ing | req", "**string**\n\nText."),
        ('"[]Port', '"[$0]Port', None),
        ("minimum=1", "min$0imum=1", "**minimum** (number)\n\nThe smallest number allowed.\n\n"),
        ("minimum=1", "minimum=$01", "**minimum** (number)"),
        ("      name: string |", "      na$0me: string |", "**name**: `string`, required"),
        ("'[]Port'", "'[]Po$0rt'", "**Port**: custom type\n\n```yaml\nPort:\n  number: integer | minimum=1 default=80"),
        ("size: Size\n", "size: $0Size\n", "**Size**: custom type\n\n```yaml\nSize: string | enum="),
        ("port.number", "port.num$0ber", NUMBER),
        ("p.number", "p.num$0ber", NUMBER),
        ("ports[0].number", "ports[0].num$0ber", NUMBER),
        ('named["x"].number', 'named["x"].num$0ber', NUMBER),
        ("?nested.?size", "?nested.?si$0ze", '**size**: `Size`, default `"small"`\n\nof the inner'),
        ("schema.spec.name +", "schema.spec.na$0me +", "**name**: `string`, required\n\nWho am I"),
        ("schema.spec.size}", "schema.spec.si$0ze}", "One of `small`, `large`"),
    ],
)
def test_hover(old: str, new: str, wanted: str | None) -> None:
    if wanted is None:
        check_no_hover(at(old, new))
    else:
        check_hover(at(old, new), wanted)


@pytest.mark.parametrize(
    ("old", "new"),
    [("schema.spec.unknown", "schema.spec.unk$0nown"), ("config.metadata", "config.meta$0data")],
)
def test_what_is_not_a_field_of_the_instance_has_no_description(old: str, new: str) -> None:
    assert hover_simple_schema(at(old, new).cursor) is None


def test_a_hover_marks_the_word_that_it_is_about() -> None:
    found = at("'[]Port'", "'[]Po$0rt'")
    answer = hover(found.cursor)
    assert answer is not None
    assert answer.range in found.marks["Port"]


@pytest.mark.parametrize(
    ("old", "new", "label"),
    [
        ("'[]Port'", "'[]Po$0rt'", "Port"),
        ("map[string]Port", "map[string]$0Port", "Port"),
        ("schema.spec.name +", "schema.spec.name$0 +", "name"),
        ("schema.spec.name +", "schema.sp$0ec.name +", "spec"),
        ("schema.spec.?nested", "schema.$0spec.?nested", "spec"),
        ("port.number", "port.num$0ber", "number"),
        ("p.number", "p.num$0ber", "number"),
        ("schema.spec.size}", "schema.spec.si$0ze}", "size"),
        ("?nested.?size", "?nested.?si$0ze", "nested size"),
    ],
)
def test_definition(old: str, new: str, label: str) -> None:
    check_definition(at(old, new), label)


@pytest.mark.parametrize("name", ["meta$0data.name", "api$0Version", "kin$0d", "metadata.na$0me", "stat$0us"])
def test_what_kubernetes_declares_of_an_instance_leads_nowhere(name: str) -> None:
    assert definition(at("schema.spec.unknown", f"schema.{name}").cursor) is None


@pytest.mark.parametrize(
    ("old", "new"),
    [("      Port:", "      Po$0rt:"), ("'[]Port'", "'[]Port$0'"), ('"[]Port', '"[]$0Port')],
)
def test_references_and_rename_of_a_custom_type(old: str, new: str) -> None:
    found = at(old, new)
    check_references(found, declaration="Port")
    assert [each.range for each in references(found.cursor, include_declaration=True)] == found.marks["Port"], "order"
    check_rename(found, "Endpoint", "Port")


@pytest.mark.parametrize("new_name", ["Size", "string", "my type", "", "1st", "true", "[]Port", "y"])
def test_a_type_is_not_renamed_to_what_cannot_be_used(new_name: str) -> None:
    found = at("'[]Port'", "'[]Po$0rt'")
    with pytest.raises(RenameError):
        rename(found.cursor, new_name)


def test_a_type_that_nothing_declares_is_not_renamed() -> None:
    found = at("'[]Port'", "'[]Po$0rd'")
    assert prepare_rename(found.cursor) is None
    assert definition(found.cursor) is None
