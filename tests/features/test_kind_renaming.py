"""Renaming the kind that a definition declares, in all files of a workspace."""

from __future__ import annotations

from pathlib import Path

import pytest

from kro_ls.cursor.cursor import Cursor
from kro_ls.features.actions.rename import RenameError, prepare_rename, rename
from kro_ls.features.navigation.definition import definition
from kro_ls.features.navigation.reference_search import document_highlights, references
from kro_ls.rules.diagnostics import Severity
from kro_ls.workspace.documents import Document
from kro_ls.workspace.schemas import SchemaSettings, WorkspaceSchemas, load
from kro_ls.workspace.snapshot import AllDocuments
from kro_ls.yaml_positions.text import Text
from tests.features.field_renaming import applied
from tests.fixtures.definitions import rgd
from tests.paths import CONFORMANCE, EXAMPLES, needs_conformance

APP = rgd("- id: a\n  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n", spec="{name: string}")
USER = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: user}
spec:
  schema: {apiVersion: v1alpha1, kind: User, spec: {App: string}}
  resources:
    - id: app
      template:
        apiVersion: kro.run/v1alpha1
        kind: "App"
        metadata: {name: "App-${schema.spec.App}"}
        spec: {name: App}
    - id: other
      externalRef: {apiVersion: kro.run/v1alpha1, kind: App, metadata: {name: other}}
    - id: owned
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: owned
          ownerReferences:
            - {apiVersion: kro.run/v1alpha1, kind: 'App', name: App, uid: "${app.metadata.uid}"}
        data: {kind: App}
"""
INSTANCES = """\
apiVersion: kro.run/v1alpha1
kind: &kind App
metadata: {name: App, ownerReferences: [{apiVersion: kro.run/v1alpha1, kind: *kind, name: second, uid: x}]}
---
apiVersion: other.example/v1
kind: App
metadata: {name: other}
---
apiVersion: kro.run/v1alpha1
kind: App
metadata: {name: second}
"""
TEST = """\
definition: app.yaml
tests:
  - name: App
    instance: {apiVersion: kro.run/v1alpha1, kind: App, metadata: {name: App}, spec: {name: App}}
"""
TEXTS = {"app.yaml": APP, "user.yaml": USER, "instances.yaml": INSTANCES, "app.test.yaml": TEST}
USES = {"app.yaml": 1, "user.yaml": 3, "instances.yaml": 2, "app.test.yaml": 1}


def workspace_of(folder: Path, schemas: WorkspaceSchemas | None = None) -> AllDocuments:
    """Return the documents of a folder; with `schemas` as they are after edits."""
    known = schemas or load([folder], SchemaSettings())

    def make(path: str, text: str) -> Document:
        return Document(Path(path).as_uri(), None, Text(text), schemas=known.index_for(path))

    return AllDocuments({}, known, make, (folder,))


@pytest.fixture
def workspace(tmp_path: Path) -> AllDocuments:
    for name, text in TEXTS.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return workspace_of(tmp_path)


def cursor_in(workspace: AllDocuments, name: str, after: str) -> Cursor:
    document = workspace.at(str(workspace.folders[0] / name))
    assert document
    return Cursor(document, document.text.content.index(after) + len(after), workspace)


EVERY_USE = [
    ("app.yaml", "v1alpha1\n    kind: Ap"),
    ("user.yaml", 'kind: "A'),
    ("user.yaml", "externalRef: {apiVersion: kro.run/v1alpha1, kind: A"),
    ("user.yaml", "kind: 'A"),
    ("instances.yaml", "&kind A"),
    ("instances.yaml", "---\napiVersion: kro.run/v1alpha1\nkind: A"),
    ("app.test.yaml", "kind: A"),
]


@pytest.mark.parametrize(("name", "after"), EVERY_USE)
def test_a_kind_is_found_and_renamed_from_every_use(workspace: AllDocuments, name: str, after: str) -> None:
    cursor = cursor_in(workspace, name, after)
    offered = prepare_rename(cursor)
    assert offered
    assert offered.placeholder == "App"
    location = definition(cursor)
    assert location
    assert location.uri.endswith("/app.yaml")
    assert len(document_highlights(cursor)) == USES[name]
    edit = rename(cursor, "Fresh")
    assert edit
    assert edit.changes
    assert {uri.rpartition("/")[2]: len(edits) for uri, edits in edit.changes.items()} == USES
    places = references(cursor, include_declaration=True)
    assert places[0] == location
    assert sorted((each.uri, str(each.range)) for each in places) == sorted(
        (uri, str(each.range)) for uri, edits in edit.changes.items() for each in edits
    )
    renamed = workspace_after(workspace, cursor, "Fresh")
    assert [errors(document) for document in renamed.mentioning("Fresh")] == [[], [], [], []]


@pytest.mark.parametrize(
    ("name", "after"),
    [
        ("app.yaml", "template: {apiVersion: v1, kind: Conf"),
        ("user.yaml", 'metadata: {name: "A'),
        ("user.yaml", "data: {kind: A"),
        ("user.yaml", "template:\n        apiVersion: kr"),
        ("instances.yaml", "other.example/v1\nkind: A"),
    ],
)
def test_what_no_definition_declares_as_a_kind_is_not_renamed(workspace: AllDocuments, name: str, after: str) -> None:
    cursor = cursor_in(workspace, name, after)
    assert prepare_rename(cursor) is None
    assert rename(cursor, "Fresh") is None


@pytest.mark.parametrize(
    ("new_name", "reason"),
    [
        ("User", "'User' exists already in the group 'kro.run'"),
        ("ResourceGraphDefinition", "exists already"),
        ("Users", "'User' has the same plural as 'Users': 'users'"),
        ("app", "not a valid kind"),
        ("App-2", "not a valid kind"),
        ("", "not a valid kind"),
        ("A" * 64, "not a valid kind"),
        ("True", "YAML reads 'True'"),
    ],
)
def test_a_kind_is_not_renamed_to_what_would_break(workspace: AllDocuments, new_name: str, reason: str) -> None:
    with pytest.raises(RenameError, match=reason):
        rename(cursor_in(workspace, "app.yaml", "v1alpha1\n    kind: Ap"), new_name)


def test_of_several_definitions_the_nearest_is_renamed(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "app.yaml").write_text(APP, encoding="utf-8")
        (tmp_path / folder / "instances.yaml").write_text(INSTANCES, encoding="utf-8")
    workspace = workspace_of(tmp_path)
    edit = rename(cursor_in(workspace, "two/instances.yaml", "&kind A"), "Fresh")
    assert edit
    assert edit.changes
    assert {"/".join(uri.split("/")[-2:]) for uri in edit.changes} == {"two/app.yaml", "two/instances.yaml"}


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.yaml")), ids=lambda path: path.name)
def test_every_kind_of_the_examples_is_renamed_and_back(path: Path, tmp_path: Path) -> None:
    (tmp_path / path.name).write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    check_round_trips(workspace_of(tmp_path))


@needs_conformance
def test_every_kind_of_recorded_definitions_is_renamed_and_back(tmp_path: Path) -> None:
    for path in sorted((CONFORMANCE / "rgds").glob("*.yaml"))[::15]:
        (tmp_path / path.name).write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    check_round_trips(workspace_of(tmp_path))


def check_round_trips(workspace: AllDocuments) -> None:
    """Check that each kind that is declared can be renamed to a fresh name, is accepted as before, and renamed back."""
    assert workspace.schemas
    for document in workspace.definitions(lambda _: True):
        for analysis in document.analysis.rgds:
            section = analysis.rgd.schema.section if analysis.rgd.schema else None
            if section is None or not section.kind:
                continue
            start = document.text.content.index(f"kind: {section.kind}") + len("kind: ")
            there = workspace_after(workspace, Cursor(document, start, workspace), "FreshKind")
            changed = list(there.definitions(lambda text: "FreshKind" in text))
            assert changed
            for each in changed:
                before = workspace.at(path_of(workspace, each))
                assert before
                assert errors(each) == errors(before)
            here = there.at(path_of(workspace, document))
            assert here
            back = workspace_after(there, Cursor(here, start, there), section.kind)
            assert back.schemas
            assert back.schemas.generated.texts == workspace.schemas.generated.texts
            assert back.schemas.instances.texts == workspace.schemas.instances.texts


def path_of(workspace: AllDocuments, document: Document) -> str:
    return str(workspace.folders[0] / document.uri.rpartition("/")[2])


def workspace_after(workspace: AllDocuments, cursor: Cursor, new_name: str) -> AllDocuments:
    """Return the workspace after a renaming, on disk as it was but for its tests."""
    edit = rename(cursor, new_name)
    assert edit
    assert edit.changes
    schemas = workspace.schemas
    for uri, edits in edit.changes.items():
        path = str(workspace.folders[0] / uri.rpartition("/")[2])
        document = workspace.at(path)
        assert document
        assert schemas
        text = applied(document, edits)
        schemas = schemas.with_file(path, text)
        if path.endswith(".test.yaml"):
            Path(path).write_text(text, encoding="utf-8")
    return workspace_of(workspace.folders[0], schemas)


def errors(document: Document) -> list[str]:
    return sorted(each.code for each in document.diagnosis.diagnostics if each.severity is Severity.ERROR)
