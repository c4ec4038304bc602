"""Which files count as documents of a workspace."""

from __future__ import annotations

from pathlib import Path

import pytest

from kro_ls.openapi.kind_schema import GroupVersionKind
from kro_ls.workspace.documents import Document
from kro_ls.workspace.schemas import SchemaSettings, load
from kro_ls.workspace.snapshot import AllDocuments
from kro_ls.yaml_positions.text import Text
from tests.fixtures.definitions import rgd_of_config_maps

RGD = rgd_of_config_maps(("a", "b"))
TEST = "definition: app.yaml\ntests: [{name: secret}]\n"


def documents_of(folder: Path) -> AllDocuments:
    """Return the documents of a workspace, of which none is open."""

    schemas = load([folder], SchemaSettings())

    def make(path: str, text: str) -> Document:
        return Document(Path(path).as_uri(), None, Text(text), schemas=schemas.index_for(path))

    return AllDocuments({}, schemas, make, (folder,))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return the folder of a workspace; beside it is a file that is not of it."""
    (tmp_path / "secret.test.yaml").write_text(TEST)
    (tmp_path / "workspace").mkdir()
    return tmp_path / "workspace"


def test_a_file_outside_of_the_workspace_is_no_document(folder: Path) -> None:
    (folder / "notes.yaml").write_text("a: b\n")
    (folder / "link.yaml").symlink_to(folder.parent / "secret.test.yaml")
    documents = documents_of(folder)
    assert documents.at(str(folder / "notes.yaml")) is not None
    for path in ("../secret.test.yaml", "link.yaml", "nothing.yaml"):
        assert documents.at(str(folder / path)) is None


def test_a_link_out_of_the_workspace_is_not_looked_into(folder: Path) -> None:
    (folder / "own.test.yaml").write_text(TEST)
    (folder / "link.test.yaml").symlink_to(folder.parent / "secret.test.yaml")
    found = [document.uri.rpartition("/")[2] for document in documents_of(folder).mentioning("secret")]
    assert found == ["own.test.yaml"]


def test_the_nearest_definition_of_a_kind_counts(folder: Path) -> None:
    for name in ("one", "two"):
        (folder / name).mkdir()
        (folder / name / "app.yaml").write_text(RGD.replace("name: app", f"name: {name}", 1))
    documents = documents_of(folder)
    kind = GroupVersionKind("kro.run", "v1alpha1", "App")
    for name in ("one", "two"):
        asking = documents.make(str(folder / name / "user.yaml"), "")
        first = next(documents.declaring(kind, asking))
        assert f"name: {name}" in first.text.content
