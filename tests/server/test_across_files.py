"""What the connection adds: links, virtual documents, files that are not open."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.fixtures.client import Client
from tests.fixtures.definitions import rgd

TEXT = rgd(
    """
- id: web
  template:
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: "${schema.spec.name}-${missing.metadata.name}"}
"""
)
USER = rgd(
    """
- id: app
  template:
    apiVersion: kro.run/v1alpha1
    kind: App
    metadata: {name: a}
    spec: {name: a}
"""
).replace("kind: App\n    spec: {name: string}", "kind: User\n    spec: {name: string}")
CONTENT: dict[str, Any] = {"workspace": {"textDocumentContent": {}}}


def at(uri: str, text: str, part: str) -> dict[str, Any]:
    offset = text.index(part) + len(part)
    line = text.count("\n", 0, offset)
    return {
        "textDocument": {"uri": uri},
        "position": {"line": line, "character": offset - text.rfind("\n", 0, offset) - 1},
    }


def loaded(client: Client, folder: Path, capabilities: dict[str, Any]) -> None:
    """Begin a session, and wait until the folder's files have been read."""
    client.initialize({**capabilities, "window": {"workDoneProgress": True}}, rootUri=folder.as_uri())
    client.answer(client.wait(lambda message: message.get("method") == "window/workDoneProgress/create"), None)
    client.wait(lambda message: message.get("method") == "$/progress" and message["params"]["value"]["kind"] == "end")


def test_a_definition_is_a_link_where_the_client_takes_links() -> None:
    with Client() as client:
        client.initialize({"textDocument": {"definition": {"linkSupport": True}}})
        client.open(TEXT)
        (link,) = client.request("textDocument/definition", at("file:///rgd.yaml", TEXT, "schema.spec.na"))
        assert link["targetUri"] == "file:///rgd.yaml"
        origin = link["originSelectionRange"]
        assert origin["end"]["character"] - origin["start"]["character"] == len("name")


def test_virtual_documents_show_kinds_and_pages_of_rules() -> None:
    with Client() as client:
        client.initialize(CONTENT)
        client.open(TEXT)
        found = client.notification("textDocument/publishDiagnostics")["diagnostics"]
        href = next(each["codeDescription"]["href"] for each in found if each["code"] == "unresolved-reference")
        page = client.request("workspace/textDocumentContent", {"uri": href})["text"]
        assert page.startswith("# unresolved-reference")
        location = client.request("textDocument/typeDefinition", at("file:///rgd.yaml", TEXT, "id: we"))
        assert location["uri"] == "kro-preview:/kind/v1/ConfigMap.yaml"
        text = client.request("workspace/textDocumentContent", {"uri": location["uri"]})["text"]
        assert text.startswith("# v1 ConfigMap, Kubernetes 1.")


def test_without_virtual_documents_nothing_leads_to_one() -> None:
    with Client() as client:
        client.initialize()
        client.open(TEXT)
        found = client.notification("textDocument/publishDiagnostics")["diagnostics"]
        assert not any("codeDescription" in each for each in found)
        assert client.request("textDocument/typeDefinition", at("file:///rgd.yaml", TEXT, "id: we")) is None


def test_a_field_is_renamed_in_files_that_are_not_open(tmp_path: Path) -> None:
    (tmp_path / "app.yaml").write_text(TEXT, encoding="utf-8")
    (tmp_path / "user.yaml").write_text(USER, encoding="utf-8")
    uri = (tmp_path / "app.yaml").as_uri()
    with Client() as client:
        loaded(client, tmp_path, {})
        client.open(TEXT, uri)
        client.notification("textDocument/publishDiagnostics")
        place = at(uri, TEXT, "spec: {na")
        edit = client.request("textDocument/rename", place | {"newName": "title"})
        assert {each.rpartition("/")[2]: len(edits) for each, edits in edit["changes"].items()} == {
            "app.yaml": 2,
            "user.yaml": 1,
        }
        answer = client.exchange("textDocument/rename", place | {"newName": "on"})
        assert "YAML reads 'on'" in answer["error"]["message"]
        assert [each["name"] for each in client.request("workspace/symbol", {"query": "user"})] == ["User"]


def test_definitions_that_are_not_open_are_diagnosed(tmp_path: Path) -> None:
    (tmp_path / "app.yaml").write_text(TEXT, encoding="utf-8")
    (tmp_path / "user.yaml").write_text(USER, encoding="utf-8")
    with Client() as client:
        asks = {"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": True}}}
        loaded(client, tmp_path, asks)
        first = client.request("workspace/diagnostic", {"previousResultIds": []})["items"]
        codes = {each["uri"].rpartition("/")[2]: [one["code"] for one in each["items"]] for each in first}
        assert "unresolved-reference" in codes["app.yaml"]
        assert "unknown-kind" not in codes["user.yaml"]
        known = [{"uri": each["uri"], "value": each["resultId"]} for each in first]
        again = client.request("workspace/diagnostic", {"previousResultIds": known})["items"]
        assert {each["kind"] for each in again} == {"unchanged"}


def test_symbols_are_those_of_the_files_and_of_what_is_in_the_editor(tmp_path: Path) -> None:
    (tmp_path / "app.yaml").write_text(TEXT, encoding="utf-8")
    (tmp_path / "user.yaml").write_text(USER, encoding="utf-8")
    instance = "apiVersion: kro.run/v1alpha1\nkind: App\nmetadata:\n  name: shop\n"
    (tmp_path / "shop.yaml").write_text(instance, encoding="utf-8")
    uri = (tmp_path / "app.yaml").as_uri()
    with Client() as client:
        loaded(client, tmp_path, {})
        client.open(TEXT, uri)

        def files(query: str) -> list[tuple[str, str]]:
            found = client.request("workspace/symbol", {"query": query})
            return [(each["name"], each["location"]["uri"].rpartition("/")[2]) for each in found]

        assert files("web") == [("web", "app.yaml")]
        assert files("shop") == [("shop", "shop.yaml")]
        client.change(2, {"text": TEXT.replace("id: web", "id: site")}, uri=uri)
        assert files("web") == []
        assert files("ste") == [("site", "app.yaml")]
        assert [*dict(files(""))] == ["app", "App", "name", "site", "User", "shop"]
