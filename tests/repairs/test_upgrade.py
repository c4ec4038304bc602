"""Definitions are rewritten for a version of kro, and nothing but what must change does."""

from __future__ import annotations

import json

import pytest

from kro_ls.kro.versions.version import parse_version
from kro_ls.repairs.upgrade import Upgrade, upgrade
from kro_ls.rules.diagnosis import diagnose_text
from kro_ls.rules.schema_changes import SchemaChange, schema_changes
from kro_ls.rules.settings import Settings
from kro_ls.workspace.documents import Document
from kro_ls.yaml_positions.documents.stream import parse_stream
from kro_ls.yaml_positions.nodes import node_at, text_of
from kro_ls.yaml_positions.text import Text
from tests.fixtures.definitions import rgd_around

CONFIG = """\
resources:
  - id: ID # first
    template:
      apiVersion: v1
      kind: KIND
      metadata:
        name: one # name
        MORE
"""


def upgraded(source: str, version: str = "0.10") -> Upgrade:
    return upgrade(Document("", None, Text(rgd_around(source)), settings=Settings(version=parse_version(version))))


def config(more: str = "", name: str = "config", kind: str = "ConfigMap") -> str:
    return CONFIG.replace("ID", name).replace("KIND", kind).replace("        MORE\n", more)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (config("      data: {a: 'x-${1}'}\n"), config("      data: {a: 'x-${string(1)}'}\n")),
        (config("        namespace: x # gone\n", kind="Namespace"), config(kind="Namespace")),
        (config(name="graphengine"), config(name="graphengineResource")),
        (config().replace("template:", "definition:"), config()),
        (
            config("    readyOn: ['${config.metadata.name != \"\"}']\n"),
            config("    readyWhen: ['${config.metadata.name != \"\"}']\n"),
        ),
        (
            config("      data: {a: 'echo ${HOME'}\n"),
            config("      data: {a: 'echo ${\"${HOME\"}'}\n"),
        ),
    ],
)
def test_a_resource_is_rewritten(before: str, after: str) -> None:
    found = upgraded(before)
    assert found.text.content == rgd_around(after)
    assert not found.left
    assert found.steps


SCHEMA = "schema:\n  apiVersion: v1\n  kind: App\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("  spec: {a: string | required}\n", "  spec: {a: string}\n"),
        ("  spec:\n    a: 'string | default=x ' # why\n", "  spec:\n    a: 'string | default=x' # why\n"),
        ("  spec:\n    a: string[]\n", '  spec:\n    a: "[]string"\n'),
        ("  spec: {}\n  status:\n    a: string # fixed\n    b:\n      c: 1\n", "  spec: {}\n"),
    ],
)
def test_a_schema_is_rewritten(before: str, after: str) -> None:
    found = upgraded(SCHEMA + before)
    assert found.text.content == rgd_around(SCHEMA + after)
    assert not found.left


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("string | default=IRSA role for ACK", "string | default=IRSA"),
        ("string | description=the role", "string | description=the"),
        ("string | default= foo", "string | default="),
        ('string | default="a b" c', 'string | default="a b"'),
        ("string | default=a required", "string | default=a"),
        ("string | |", "string"),
        ("string |", "string"),
        # No version took these, so that there is no meaning to keep.
        ("string | enum=a, b", None),
        ("string | required= true", None),
        ("integer | default= 3", None),
        ('string | required "open', None),
        ("string | default=a\\ b", None),
        ("string[] | required", None),
        ("strin[]", None),
    ],
)
def test_what_older_versions_dropped_goes_and_the_rest_stays(before: str, after: str | None) -> None:
    for written in (json.dumps(before), f"'{before}'", f"|-\n      {before}", f">\n      {before}"):
        old = f"{SCHEMA}  spec:\n    a: {written}\n"
        found = upgraded(old)
        assert bool(found.left) is (after is None)
        if after is None:
            assert found.text.content == rgd_around(old)
        root = parse_stream(found.text).documents[0].frame.chunk.root
        assert (text_of(node_at(root, ("spec", "schema", "spec", "a"))) or "").rstrip("\n") == (after or before)


@pytest.mark.parametrize(
    ("version", "before", "after"),
    [
        ("0.9.4", "data: {a: \"${'}' + schema.metadata.name}\"}", 'data: {a: "${\\"}\\" + schema.metadata.name}"}'),
        ("0.9.4", "data:\n        a: x-${'a}b'}-${'c'}-${'{}'}", 'data:\n        a: x-${"a}b"}-${\'c\'}-${"{}"}'),
    ],
)
def test_braces_in_single_quotes(version: str, before: str, after: str) -> None:
    found = upgraded(config(f"      {before}\n"), version)
    assert found.text.content == rgd_around(config(f"      {after}\n"))
    assert not found.left


def test_a_type_in_a_type_is_written_out() -> None:
    before = (
        SCHEMA
        + "  spec: {a: A}\n  types:\n    A: {b: B, c: C} # the first\n    B: {c: C, d: string}\n    C: {e: integer}\n"
    )
    found = upgraded(before, "0.7")
    assert not found.left
    assert 'A: {b: {"c": {"e": "integer"}, "d": "string"}, c: {"e": "integer"}} # the first' in found.text.content


@pytest.mark.parametrize(("version", "is_fixed"), [("0.6.3", True), ("0.6.0", False), ("0.7.1", None)])
def test_an_external_reference_names_its_namespace(version: str, is_fixed: bool | None) -> None:
    reference = "resources:\n- id: db\n  externalRef:\n    apiVersion: v1\n    kind: ConfigMap\n"
    reference += "    metadata:\n      NAMEname: x # db\n"
    use = config("      data: {a: '${db.metadata.name}'}\n").removeprefix("resources:\n").replace("\n  ", "\n")[2:]
    text = reference.replace("NAME", "") + use
    found = upgraded(text, version)
    namespace = "namespace: ${schema.metadata.namespace}\n      "
    assert found.text.content == rgd_around(reference.replace("NAME", namespace if is_fixed else "") + use)
    assert bool(found.left) is (is_fixed is False)


def test_an_external_reference_in_flow_style_names_its_namespace() -> None:
    reference = "resources:\n- {id: db, externalRef: {apiVersion: v1, kind: ConfigMap, metadata: {NAMEname: x}}}\n"
    found = upgraded(reference.replace("NAME", ""), "0.6.3")
    assert found.text.content == rgd_around(reference.replace("NAME", '"namespace": "${schema.metadata.namespace}", '))


def test_a_resource_group_becomes_a_definition() -> None:
    text = rgd_around(config()).replace("ResourceGraphDefinition", "ResourceGroup")
    found = upgrade(Document("", None, Text(text)))
    assert found.text.content == rgd_around(config())


def test_default_service_accounts_go_with_their_lines() -> None:
    before = rgd_around(config())
    text = before.replace("spec:\n", "spec:\n  defaultServiceAccounts:\n    '*': admin # x\n", 1)
    assert upgrade(Document("", None, Text(text))).text.content == before


def test_what_has_to_be_decided_is_left() -> None:
    source = config("        labels: {kro.run/team: web}\n")
    found = upgraded(source)
    assert found.text.content == rgd_around(source)
    assert [each.code for each in found.left] == ["reserved-label"]


def test_what_is_right_stays_as_it_is() -> None:
    found = upgraded(config())
    assert (found.text.content, found.steps, found.left) == (rgd_around(config()), (), ())


def left_codes(source: str, version: str = "0.10") -> list[str]:
    found = upgraded(source, version)
    assert found.text.content == rgd_around(source)
    return [each.code for each in found.left]


OTHER = "  - id: other\n    template: {apiVersion: v1, kind: ConfigMap, metadata: {name: NAME}}\n"


def test_a_namespace_that_makes_a_resource_wait_is_left() -> None:
    waiting = config("        namespace: ${other.metadata.name}\n", kind="Namespace") + OTHER.replace("NAME", "x")
    assert left_codes(waiting) == ["cluster-scoped-namespace"]
    named = config("        namespace: ${schema.metadata.name}\n", kind="Namespace")
    assert upgraded(named).text.content == rgd_around(config(kind="Namespace"))


def test_a_number_in_a_text_of_the_status_is_left() -> None:
    """Before kro 0.8.0 the status had the number alone, without the text around it."""
    status = "  spec: {}\n  status: {a: 'have ${config.metadata.generation}'}\n"
    assert left_codes(SCHEMA + status + config(), "0.9.4") == ["no-matching-overload"]


def test_a_time_in_a_text_is_left() -> None:
    """kro before 0.6.0 wrote a time in Go's way, which `string()` does not."""
    other = OTHER.replace("NAME", "'a-${string(config.metadata.creationTimestamp).size()}'")
    assert not upgraded(config() + other).left
    assert left_codes(config() + OTHER.replace("NAME", "'a-${config.metadata.creationTimestamp}'")) == [
        "no-matching-overload"
    ]


def test_an_id_takes_no_name_that_an_expression_uses() -> None:
    use = "'${[1].map(graphengineResource, graphengine.metadata.name).join(string(1))}'"
    assert left_codes(config(name="graphengine") + OTHER.replace("NAME", use)) == ["reserved-resource-id"]


def test_each_is_a_resource_where_there_is_no_collection() -> None:
    old = config(name="each") + OTHER.replace("NAME", "'${each.metadata.name}'")
    assert upgraded(old).text.content == rgd_around(old.replace("each", "eachResource"))


SHARED_METADATA = """\
resources:
  - id: other
    template: {apiVersion: v1, kind: ConfigMap, metadata: &m {name: x, namespace: here}}
  - id: space
    template:
      apiVersion: v1
      kind: Namespace
      metadata: *m
"""


@pytest.mark.parametrize(
    "source",
    [
        SCHEMA + "  spec: {}\n  status:\n    phase: &phase Fixed\n" + config("        labels: {a: *phase}\n"),
        config("        namespace: &x x\n", kind="Namespace") + OTHER.replace("NAME", "*x"),
        SHARED_METADATA,
    ],
)
def test_what_an_alias_stands_for_is_left(source: str) -> None:
    assert len(left_codes(source)) == 1


def test_a_carriage_return_stays_in_a_text() -> None:
    found = upgraded(config('      data: {a: "${HOME\\r\\n"}\n'))
    assert found.text.content == rgd_around(config('      data: {a: "${\\"${HOME\\\\r\\"}\\n"}\n'))
    assert not found.left


def test_the_source_is_the_newest_version_that_takes_the_text() -> None:
    assert str(upgraded(SCHEMA + "  spec: {a: string | required}\n").source) == "0.8.5"
    assert str(upgraded(SCHEMA + "  spec: {a: string}\n").source) == "0.10.0"
    assert str(upgraded(config(name="graphengine")).source) == "0.9.4"
    assert str(upgraded(SCHEMA + "  spec: {a: A}\n  types: {A: {b: B}, B: {c: string}}\n", "0.7").source) == "0.9.4"
    assert upgraded(SCHEMA + "  spec: {a: string[]}\n").source is None


def test_a_source_that_refuses_the_text_says_nothing_of_its_meaning() -> None:
    text = Text(rgd_around(SCHEMA + "  spec: {a: string | required}\n"))
    found = upgrade(Document("", None, text), source=parse_version("0.9.3"))
    assert (found.text, found.steps, [each.code for each in found.refused]) == (text, (), ["marker-syntax"])
    assert upgrade(Document("", None, text), source=parse_version("0.7.1")).steps


def test_a_schema_that_changes_is_reported() -> None:
    """As by a fix that keeps no meaning: here the old text and the new one are compared directly."""
    before, after = (
        diagnose_text(Text(rgd_around(f"{SCHEMA}  spec: {{a: 'string | default={value}', b: '[]integer'}}\n"))).analysis
        for value in ("x", '"y"')
    )
    assert schema_changes(before, after) == (SchemaChange("spec.a.default", "x", "y"),)
    assert not schema_changes(before, before)


def test_names_of_typekro_become_those_of_kro() -> None:
    source = config("      data: {a: '${NAME.metadata.name}', b: '{{NAME.metadata.name}}'}\n")
    found = upgraded(source.replace("NAME", "self"))
    assert found.text.content == rgd_around(source.replace("{{NAME.metadata.name}}", "${NAME.metadata.name}")).replace(
        "NAME", "schema"
    )
    assert found.left == ()
