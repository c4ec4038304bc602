"""Which of several definitions of one kind counts, and what of the kinds stays the same when a file changes."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from kro_ls.rules.diagnostics import Severity
from kro_ls.workspace.documents import Document, Edit
from kro_ls.workspace.nearest import distance
from kro_ls.workspace.schemas import SchemaSettings, WorkspaceSchemas, load
from kro_ls.yaml_positions.text import Text

APP = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: app}
spec:
  schema:
    apiVersion: v1
    kind: App
    spec: {FIELD: string}
    status: {key: "${config.metadata.name}"}
  resources:
    - id: config
      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${schema.spec.FIELD}"}}
"""
USER = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: user}
spec:
  schema:
    apiVersion: v1
    kind: User
    spec: {name: string}
    status: {key: "${app.status.key}"}
  resources:
    - id: app
      template: {apiVersion: kro.run/v1, kind: App, metadata: {name: x}, spec: {one: "${schema.spec.name}"}}
"""


def workspace(folder: Path, **texts: str) -> WorkspaceSchemas:
    for name, text in texts.items():
        path = folder / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.with_suffix(".yaml").write_text(text, encoding="utf-8")
    return load([folder], SchemaSettings())


def fields(schemas: WorkspaceSchemas, path: Path, rank: int = 0) -> list[str]:
    kind = schemas.index_for(str(path), rank).find("kro.run", "v1", "App")
    assert kind is not None
    return list(kind.schema["properties"]["spec"]["properties"])  # type: ignore[index, call-overload, arg-type]


def test_the_nearest_definition_counts(tmp_path: Path) -> None:
    one, two = APP.replace("FIELD", "one"), APP.replace("FIELD", "two")
    schemas = workspace(tmp_path, a__app=one, b__app=two)
    assert fields(schemas, tmp_path / "a" / "deep" / "user.yaml") == ["one"]
    assert fields(schemas, tmp_path / "b" / "user.yaml") == ["two"]
    assert fields(schemas, tmp_path / "b" / "user.yaml", 1) == ["one"]
    assert len(schemas.others_for(str(tmp_path / "b" / "user.yaml"))) == 1


def test_what_kro_refuses_declares_nothing_while_there_is_another(tmp_path: Path) -> None:
    broken = APP.replace("FIELD", "two").replace("ConfigMap", "ConfigMaps")
    schemas = workspace(tmp_path, a__app=APP.replace("FIELD", "one"), b__app=broken)
    assert fields(schemas, tmp_path / "b" / "user.yaml") == ["one"]


def test_without_a_choice_all_files_share_their_kinds(tmp_path: Path) -> None:
    schemas = workspace(tmp_path, a__app=APP.replace("FIELD", "one"))
    assert schemas.index_for(str(tmp_path / "a" / "x.yaml")) is schemas.index
    assert schemas.others_for(str(tmp_path / "x.yaml")) == ()


@pytest.mark.parametrize(
    ("folder", "path", "steps"), [("/a/b", "/a/b/c.yaml", 0), ("/a/b", "/a/c/d.yaml", 2), ("", "/a/c.yaml", 1)]
)
def test_distance(folder: str, path: str, steps: int) -> None:
    assert distance(folder, path) == steps


def test_a_kind_stays_the_same_object_while_what_it_rests_on_does(tmp_path: Path) -> None:
    schemas = workspace(tmp_path, app=APP.replace("FIELD", "one"), user=USER)
    user = schemas.index.find("kro.run", "v1", "User")
    with_comment = schemas.with_file(str(tmp_path / "app.yaml"), f"# words\n{APP.replace('FIELD', 'one')}")
    assert user is not None
    assert with_comment.index.find("kro.run", "v1", "User") is user
    changed = APP.replace("FIELD", "one").replace("${config.metadata.name}", "${config.metadata.name.size()}")
    other = schemas.with_file(str(tmp_path / "app.yaml"), changed).index.find("kro.run", "v1", "User")
    assert other is not None
    assert other.schema["properties"]["status"]["properties"]["key"] == {"type": "integer"}  # type: ignore[index, call-overload]


def test_a_status_field_of_an_unknown_kind_is_anything(tmp_path: Path) -> None:
    unknown = (
        APP.replace("FIELD", "one")
        .replace(
            'status: {key: "${config.metadata.name}"}', "status: {key: '${config.status.a}', all: '${config.status}'}"
        )
        .replace("apiVersion: v1, kind: ConfigMap", "apiVersion: nobody.io/v1, kind: Thing")
    )
    reading = USER.replace("${app.status.key}", "${app.status.key.deep + app.status.all.b.c}")
    schemas = workspace(tmp_path, app=unknown, user=reading)
    assert schemas.generated.is_accepted(str(tmp_path / "user.yaml"))


READER = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: reader}
spec:
  schema: {apiVersion: v1, kind: Reader, spec: {name: string}}
  resources:
    - id: app
      template: {apiVersion: kro.run/v1, kind: App, metadata: {name: x}, spec: {two: a, three: b}}
"""


def test_only_what_all_definitions_refuse_is_an_error(tmp_path: Path) -> None:
    one, two = APP.replace("FIELD", "one"), APP.replace("FIELD", "two")
    schemas = workspace(tmp_path, a__app=one, b__app=two)
    path = str(tmp_path / "a" / "reader.yaml")
    document = Document("file:///reader.yaml", 1, Text(READER), schemas=schemas.index_for(path))
    assert [each.severity for each in document.diagnosis.diagnostics if "template" in each.code] == [Severity.ERROR] * 2
    document = replace(document, other_schemas=schemas.others_for(path))
    found = [each for each in document.diagnosis.diagnostics if "template" in each.code]
    assert [(each.severity, READER[each.span.start : each.span.end]) for each in found] == [
        (Severity.INFORMATION, "two"),
        (Severity.ERROR, "three"),
    ]
    assert "another one in the workspace allows it" in found[0].message
    edited = document.edited(2, (Edit("nine", (7, 79), (7, 82)),))
    fresh = Document("file:///reader.yaml", 2, edited.text, schemas=schemas.index_for(path))
    fresh = replace(fresh, other_schemas=schemas.others_for(path))
    assert edited.diagnosis.diagnostics == fresh.diagnosis.diagnostics


def test_what_was_worked_out_follows_a_changed_kind_and_no_other(tmp_path: Path) -> None:
    app = APP.replace("FIELD", "one")
    schemas = workspace(tmp_path, app=app)
    path, text = str(tmp_path / "app.yaml"), READER.replace("two: a, three: b", "one: a")
    document = Document("file:///reader.yaml", 1, Text(text), schemas=schemas.index)
    assert not [each for each in document.diagnosis.diagnostics if each.severity is Severity.ERROR]
    for field in ("two", "one", "three"):
        schemas = schemas.with_file(path, app.replace("one", field))
        document = document.renewed(settings=document.settings, schemas=schemas.index, other_schemas=())
        fresh = Document("file:///reader.yaml", 1, Text(text), schemas=schemas.index)
        assert document.diagnosis.diagnostics == fresh.diagnosis.diagnostics
        assert any(each.severity is Severity.ERROR for each in fresh.diagnosis.diagnostics) is (field != "one")
