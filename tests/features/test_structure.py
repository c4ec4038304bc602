"""Selection ranges, linked editing, document links, workspace symbols, hierarchies, renamed files."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from lsprotocol import types

from kro_ls.cursor.cursor import Cursor
from kro_ls.features.hierarchy import (
    built_of,
    built_with,
    incoming_calls,
    outgoing_calls,
    prepare_calls,
    prepare_kinds,
)
from kro_ls.features.navigation.document_links import document_links, edits_for_renames
from kro_ls.features.navigation.outlined_symbols import UncertainError, outlined_symbols
from kro_ls.features.navigation.reference_search import linked_editing_ranges
from kro_ls.features.navigation.selection_ranges import selection_range
from kro_ls.features.navigation.workspace_symbols import FileSymbols, file_symbols, symbols_of, workspace_symbols
from kro_ls.workspace.documents import Document
from kro_ls.workspace.schemas import SchemaSettings, load
from kro_ls.workspace.snapshot import AllDocuments
from kro_ls.yaml_positions.positions import PositionEncoding
from kro_ls.yaml_positions.text import Text
from tests.fixtures.definitions import rgd
from tests.fixtures.language import Fixture, fixture

SOURCE = rgd(
    """
- id: web
  template:
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: "${schema.spec.name}"}
- id: copy
  template:
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: ${[web.metadata.name].map(each_name, each_name + "x")[0]}
""",
    status="name: ${web.metadata.name}",
)


def at(old: str, new: str) -> Fixture:
    assert old in SOURCE
    return fixture(SOURCE.replace(old, new, 1))


def selected(found: Fixture) -> list[str]:
    lines = found.content.split("\n")
    texts = []
    current: types.SelectionRange | None = selection_range(found.cursor)
    while current:
        start, end = current.range.start, current.range.end
        one = lines[start.line][start.character : end.character]
        texts.append(one if start.line == end.line else f"{end.line - start.line} lines")
        current = current.parent
    return texts


def test_a_selection_grows_through_the_expression_and_the_yaml() -> None:
    found = at('each_name + "x"', 'each_n$0ame + "x"')
    expression = '[web.metadata.name].map(each_name, each_name + "x")[0]'
    assert selected(found)[:5] == [
        "each_name",
        'each_name + "x"',
        expression.removesuffix("[0]"),
        expression,
        f"${{{expression}}}",
    ]
    assert selected(found)[5] == f"name: ${{{expression}}}"
    assert selected(found)[-1].endswith("lines")


@pytest.mark.parametrize(
    ("old", "new", "count"),
    [
        ("id: web", "id: w$0eb", 3),
        ('each_name + "x"', 'each_n$0ame + "x"', 2),
        ("schema.spec.name", "schema.spec.na$0me", 0),
    ],
)
def test_names_of_one_document_are_typed_together(old: str, new: str, count: int) -> None:
    found = linked_editing_ranges(at(old, new).cursor)
    assert len(found.ranges if found else []) == count


def test_calls_are_dependencies() -> None:
    found = at("id: web", "id: w$0eb")
    (web,) = prepare_calls(found.cursor)
    assert (web.name, web.detail) == ("web", "ConfigMap")
    (incoming,) = incoming_calls(found.document, web)
    assert incoming.from_.name == "copy"
    assert [found.text_at(each) for each in incoming.from_ranges] == ["web"]
    (outgoing,) = outgoing_calls(found.document, incoming.from_)
    assert outgoing.to.name == "web"
    assert outgoing_calls(found.document, web) == []


OUTLINED = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: apps # those of the team
spec:
  schema:
    apiVersion: v1alpha1
    kind: App
    spec:
      name: string
    status:
      ready: ${web.all(x,
        x.status.ready)}
  resources:
  - id: web
    forEach:
      - zone: ${["a", "b"]}
    template:
      apiVersion: v1
      kind: ConfigMap
      data:
        text: |
          id: not one
  - externalRef:
      apiVersion: v1
      kind: Secret
    id: other
  - id: "schema"
    template: {apiVersion: v1, kind: Secret}
"""


def files_of(*texts: str) -> list[FileSymbols]:
    return [file_symbols(f"/{number}.yaml", text, parsed) for number, text in enumerate(texts)]


def parsed(path: str, text: str) -> Document:
    return Document(f"file://{path}", None, Text(text))


def test_symbols_are_found_by_their_letters_the_likest_first() -> None:
    files = files_of(SOURCE.replace("$0", ""), rgd("- id: aweb\n  template: {}\n").replace("name: app", "name: webs"))
    assert [each.name for each in workspace_symbols("WEB", files, PositionEncoding.UTF16)] == ["web", "webs", "aweb"]
    everything = workspace_symbols("", files, PositionEncoding.UTF16)
    assert {"app", "App", "web", "copy", "name"} <= {each.name for each in everything}
    assert everything[0].location.uri == "file:///0.yaml"


def test_instances_are_found_by_their_names() -> None:
    text = "apiVersion: kro.run/v1\nkind: App\nmetadata: {name: shop}\n---\napiVersion: v1\nkind: Secret\n"
    file = file_symbols("/shop.yaml", text, parsed, has_instances=True)
    (found,) = workspace_symbols("sh", [file], PositionEncoding.UTF16)
    assert (found.name, found.container_name, found.location.uri) == ("shop", "App", "file:///shop.yaml")


@pytest.mark.parametrize("path", sorted(Path("examples").rglob("*.yaml")), ids=str)
def test_symbols_read_from_lines_are_those_of_the_tree(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    with suppress(UncertainError):
        assert outlined_symbols(text) == tuple(symbols_of(parsed(str(path), text)))


@pytest.mark.parametrize(
    "changed",
    [
        "",
        "schema:\n    kind: >-\n      App",
        "name: {a: string}",
        "'name': \"string | default='a: b'\" # é",
        "name:\n        inner: string\n        spec: string\n      list:\n        - a: string",
        "name: &a string\n      other: *a",
        "name: string\n      name: string",
        "name: |\n        a: string\n        b: string",
        '"é": string',
        "name: null",
        "name: string\n      {{ .Values.more }}",
        "name:\tstring",
        "status: {}",
    ],
)
def test_a_line_that_could_mean_something_else_is_left_to_the_parser(changed: str) -> None:
    source = OUTLINED.replace("name: string", changed) if changed else OUTLINED
    for text in (source, source.replace("\n", "\r\n"), f"a: b\n---\n{source}---\n{OUTLINED}"):
        with suppress(UncertainError):
            assert outlined_symbols(text) == tuple(symbols_of(parsed("/a.yaml", text)))


def test_symbols_are_mostly_read_without_parsing() -> None:
    found = outlined_symbols(OUTLINED)
    assert [(each.name, each.kind.name, each.container) for each in found] == [
        ("apps", "Module", None),
        ("App", "Class", "apps"),
        ("name", "Field", "apps.schema.spec"),
        ("ready", "Field", "apps.schema.status"),
        ("web", "Array", "apps"),
        ("zone", "Variable", "apps.web"),
        ("other", "Variable", "apps"),
        ("schema", "Object", "apps"),
    ]


INNER = rgd("", spec="{name: string}").replace("kind: App", "kind: Inner")
OUTER = rgd(
    """
- id: inner
  template:
    apiVersion: kro.run/v1alpha1
    kind: Inner
    metadata: {name: a}
    spec: {name: a}
"""
)
TEST = "definition: inner.yaml\ntests:\n  - name: a\n    instance: instances/one.yaml\n"
TWO_TESTS = f"definition: outer.yaml\ntests: []\n---\n{TEST}"
ONE = "apiVersion: kro.run/v1alpha1\nkind: Inner\nmetadata: {name: one}\nspec: {name: one}\n"


@pytest.fixture
def workspace(tmp_path: Path) -> AllDocuments:
    (tmp_path / "instances").mkdir()
    texts = {"inner.yaml": INNER, "outer.yaml": OUTER, "inner.test.yaml": TEST, "instances/one.yaml": ONE}
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    schemas = load([tmp_path], SchemaSettings())

    def make(path: str, text: str) -> Document:
        return Document(Path(path).as_uri(), None, Text(text), schemas=schemas.index)

    return AllDocuments({}, schemas, make, (tmp_path,))


def document_of(workspace: AllDocuments, name: str) -> Document:
    found = workspace.at(str(workspace.folders[0] / name))
    assert found
    return found


@pytest.mark.parametrize(
    ("name", "where"), [("outer.yaml", "kind: Inner"), ("instances/one.yaml", "kind"), ("inner.yaml", "kind: Inner")]
)
def test_kinds_are_built_of_others(workspace: AllDocuments, name: str, where: str) -> None:
    document = document_of(workspace, name)
    offset = document.text.content.index(where) + len(where)
    (inner,) = prepare_kinds(Cursor(document, offset, workspace))
    assert inner.name == "Inner"
    (outer,) = built_with(inner, workspace)
    assert (outer.name, outer.detail) == ("App", "kro.run/v1alpha1")
    assert [each.name for each in built_of(outer, workspace)] == ["Inner"]
    assert built_of(inner, workspace) == []


@pytest.mark.parametrize(
    ("name", "targets"),
    [
        ("outer.yaml", ["inner.yaml"]),
        ("instances/one.yaml", ["inner.yaml"]),
        ("inner.test.yaml", ["inner.yaml", "one.yaml"]),
    ],
)
def test_links_lead_to_other_files(workspace: AllDocuments, name: str, targets: list[str]) -> None:
    found = document_links(document_of(workspace, name))
    assert [(each.target or "").rpartition("/")[2] for each in found] == targets
    assert all(each.tooltip for each in found)


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        ("inner.yaml", "a/new.yaml", "a/new.yaml"),
        ("instances", "examples", "examples/one.yaml"),
        ("inner.test.yaml", "tests/inner.test.yaml", "../inner.yaml"),
        ("outer.yaml", "other.yaml", None),
    ],
)
def test_tests_follow_renamed_files(workspace: AllDocuments, old: str, new: str, text: str | None) -> None:
    folder = workspace.folders[0]
    found = edits_for_renames([types.FileRename((folder / old).as_uri(), (folder / new).as_uri())], workspace)
    edits = [edit.new_text for each in (found.changes or {}).values() for edit in each] if found else []
    assert edits[:1] == ([text] if text else [])


@pytest.mark.parametrize(("old", "new"), [("inner.yaml", "new.yaml"), ("outer.yaml", "new.yaml")])
def test_every_document_of_a_test_file_follows(workspace: AllDocuments, old: str, new: str) -> None:
    folder = workspace.folders[0]
    (folder / "inner.test.yaml").write_text(TWO_TESTS)
    found = edits_for_renames([types.FileRename((folder / old).as_uri(), (folder / new).as_uri())], workspace)
    assert found
    ((edit,),) = (found.changes or {}).values()
    line = TWO_TESTS.splitlines()[edit.range.start.line]
    assert (line, edit.new_text) == (f"definition: {old}", new)
