"""What one file says about another, live, as a client sees it."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from tests.fixtures.client import Client

APP = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: app}
spec:
  schema:
    apiVersion: v1
    kind: App
    spec:
      name: string | required=true
    status:
      key: ${config.metadata.name}
  resources:
    - id: config
      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${schema.spec.name}"}}
"""
USER = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: user}
spec:
  schema:
    apiVersion: v1
    kind: User
    spec:
      name: string | required=true
  resources:
    - id: app
      template:
        apiVersion: kro.run/v1
        kind: App
        metadata: {name: "${schema.spec.name}"}
        spec: {name: x}
    - id: config
      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${app.status.key}"}}
"""
INSTANCE = "apiVersion: kro.run/v1\nkind: App\nmetadata: {name: one}\nspec:\n  name: x\n"


def published(client: Client, uri: str, *codes: str) -> Any:
    """Wait until a document has just these diagnostics."""

    def is_wanted(message: Any) -> bool:
        params = message.get("params", {})
        is_about = message.get("method") == "textDocument/publishDiagnostics" and params["uri"] == uri
        return is_about and sorted(each["code"] for each in params["diagnostics"]) == sorted(codes)

    return client.wait(is_wanted)["params"]["diagnostics"]


def test_an_edited_definition_is_felt_in_those_that_use_it_and_in_its_instances(tmp_path: Path) -> None:
    texts = {"app.yaml": APP, "user.yaml": USER, "one.yaml": INSTANCE}
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    uris = {name: (tmp_path / name).as_uri() for name in texts}
    with Client() as client:
        client.initialize(workspaceFolders=[{"uri": tmp_path.as_uri(), "name": "w"}])
        for name, text in texts.items():
            client.open(text, uri=uris[name])
        published(client, uris["app.yaml"])
        changed = APP.replace("name: string", "title: string").replace("spec.name", "spec.title")
        client.change(2, {"text": changed.replace("key:", "other:")}, uri=uris["app.yaml"])
        found = published(client, uris["one.yaml"], "invalid-instance", "unknown-instance-field")
        assert {each["range"]["start"]["line"] for each in found} == {3, 4}
        published(client, uris["user.yaml"], "undefined-field", "unknown-template-field")
        client.change(3, {"text": APP}, uri=uris["app.yaml"])
        published(client, uris["one.yaml"])
        published(client, uris["user.yaml"])


def test_the_settings_of_a_folder_are_followed(tmp_path: Path) -> None:
    settings = tmp_path / ".kro-ls.yaml"
    settings.write_text("severity: {unresolved-reference: off}\n", encoding="utf-8")
    definition = tmp_path / "app.yaml"
    text = APP.replace("schema.spec.name", "shema.spec.name")
    with Client() as client:
        client.initialize(workspaceFolders=[{"uri": tmp_path.as_uri(), "name": "w"}])
        client.open(text, uri=definition.as_uri())
        assert "unresolved-reference" not in str(client.notification("textDocument/publishDiagnostics"))
        settings.write_text("severity: {unused-schema-field: off}\n", encoding="utf-8")
        client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": settings.as_uri(), "type": 2}]})
        assert "unresolved-reference" in str(client.notification("textDocument/publishDiagnostics"))


def test_kinds_of_folders_that_are_gone_are_unknown(tmp_path: Path) -> None:
    """Removing a folder of the workspace, even the last one, and deleting a folder in one, which is a single event."""
    kept, removed = tmp_path / "kept", tmp_path / "removed"
    (kept / "sub").mkdir(parents=True)
    removed.mkdir()
    (kept / "sub" / "app.yaml").write_text(APP, encoding="utf-8")
    (removed / "app.yaml").write_text(APP, encoding="utf-8")
    folders = [{"uri": each.as_uri(), "name": each.name} for each in (removed, kept)]
    uri = (kept / "user.yaml").as_uri()
    with Client() as client:
        client.initialize(workspaceFolders=folders, rootUri=removed.as_uri())
        client.open(USER, uri=uri)
        published(client, uri)
        shutil.rmtree(kept / "sub")
        client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": (kept / "sub").as_uri(), "type": 3}]})
        client.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": [], "removed": folders}})
        published(client, uri, "unknown-kind")


def test_a_folder_that_is_renamed_in_the_editor_has_its_files_read(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "app.yaml").write_text(APP, encoding="utf-8")
    uri = (tmp_path / "user.yaml").as_uri()
    old, new = (tmp_path / "old").as_uri(), (tmp_path / "new").as_uri()
    with Client() as client:
        client.initialize(workspaceFolders=[{"uri": tmp_path.as_uri(), "name": "w"}])
        client.open(USER, uri=uri)
        published(client, uri)
        (tmp_path / "old").rename(tmp_path / "new")
        client.notify("workspace/didRenameFiles", {"files": [{"oldUri": old, "newUri": new}]})
        place = {"line": USER.splitlines().index("        kind: App"), "character": 15}
        asked = {"textDocument": {"uri": uri}, "position": place}
        found = (client.request("textDocument/definition", asked) for _ in range(10_000))
        assert any(each and each["uri"] == f"{new}/app.yaml" for each in found)
        shutil.rmtree(tmp_path / "new")
        client.notify("workspace/didDeleteFiles", {"files": [{"uri": new}]})
        published(client, uri, "unknown-kind")
