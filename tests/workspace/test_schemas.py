"""The kinds of a workspace: its CRD files, what its RGDs generate, configured places, and changes of files."""

import json
import os
from pathlib import Path

import pytest

from kro_ls.openapi.sources.bundled import UnknownMinorError
from kro_ls.workspace import schemas
from kro_ls.workspace.declared_kinds import declared_kinds
from kro_ls.workspace.schemas import SchemaSettings, load

CRD = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: buckets.example.com}
spec:
  group: example.com
  names: {kind: Bucket, plural: buckets}
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {FIELD: {type: string}}}}}}
"""

RGD = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: app}
spec:
  schema:
    apiVersion: v1
    kind: App
    spec: {name: string}
    status: {key: "${config.metadata.name}"}
  resources:
    - id: config
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: x}
"""


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def bucket_fields(schemas: object) -> list[str]:
    kind = schemas.index.find("example.com", "v1", "Bucket")  # type: ignore[attr-defined] # WorkspaceSchemas
    return list(kind.schema["properties"]["spec"]["properties"]) if kind else []


def test_crds_and_rgds_of_the_folders(tmp_path: Path) -> None:
    write(tmp_path, "crds/bucket.yaml", CRD.replace("FIELD", "region"))
    write(tmp_path, "app.yaml", RGD)
    schemas = load([tmp_path], SchemaSettings())
    assert bucket_fields(schemas) == ["region"]
    app = schemas.index.find("kro.run", "v1", "App")
    assert app is not None
    assert app.plural == "apps"
    assert app.schema["properties"]["status"]["properties"]["key"] == {"type": "string"}  # type: ignore[index, call-overload]


def test_configured_places_by_folder_file_and_glob(tmp_path: Path) -> None:
    write(tmp_path, "elsewhere/bucket.yaml", CRD.replace("FIELD", "region"))
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    for pattern in ("../elsewhere", "../elsewhere/bucket.yaml", "../else*/**/*.yaml", str(tmp_path / "elsewhere")):
        assert bucket_fields(load([workspace], SchemaSettings(crds=(pattern,)))) == ["region"], pattern


def test_a_place_that_does_not_exist_is_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    load([tmp_path], SchemaSettings(crds=("nowhere/*.yaml",)))
    assert "nowhere/*.yaml" in caplog.text


def test_a_changed_file_changes_its_kinds_only(tmp_path: Path) -> None:
    path = str(write(tmp_path, "bucket.yaml", CRD.replace("FIELD", "region")))
    before = load([tmp_path], SchemaSettings())
    after = before.with_file(path, CRD.replace("FIELD", "zone"))
    assert (bucket_fields(before), bucket_fields(after)) == (["region"], ["zone"])
    assert bucket_fields(after.with_file(path, None)) == []
    assert after.with_file("other.yaml", "kind: ConfigMap") is after


def test_an_rgd_added_later_declares_its_kind(tmp_path: Path) -> None:
    schemas = load([tmp_path], SchemaSettings())
    assert schemas.index.find("kro.run", "v1", "App") is None
    assert schemas.with_file("app.yaml", RGD).index.find("kro.run", "v1", "App") is not None


def test_a_kind_is_read_from_the_file_as_it_is_when_it_is_asked_for(tmp_path: Path) -> None:
    path = write(tmp_path, "crd.yaml", CRD.replace("FIELD", "region"))
    schemas, others = load([tmp_path], SchemaSettings()), load([tmp_path], SchemaSettings())
    write(tmp_path, "crd.yaml", CRD.replace("FIELD", "zone"))
    assert bucket_fields(schemas) == ["zone"]
    path.unlink()
    assert bucket_fields(schemas) == ["zone"]
    assert bucket_fields(others) == []


def test_a_file_that_is_not_utf_8_is_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "crd.yaml").write_bytes(CRD.replace("FIELD", "größe").encode("latin-1"))
    assert bucket_fields(load([tmp_path], SchemaSettings())) == []
    assert "not UTF-8" in caplog.text


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.yaml")
    schemas = load([tmp_path], SchemaSettings(crds=("pipe.yaml", "*.yaml")))
    assert schemas.crds.paths() == ()


def test_a_generated_kind_stays_the_same_while_its_crd_does(tmp_path: Path) -> None:
    before = load([tmp_path], SchemaSettings()).with_file("app.yaml", RGD)
    assert before.index.find("kro.run", "v1", "App") is not None
    commented = before.with_file("app.yaml", RGD + "# x\n")
    assert commented.index.find("kro.run", "v1", "App") is before.index.find("kro.run", "v1", "App")
    after = commented.with_file("app.yaml", RGD.replace("name: string", "name: integer"))
    assert after.index.find("kro.run", "v1", "App") is not before.index.find("kro.run", "v1", "App")


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("", "", ["kro.run/v1 App"]),
        ("    kind: App\n", "    kind: App\n    group: example.com\n", ["example.com/v1 App"]),
        ("    kind: App\n", "    kind: 'App'  # quoted\n", ["kro.run/v1 App"]),
        ("kind: Res", "kind: Other\nnot: Res", []),
        ("kro.run/v1alpha1", "example.com/v1", []),
        ("    kind: App\n", "", []),
        (
            "  schema:\n    apiVersion: v1\n    kind: App\n",
            "  schema: {apiVersion: v1, kind: App}\n  x:\n",
            ["kro.run/v1 App"],
        ),
        ("    apiVersion: v1\n    kind: App\n", "    <<: &a {apiVersion: v1, kind: App}\n", ["kro.run/v1 App"]),
        ("metadata: {name: app}\n", "metadata: {name: app\n", ["kro.run/v1 App"]),
    ],
)
def test_kinds_that_rgds_declare(old: str, new: str, expected: list[str]) -> None:
    assert old in RGD
    text = RGD.replace(old, new, 1) if old else RGD
    assert [str(kind) for kind in declared_kinds(text)] == expected
    assert [str(kind) for kind in declared_kinds("# first\n---\na: b\n---\n" + text)] == expected


def test_an_unknown_kubernetes_version_is_refused_with_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(UnknownMinorError, match=r"1\.\d\d"):
        load([tmp_path], SchemaSettings(kubernetes_version="1.2"))


def test_a_clusters_own_description_is_used_instead(tmp_path: Path) -> None:
    meta = {"type": "object", "properties": {"name": {"type": "string"}}}
    thing = {
        "type": "object",
        "properties": {"metadata": {"$ref": "#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"}},
        "x-kubernetes-group-version-kind": [{"group": "", "version": "v1", "kind": "Thing"}],
    }
    definitions = {"io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta": meta, "io.k8s.api.core.v1.Thing": thing}
    verb = {
        "x-kubernetes-group-version-kind": {"group": "", "version": "v1", "kind": "Thing"},
        "x-kubernetes-action": "list",
    }
    paths = {"/api/v1/namespaces/{namespace}/things": {"get": verb}}
    write(tmp_path, "swagger.json", json.dumps({"definitions": definitions, "paths": paths}))
    schemas = load([tmp_path], SchemaSettings(openapi=("swagger.json",)))
    assert schemas.index.find("", "v1", "Thing") is not None
    assert schemas.index.find("", "v1", "ConfigMap") is None


def test_a_useless_description_is_logged_and_the_bundled_one_stays(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    write(tmp_path, "swagger.json", "{}")
    schemas = load([tmp_path], SchemaSettings(openapi=("swagger.json",)))
    assert schemas.index.find("", "v1", "ConfigMap") is not None
    assert "swagger.json" in caplog.text


def test_a_file_that_the_user_names_may_be_larger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace, elsewhere = tmp_path / "workspace", tmp_path / "elsewhere"
    for folder, kind in ((workspace, "Own"), (elsewhere, "Named")):
        folder.mkdir()
        (folder / "crds.yaml").write_text(
            CRD.replace("Bucket", kind).replace("buckets", kind.lower()), encoding="utf-8"
        )
    monkeypatch.setattr(schemas, "MOST_BYTES", 100)
    found = load([workspace], SchemaSettings(crds=(str(elsewhere),)))
    assert [name.kind for name in found.crds.names()] == ["Named"]
