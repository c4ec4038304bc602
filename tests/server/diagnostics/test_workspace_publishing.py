"""Diagnostics of closed files are shown, follow the disk, and appear once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.fixtures.client import Client, Message
from tests.fixtures.definitions import rgd

WRONG = rgd("- id: config\n  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: '${nothing.at.all}'}}")
RIGHT = WRONG.replace("${nothing.at.all}", "a")
INSTANCE = "apiVersion: kro.run/v1alpha1\nkind: App\nmetadata: {name: a}\nspec: {nam: b, name: c}\n"
TESTS = "definition: right.yaml\ntests:\n  - name: a\n    expect: {nodes: {confg: ready}}\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    files = {"wrong.yaml": WRONG, "right.yaml": RIGHT, "one.yaml": INSTANCE, "a.test.yaml": TESTS, "b.yaml": "a: [\n"}
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def shown(client: Client, uri: str, *codes: str) -> Message:
    """Wait until a file shows diagnostics with just these codes."""

    def wanted(message: Message) -> bool:
        if message.get("method") != "textDocument/publishDiagnostics" or message["params"]["uri"] != uri:
            return False
        return sorted(each["code"] for each in message["params"]["diagnostics"]) == sorted(codes)

    return client.wait(wanted)


def started(client: Client, folder: Path, **settings: Any) -> None:
    client.initialize(rootUri=folder.as_uri(), initializationOptions=settings)


def changed(client: Client, path: Path, kind: int) -> None:
    client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": path.as_uri(), "type": kind}]})


def test_definitions_instances_and_tests_that_are_closed_show_what_is_wrong(folder: Path) -> None:
    with Client() as client:
        started(client, folder)
        shown(client, (folder / "a.test.yaml").as_uri(), "invalid-file")
        shown(client, (folder / "one.yaml").as_uri(), "unknown-instance-field")
        shown(client, (folder / "wrong.yaml").as_uri(), "unresolved-reference")
        published = {each["params"]["uri"] for each in client.kept("textDocument/publishDiagnostics")}
        assert not published & {(folder / name).as_uri() for name in ("right.yaml", "b.yaml")}


def test_a_file_shows_what_is_on_disk_after_it_closes_and_nothing_once_it_is_gone(folder: Path) -> None:
    path = folder / "wrong.yaml"
    uri = path.as_uri()
    with Client() as client:
        started(client, folder)
        shown(client, uri, "unresolved-reference")
        client.open(RIGHT, uri)  # mended, and not saved
        shown(client, uri)
        client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        shown(client, uri, "unresolved-reference")
        path.write_text(RIGHT, encoding="utf-8")
        changed(client, path, 2)
        shown(client, uri)
        path.write_text(WRONG, encoding="utf-8")
        changed(client, path, 2)
        shown(client, uri, "unresolved-reference")
        path.unlink()
        changed(client, path, 3)
        shown(client, uri)


def test_a_closed_file_follows_what_it_rests_on(folder: Path) -> None:
    with Client() as client:
        started(client, folder)
        shown(client, (folder / "a.test.yaml").as_uri(), "invalid-file")
        shown(client, (folder / "one.yaml").as_uri(), "unknown-instance-field")
        for name in ("right.yaml", "wrong.yaml"):
            path = folder / name
            text = path.read_text(encoding="utf-8").replace("config", "confg").replace("name: string", "nam: string")
            path.write_text(text, encoding="utf-8")
            changed(client, path, 2)
        shown(client, (folder / "a.test.yaml").as_uri())
        shown(client, (folder / "one.yaml").as_uri(), "unknown-instance-field")


def test_open_and_closed_files_follow_what_flux_does_with_them(folder: Path) -> None:
    flux, path, other = folder / "flux.yaml", folder / "right.yaml", folder / "other.yaml"
    substituting = (
        "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: all}\n"
        "spec: {path: ./, sourceRef: {name: flux-system}, postBuild: {substitute: {a: b}}}\n"
    )
    text = WRONG.replace("nothing.at.all", "schema.metadata.name")
    (folder / ".git").mkdir()
    for each in (path, other):
        each.write_text(text.replace("kind: App", f"kind: {each.stem.title()}"), encoding="utf-8")
    with Client() as client:
        started(client, folder)
        shown(client, (folder / "wrong.yaml").as_uri(), "unresolved-reference")
        client.open(path.read_text(encoding="utf-8"), path.as_uri())
        shown(client, path.as_uri())
        flux.write_text(substituting, encoding="utf-8")
        changed(client, flux, 1)
        shown(client, path.as_uri(), "substituted-expression")
        shown(client, other.as_uri(), "substituted-expression")
        flux.unlink()
        changed(client, flux, 3)
        shown(client, path.as_uri())
        shown(client, other.as_uri())


def test_an_open_definition_follows_which_kinds_others_use(folder: Path) -> None:
    def using(kind: str, name: str) -> str:
        template = f"{{apiVersion: kro.run/v1alpha1, kind: {kind}, metadata: {{name: a}}}}"
        return rgd(f"- id: it\n  template: {template}").replace("kind: App", f"kind: {name}")

    till, shop = folder / "till.yaml", folder / "shop.yaml"
    till.write_text(using("Shop", "Till"), encoding="utf-8")
    shop.write_text(RIGHT.replace("kind: App", "kind: Shop"), encoding="utf-8")
    with Client() as client:
        started(client, folder)
        client.open(using("Shop", "Till"), till.as_uri())
        shown(client, till.as_uri())
        shop.write_text(using("Till", "Shop"), encoding="utf-8")
        changed(client, shop, 2)
        shown(client, till.as_uri(), "kind-circle")
        shown(client, shop.as_uri(), "kind-circle")
        shop.write_text(RIGHT.replace("kind: App", "kind: Shop"), encoding="utf-8")
        changed(client, shop, 2)
        shown(client, till.as_uri())


def test_open_files_alone_where_the_user_wants_that(folder: Path) -> None:
    with Client() as client:
        started(client, folder)
        shown(client, (folder / "wrong.yaml").as_uri(), "unresolved-reference")
        client.notify("workspace/didChangeConfiguration", {"settings": {"kro": {"diagnosticMode": "openFilesOnly"}}})
        shown(client, (folder / "wrong.yaml").as_uri())
    with Client() as client:
        started(client, folder, diagnosticMode="openFilesOnly")
        client.open(WRONG, (folder / "right.yaml").as_uri())
        shown(client, (folder / "right.yaml").as_uri(), "unresolved-reference")
        client.notify("textDocument/didClose", {"textDocument": {"uri": (folder / "right.yaml").as_uri()}})
        shown(client, (folder / "right.yaml").as_uri())
        assert client.kept("textDocument/publishDiagnostics") == []


def test_a_client_that_asks_is_sent_nothing(folder: Path) -> None:
    asks = {"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": True}}}
    with Client() as client:
        client.initialize(asks, rootUri=folder.as_uri())
        items: list[Any] = []
        while not any(each.get("items") for each in items):
            items = client.request("workspace/diagnostic", {"previousResultIds": []})["items"]
        assert client.kept("textDocument/publishDiagnostics") == []
