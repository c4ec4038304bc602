"""Instances of the workspace's definitions: checked, completed, hovered, linked to what declares them."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types

from kro_ls.features.actions.code_actions import code_actions
from kro_ls.features.completion.completion_list import completion
from kro_ls.features.navigation.definition import definition
from kro_ls.features.semantic_tokens import semantic_tokens
from kro_ls.features.tokens import TokenType
from kro_ls.rules.diagnostics import Severity
from kro_ls.workspace.check import check_document
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
        for each in check_document(found.document).diagnostics
        if each.code.endswith(("-instance", "-instance-field", "yaml-syntax"))
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
            ^ invalid-instance: must be greater than or equal to 1
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
        HEAD + "spec: {name: [${NAMES}]}\n",
        HEAD + "spec:\n  name: ${NAME}\n  replicas: ${COUNT:=3}\n  mode: a-${mode}\n",
        "apiVersion: kro.run/v1\nkind: App\nmetadata: {name: x}\nspec: {{ .Values.spec }}\n",
    ],
)
def test_other_objects_and_broken_yaml_are_left_alone(text: str, kinds: WorkspaceSchemas) -> None:
    check(text, kinds)


def test_an_expression_in_an_instance_is_no_variable(kinds: WorkspaceSchemas) -> None:
    check(
        HEAD + "spec:\n  name: a\n  replicas: ${schema.spec.a}\n            ^^^^^^^^^^^^^^^^ invalid-instance\n", kinds
    )


def test_what_yaml_cannot_read_is_marked(kinds: WorkspaceSchemas) -> None:
    found = fixture(HEAD + "spec:\n  name: [a\n  replicas: 3\n", kinds.index)
    (diagnostic,) = check_document(found.document).diagnostics
    assert (diagnostic.code, diagnostic.severity) == ("yaml-syntax", Severity.ERROR)
    beside = fixture(f"{DEFINITION}---\n{found.content}", kinds.index)
    assert [each.code for each in check_document(beside.document).diagnostics].count("yaml-syntax") == 1


def test_instances_beside_definitions(kinds: WorkspaceSchemas) -> None:
    check(
        f"{DEFINITION}---\n{HEAD}spec:\n  name: a\n  mode: quick\n        ^^^^^ invalid-instance: 'quick' is not\n",
        kinds,
    )


def test_values_and_keys_say_what_the_definition_says(kinds: WorkspaceSchemas) -> None:
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


APP_FILES = {
    "a/app.yaml": DEFINITION,
    "b/app.yaml": DEFINITION.replace("replicas: integer | default=3 minimum=1", "count: integer"),
    "c/app.yaml": DEFINITION.replace("name: string | required=true", "name: string | enum=x"),
}


def shown_in(folder: Path, name: str, files: dict[str, str], text: str) -> list[tuple[str, str, list[str]]]:
    """Return the diagnostics of an instance in a workspace: severity, message, and the files it links."""
    for path, content in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(content, encoding="utf-8")
    index = load([folder], SchemaSettings()).index_for(str(folder / name))
    found = fixture(text, index)
    return [
        (each.severity.value, each.message, [Path(file.path).parent.name for file in each.files])
        for each in check_document(found.document).diagnostics
    ]


@pytest.mark.parametrize(
    "files", [APP_FILES, dict(reversed(APP_FILES.items()))], ids=["in order", "the other way round"]
)
def test_of_several_definitions_the_chosen_one_is_named(tmp_path: Path, files: dict[str, str]) -> None:
    text = HEAD + "spec: {name: x, replicas: 2}\n"
    near = shown_in(tmp_path, "b/instances/x.yaml", files, text)
    assert near == [
        (
            "information",
            "3 definitions declare App; this is checked by b/app.yaml, the nearest in the tree of folders",
            ["b", "a", "c"],
        ),
        ("warning", "unknown field 'replicas'; the API server drops it", []),
    ]


def test_what_only_the_order_of_paths_shows_is_no_error(tmp_path: Path) -> None:
    found = shown_in(tmp_path, "x.yaml", APP_FILES, HEAD + "spec: {name: y, mode: medium, replicas: 0}\n")
    assert found[0][1].endswith("this is checked by a/app.yaml, the first by its path")
    reported = {severity: message for severity, message, _ in found[1:]}
    assert "medium" in reported["error"]
    assert "another definition" not in reported["error"]
    assert reported["information"].endswith("greater than or equal to 1 (by a/app.yaml; another definition allows it)")


def test_the_definition_in_the_same_file_counts(tmp_path: Path) -> None:
    files = {"b.yaml": APP_FILES["b/app.yaml"], "a.yaml": DEFINITION}
    text = files["b.yaml"] + "---\n" + HEAD + "spec: {name: x, count: 2}\n"
    found = shown_in(tmp_path, "b.yaml", files | {"b.yaml": text}, text)
    assert [(severity, message) for severity, message, _ in found if severity != "hint"] == [
        ("information", f"2 definitions declare App; this is checked by {tmp_path.name}/b.yaml, in the same file")
    ]


def test_definitions_with_the_same_fields_are_not_distinguished(tmp_path: Path) -> None:
    files = {"a/app.yaml": DEFINITION, "b/app.yaml": DEFINITION.replace("name: app}", "name: other}")}
    assert shown_in(tmp_path, "b/x.yaml", files, HEAD + "spec: {name: x}\n") == []


def test_of_several_definitions_in_one_file_the_first_counts(tmp_path: Path) -> None:
    other = APP_FILES["b/app.yaml"].replace("name: app}", "name: other}")
    text = f"{DEFINITION}---\n{other}"
    for name, source in (("x.yaml", HEAD), ("app.yaml", f"{text}---\n{HEAD}")):
        found = shown_in(
            tmp_path,
            name,
            {"app.yaml": text, name: source if name == "x.yaml" else f"{source}spec: {{}}\n"},
            f"{source}spec: {{name: a, count: 2}}\n",
        )
        reported = [(severity, message) for severity, message, _ in found if severity != "hint"]
        declared = f"2 definitions declare App; this is checked by {tmp_path.name}/app.yaml, the first in the file"
        twice = "'app' declares this kind, too; kro gives it to one and refuses the other"
        taken = [("warning", twice)] if name == "app.yaml" else []
        expected = [*taken, ("information", declared), ("warning", "unknown field 'count'; the API server drops it")]
        assert reported == expected


def test_a_definition_replaces_one_of_the_same_name_before_it(tmp_path: Path) -> None:
    text = f"{DEFINITION}---\n{APP_FILES['b/app.yaml']}"
    found = shown_in(tmp_path, "x.yaml", {"app.yaml": text}, f"{HEAD}spec: {{name: a, replicas: 2}}\n")
    declared = (
        f"2 definitions declare App; this is checked by {tmp_path.name}/app.yaml, the last with its name in the file"
    )
    assert [(severity, message) for severity, message, _ in found] == [
        ("information", declared),
        ("warning", "unknown field 'replicas'; the API server drops it"),
    ]


def test_a_definition_that_kro_refuses_counts_for_nothing_in_its_file(tmp_path: Path) -> None:
    refused = APP_FILES["b/app.yaml"].replace("name: app}", "name: other}").replace("ConfigMap", "ConfigMaps")
    text = f"{refused}---\n{DEFINITION}"
    found = shown_in(tmp_path, "x.yaml", {"app.yaml": text}, f"{HEAD}spec: {{name: a, replicas: 2}}\n")
    assert [message for _, message, _ in found] == [
        f"2 definitions declare App; this is checked by {tmp_path.name}/app.yaml, kro refuses the others"
    ]
