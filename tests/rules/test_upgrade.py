"""Definitions are rewritten for a version of kro, and nothing but what must change does."""

from __future__ import annotations

import json

import pytest

from kro_ls.kro.versions.version import parse_version
from kro_ls.rules.settings import Settings
from kro_ls.rules.upgrade import Upgrade, upgrade
from kro_ls.yaml_positions.access import node_at, text_of
from kro_ls.yaml_positions.stream import parse_stream
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
    return upgrade(Text(rgd_around(source)), Settings(version=parse_version(version)))


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
    found = upgrade(Text(text), Settings())
    assert found.text.content == rgd_around(config())


def test_default_service_accounts_go_with_their_lines() -> None:
    before = rgd_around(config())
    text = before.replace("spec:\n", "spec:\n  defaultServiceAccounts:\n    '*': admin # x\n", 1)
    assert upgrade(Text(text), Settings()).text.content == before


def test_what_has_to_be_decided_is_left() -> None:
    source = config("        labels: {kro.run/team: web}\n")
    found = upgraded(source)
    assert found.text.content == rgd_around(source)
    assert [each.code for each in found.left] == ["reserved-label"]


def test_what_is_right_stays_as_it_is() -> None:
    found = upgraded(config())
    assert (found.text.content, found.steps, found.left) == (rgd_around(config()), (), ())
