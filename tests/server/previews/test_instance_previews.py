"""Previews of the open instance: its lens, its definition, which may be closed, several definitions of a kind."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.fixtures.client import Client
from tests.fixtures.definitions import rgd

RESOURCES = """
- id: config
  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${schema.spec.name}"}, data: {from: NAME}}
"""


def app(name: str, more: str = "") -> str:
    return f"apiVersion: kro.run/v1alpha1\nkind: App\nmetadata: {{name: {name}}}\nspec: {{name: {name}{more}}}\n"


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


class Workspace:
    """A client with a folder."""

    def __init__(self, client: Client, folder: Path) -> None:
        self.client = client
        self.folder = folder

    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri()

    def open(self, name: str) -> str:
        self.client.open((self.folder / name).read_text(), self.uri(name))
        return self.uri(name)

    def run(self, command: str, **argument: object) -> Any:
        return self.client.request("workspace/executeCommand", {"command": command, "arguments": [argument]})

    def lenses(self, name: str) -> list[dict[str, Any]]:
        found = self.client.request("textDocument/codeLens", {"textDocument": {"uri": self.uri(name)}})
        return [self.client.request("codeLens/resolve", each) for each in found]


def workspace(client: Client, folder: Path, files: dict[str, str], more: dict[str, Any] | None = None) -> Workspace:
    """Open a folder with files; `more` is what else the client can do."""
    write(folder, files)
    folders = [{"uri": folder.as_uri(), "name": "w"}]
    client.initialize({"experimental": {"kroStatus": True}, **(more or {})}, workspaceFolders=folders)
    client.wait(lambda message: message.get("method") == "kro/status")
    return Workspace(client, folder)


@pytest.fixture
def client() -> Any:
    with Client() as session:
        yield session


def test_the_lens_of_an_instance_previews_it(client: Client, tmp_path: Path) -> None:
    files = {"app.yaml": rgd(RESOURCES), "i/x.yaml": "# two\n" + app("one") + "---\n" + app("two")}
    found = workspace(client, tmp_path, files)
    found.open("i/x.yaml")
    one, two = found.lenses("i/x.yaml")
    assert [each["range"]["start"]["line"] for each in (one, two)] == [1, 6]
    assert [each["command"]["title"] for each in (one, two)] == ["Preview this instance"] * 2
    answer = found.run(two["command"]["command"], **two["command"]["arguments"][0])
    assert answer["text"].startswith("# App default/two (x.yaml): ACTIVE\n")
    assert answer["instance"]["uri"] == found.uri("i/x.yaml")
    assert "name: one" in found.run(one["command"]["command"], **one["command"]["arguments"][0])["text"]


def test_a_preview_of_the_document_of_an_instance_is_one_of_its_definition(client: Client, tmp_path: Path) -> None:
    found = workspace(client, tmp_path, {"app.yaml": rgd(RESOURCES), "x.yaml": app("one"), "y.yaml": app("two")})
    uri = found.open("y.yaml")
    assert found.run("kro.preview", uri=uri)["text"].startswith("# App default/two (y.yaml): ACTIVE\n")


SEVERAL = {
    "a/app.yaml": rgd(RESOURCES.replace("NAME", "a")),
    "b/app.yaml": rgd(RESOURCES.replace("NAME", "b"), spec="{name: string, size: integer}"),
    "b/x.yaml": app("x", ", size: 3"),
}


@pytest.mark.parametrize("files", [SEVERAL, dict(reversed(SEVERAL.items()))], ids=["in order", "reversed"])
def test_an_instance_stands_for_the_definition_that_counts_for_it(
    client: Client, tmp_path: Path, files: dict[str, str]
) -> None:
    found = workspace(client, tmp_path, files)
    a, b, x = (found.open(name) for name in ("a/app.yaml", "b/app.yaml", "b/x.yaml"))
    assert found.run("kro.preview", uri=b)["instance"] == {"uri": x, "label": "x.yaml"}
    assert found.run("kro.preview", uri=a)["instance"] == {"uri": None, "label": "a generated sample"}
    listed = client.request("kro-ls/preview", {"uri": a})["instances"]
    assert listed == [{"uri": x, "label": "x.yaml, an instance of b/app.yaml"}]
    chosen = found.run("kro.chooseInstance", uri=a, instance=x)
    assert chosen["label"] == "x.yaml, an instance of b/app.yaml"
    assert "Preview with x.yaml, an instance of b/app.yaml" in found.lenses("a/app.yaml")[0]["command"]["title"]


def test_the_lens_and_the_hover_say_which_definition_counts(client: Client, tmp_path: Path) -> None:
    found = workspace(client, tmp_path, SEVERAL)
    uri = found.open("b/x.yaml")
    (lens,) = found.lenses("b/x.yaml")
    title = "Preview this instance with b/app.yaml, the nearest in the tree of folders of 2 definitions"
    assert lens["command"]["title"] == title
    place = {"textDocument": {"uri": uri}, "position": {"line": 1, "character": 7}}
    hover = client.request("textDocument/hover", place)["contents"]["value"]
    assert "this one counts here: the nearest in the tree of folders" in hover
    assert "also declared by: " in hover
    published = client.wait(lambda message: message.get("params", {}).get("diagnostics") and uri in str(message))
    found_here = published["params"]["diagnostics"]
    (diagnostic,) = [each for each in found_here if each["code"] == "several-definitions"]
    places = [each["location"]["uri"] for each in diagnostic["relatedInformation"]]
    assert places == [found.uri("b/app.yaml"), found.uri("a/app.yaml")]
