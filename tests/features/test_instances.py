"""Instances of the workspace's definitions: checked, completed, hovered, linked to what declares them."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types

from kro_ls.features.actions.code_actions import code_actions
from kro_ls.features.completion.completion import completion
from kro_ls.features.diagnostics import found_diagnostics
from kro_ls.features.navigation.definition import definition
from kro_ls.features.tokens.part_tokens import TokenType
from kro_ls.features.tokens.semantic_tokens import semantic_tokens
from kro_ls.workspace.schemas import SchemaSettings, WorkspaceSchemas, load
from tests.features.test_tokens import words
from tests.fixtures.features import check_folds, check_hover, check_symbols
from tests.fixtures.language import Fixture, fixture

DEFINITION = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: app}
spec:
  schema:
    apiVersion: v1
    kind: App
    spec:
      name: string | required=true description="What it is called"
      replicas: integer | default=3 minimum=1
      mode: string | enum="fast,slow"
      server: Server
    types:
      Server:
        host: string
        ports: "[]integer"
    status: {key: "${config.metadata.name}"}
  resources:
    - id: config
      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${schema.spec.name}"}}
"""
HEAD = "apiVersion: kro.run/v1\nkind: App\nmetadata: {name: x}\n"


@pytest.fixture
def kinds(tmp_path: Path) -> WorkspaceSchemas:
    (tmp_path / "app.yaml").write_text(DEFINITION, encoding="utf-8")
    return load([tmp_path], SchemaSettings())


def check(source: str, kinds: WorkspaceSchemas) -> Fixture:
    """Check that the instance shows just the marked diagnostics."""
    found = fixture(source, kinds.index)
    lines = found.content.split("\n")
    shown = {
        (found.document.text.position(each.span.start), f"{each.code}: {each.message}", each.span)
        for each in found_diagnostics(found.document)
        if each.code.endswith(("-instance", "-instance-field"))
    }
    marked = [(mark, label) for label, marks in found.marks.items() for mark in marks]
    assert len(shown) == len(marked), shown
    for place, text, span in shown:
        mark, label = next(each for each in marked if each[0].start.line == place.line)
        code, _, part = label.partition(": ")
        assert text.startswith(f"{code}: ")
        assert part in text
        assert (place.column, span.end - span.start) == (
            mark.start.character,
            mark.end.character - mark.start.character,
        ), lines[place.line]
    return found


def test_a_right_instance_shows_nothing(kinds: WorkspaceSchemas) -> None:
    check(HEAD + "spec: {name: a, mode: fast, server: {host: b, ports: [1]}}\nstatus: {anything: 1}\n", kinds)


def test_what_the_api_server_refuses_is_marked_at_the_value(kinds: WorkspaceSchemas) -> None:
    check(
        HEAD
        + """\
spec:
  name: 3
        ^ invalid-instance: must be a string
  replicas: 0
            ^ invalid-instance: should be greater than or equal to 1
  mode: quick
        ^^^^^ invalid-instance: expected 'fast' or 'slow'
  server:
    ports:
      - one
        ^^^ invalid-instance: must be an integer
""",
        kinds,
    )


def test_what_is_missing_is_marked_at_what_lacks_it(kinds: WorkspaceSchemas) -> None:
    check(HEAD + "spec:\n^^^^ invalid-instance: 'name' is missing\n  replicas: 2\n", kinds)


def test_an_unknown_field_is_marked_at_its_key_and_can_be_changed(kinds: WorkspaceSchemas) -> None:
    found = check(
        HEAD + "spec:\n  name: a\n  replcas: 2\n  ^^^^^^^ unknown-instance-field: did you mean 'replicas'?\n", kinds
    )
    place = found.marks["unknown-instance-field: did you mean 'replicas'?"][0]
    assert "Change to 'replicas'" in [each.title for each in code_actions(found.document, place)]


def test_a_comment_silences(kinds: WorkspaceSchemas) -> None:
    check(HEAD + "spec: {name: a, replicas: 0} # kro-ls: ignore[invalid-instance]\n", kinds)


@pytest.mark.parametrize(
    "text",
    [
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: 3}\n",
        "apiVersion: kro.run/v1\nkind: Other\nspec: 3\n",
        "apiVersion: kro.run/v1\nkind: App\nmetadata: {name: x\nspec: 3\n",
        "apiVersion: kro.run/v1\nkind: App\nmetadata: {name: x}\nspec: {{ .Values.spec }}\n",
    ],
)
def test_other_objects_and_broken_yaml_are_left_alone(text: str, kinds: WorkspaceSchemas) -> None:
    check(text, kinds)


def test_instances_beside_definitions(kinds: WorkspaceSchemas) -> None:
    check(
        f"{DEFINITION}---\n{HEAD}spec:\n  name: a\n  mode: quick\n        ^^^^^ invalid-instance: 'quick' is not\n",
        kinds,
    )


def test_values_and_keys_tell_what_the_definition_says(kinds: WorkspaceSchemas) -> None:
    for place in ("repl$0icas: 4", "replicas: $04"):
        check_hover(
            fixture(HEAD + f"spec:\n  {place}\n", kinds.index),
            "**replicas**: `integer`",
            "default: `3`",
            "at least: `1`",
        )
    check_hover(fixture(HEAD + "spec: {mode: fa$0st}\n", kinds.index), 'one of: `"fast"`, `"slow"`', about="fast")
    check_hover(fixture(HEAD + "spec: {mode: qu$0ick}\n", kinds.index), "`quick` is not one of these.")


WRITTEN = f"""\
{HEAD}spec:
  name: abc
  replicas: 4
  mode: fast
  other: true
  server:
    ports:
      - 80
"""


def test_the_outline_of_an_instance(kinds: WorkspaceSchemas) -> None:
    check_symbols(
        fixture(WRITTEN, kinds.index),
        [
            "x (App) Object",
            "  spec (None) Struct",
            "    name (abc) Field",
            "    replicas (4) Field",
            "    mode (fast) Field",
            "    other (true) Field",
            "    server (None) Struct",
            "      ports (None) Array",
        ],
    )


def test_an_instance_is_folded_beside_its_definition(kinds: WorkspaceSchemas) -> None:
    check_folds(
        fixture(f"{DEFINITION}---\n{WRITTEN}", kinds.index), ("spec:", "- 80"), ("server:", "- 80"), ("ports:", "- 80")
    )


def test_keys_that_are_declared_and_values_are_coloured_by_type(kinds: WorkspaceSchemas) -> None:
    document = fixture(f"{WRITTEN}---\n{DEFINITION}", kinds.index).document
    found = [(word, kind) for word, kind, _ in words(document, semantic_tokens(document))]
    for wanted in (
        ("App", TokenType.CLASS),
        ("replicas", TokenType.PROPERTY),
        ("abc", TokenType.STRING),
        ("4", TokenType.NUMBER),
        ("fast", TokenType.ENUM_MEMBER),
        ("80", TokenType.NUMBER),
        ("config", TokenType.VARIABLE),
    ):
        assert wanted in found, wanted
    assert "other" not in {word for word, _ in found}


def labels(source: str, kinds: WorkspaceSchemas) -> list[str]:
    answer = completion(fixture(source, kinds.index).cursor, snippets=False)
    return [item.label for item in sorted(answer.items, key=lambda item: item.sort_text or "")]


def test_keys_and_values_are_completed(kinds: WorkspaceSchemas) -> None:
    assert labels(HEAD + "spec:\n  $0\n", kinds) == ["name", "replicas", "mode", "server"]
    assert labels(HEAD + "spec:\n  server:\n    $0\n", kinds) == ["host", "ports"]
    assert labels(HEAD + "spec:\n  mode: $0\n", kinds) == ["fast", "slow"]
    assert labels(HEAD + "$0\n", kinds) == ["spec"]
    assert labels("apiVersion: kro.run/v1\nkind: App\nmetadata:\n  $0\n", kinds)[:3] == [
        "name",
        "namespace",
        "labels",
    ]


def test_the_kind_of_an_instance_is_completed(kinds: WorkspaceSchemas) -> None:
    assert labels("apiVersion: $0\n", kinds) == ["kro.run/v1alpha1", "kro.run/v1"]
    assert labels("apiVersion: kro.run/v1\nkind: $0\n", kinds)[0] == "App"
    assert labels("kind: App\napiVersion: $0\n", kinds) == ["kro.run/v1"]
    assert labels("apiVersion: v1\nkind: $0\n", kinds) == []


def test_keys_and_kinds_are_hovered(kinds: WorkspaceSchemas) -> None:
    check_hover(fixture(HEAD + "spec:\n  na$0me: a\n", kinds.index), "string", "required", "What it is called")
    check_hover(fixture(HEAD.replace("App", "A$0pp") + "spec: {name: a}\n", kinds.index), "**App** (`kro.run/v1`)")


@pytest.mark.parametrize(
    ("source", "line"),
    [
        (HEAD.replace("App", "A$0pp"), "kind: App"),
        (HEAD + "spec:\n  na$0me: a\n", "name: string"),
        (HEAD + "spec:\n  server:\n    po$0rts: []\n", "ports: "),
    ],
)
def test_what_is_written_leads_to_its_declaration(source: str, line: str, kinds: WorkspaceSchemas) -> None:
    found = definition(fixture(source, kinds.index).cursor)
    assert isinstance(found, types.Location)
    assert found.uri.endswith("/app.yaml")
    assert DEFINITION.split("\n")[found.range.start.line].strip().startswith(line)
