"""Previews as a client sees them: lenses, commands, virtual documents, values in hover and hints, and their refresh."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kro_ls.server.previews.keeper import MOST_RESOURCES
from tests.fixtures.client import Client, Message
from tests.fixtures.definitions import rgd

URI = "file:///rgd.yaml"
APP = "file:///app.yaml"
TEXT = rgd(
    """
- id: config
  template:
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: ${schema.spec.name + "-x"}
- id: other
  template:
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: "${config.metadata.name}-y"}
"""
)
LINES = TEXT.split("\n")
LINE = next(number for number, line in enumerate(LINES) if "-x" in line)
DOCUMENT = {"textDocument": {"uri": URI}}
PLUS = {**DOCUMENT, "position": {"line": LINE, "character": LINES[LINE].index("+")}}
ALL = {"start": {"line": 0, "character": 0}, "end": {"line": len(LINES), "character": 0}}
VALUES = ['= "my-app-x"', '= "my-app-x-y"']
VIRTUAL = {
    "workspace": {"textDocumentContent": {}, "codeLens": {"refreshSupport": True}},
    "window": {"showDocument": {"support": True}},
}


def app(name: str) -> str:
    return f"apiVersion: kro.run/v1alpha1\nkind: App\nmetadata: {{name: {name}}}\nspec: {{name: {name}}}\n"


def run(client: Client, command: str, *arguments: object) -> Any:
    return client.request("workspace/executeCommand", {"command": command, "arguments": list(arguments)})


def value(client: Client) -> str:
    text: str = client.request("textDocument/hover", PLUS)["contents"]["value"]
    return text.rpartition("---\n\n")[2]


def refreshed(client: Client, what: str) -> None:
    """Wait until the server has something asked for again."""
    client.wait(lambda message: message.get("method") == f"workspace/{what}/refresh")


def check_after_refreshes(client: Client, what: str, ask: Callable[[], object], expected: object) -> None:
    """Ask, and again after each refresh, as an editor does, until the answer is the expected one."""
    while ask() != expected:
        refreshed(client, what)


def labels(client: Client) -> list[str]:
    return [each["label"] for each in client.request("textDocument/inlayHint", {**DOCUMENT, "range": ALL})]


def hover_of(label: str, shown: str) -> str:
    return f'Value with {label}:\n\n```json\n"{shown}"\n```'


def test_the_handshake_shows_lenses_commands_and_virtual_documents() -> None:
    with Client() as client:
        capabilities = client.initialize(VIRTUAL)["capabilities"]
        assert capabilities["codeLensProvider"]["resolveProvider"]
        commands = {
            "preview",
            "graph",
            "crd",
            "instance",
            "chooseInstance",
            "toggleValues",
            "openGraph",
            "openPreview",
            "selectInGraph",
            "getDefinitions",
            "importManifests",
            "why",
        }
        assert {f"kro.{name}" for name in commands} == set(capabilities["executeCommandProvider"]["commands"])
        assert capabilities["workspace"]["textDocumentContent"] == {"schemes": ["kro-preview"]}
    with Client() as client:
        assert "textDocumentContent" not in client.initialize()["capabilities"]["workspace"]


def test_a_lens_runs_the_preview() -> None:
    with Client() as client:
        client.initialize()
        client.open(TEXT)
        client.open(app("shop"), APP)
        lenses = client.request("textDocument/codeLens", DOCUMENT)
        assert [LINES[each["range"]["start"]["line"]] for each in lenses] == [
            "apiVersion: kro.run/v1alpha1",
            "    - id: config",
            "    - id: other",
        ]
        commands = [client.request("codeLens/resolve", each)["command"] for each in lenses]
        assert [each["title"] for each in commands] == [
            "Preview with app.yaml · ACTIVE",
            "1 object · ready",
            "1 object · ready",
        ]
        answer = run(client, commands[1]["command"], *commands[1]["arguments"])
        assert answer["text"].endswith(
            "---\n# config\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: shop-x\n  namespace: default\n"
        )
        assert client.kept("window/showDocument") == []


def test_the_answer_of_the_preview() -> None:
    with Client() as client:
        client.initialize()
        client.open(TEXT)
        answer = run(client, "kro.preview", {"uri": URI, "format": "table"})
        assert answer["title"] == "rgd.preview.txt"
        assert (answer["state"], answer["settled"], answer["errors"], answer["refusals"]) == ("ACTIVE", True, 0, [])
        assert answer["instance"] == {"uri": None, "label": "a generated sample"}
        assert answer["nodes"] == [
            {"id": "config", "state": "ready", "objects": 1, "reason": ""},
            {"id": "other", "state": "ready", "objects": 1, "reason": ""},
        ]
        assert answer["text"].startswith("App default/my-app (a generated sample): ACTIVE\n\nNODE")


def test_a_definition_in_error_is_previewed_as_far_as_it_goes() -> None:
    with Client() as client:
        client.initialize()
        client.open(TEXT.replace("config.metadata", "nothing.metadata"))
        answer = run(client, "kro.preview", {"uri": URI})
        assert answer["errors"] == 1
        assert answer["text"].startswith("# kro refuses this: 1 error\n#   ")
        assert answer["state"] == "REFUSED"
        assert "ACTIVE" not in answer["text"]
        assert "name: my-app-x" in answer["text"]


def test_graph_crd_and_instance() -> None:
    with Client() as client:
        client.initialize()
        client.open(TEXT)
        assert "config --> other" in run(client, "kro.graph", {"uri": URI})["text"]
        assert run(client, "kro.graph", {"uri": URI, "format": "dot"})["text"].startswith("digraph")
        assert "kind: CustomResourceDefinition" in run(client, "kro.crd", {"uri": URI})["text"]
        assert run(client, "kro.instance", {"uri": URI})["text"].startswith("apiVersion: kro.run/v1alpha1\nkind: App\n")


@pytest.mark.parametrize("more", ["", "# a large comment\n" * 2000], ids=["small", "large"])
def test_a_command_that_an_edit_overtakes_is_answered_for_the_newer_text(more: str) -> None:
    with Client() as client:
        client.initialize()
        client.open(TEXT + more)
        for version, old in enumerate("xabcdef", start=2):
            argument = {"uri": URI, "format": "json"}
            asked = [
                client.ask("workspace/executeCommand", {"command": command, "arguments": [argument]})
                for command in ("kro.preview", "kro.graph")
            ]
            client.change(version, {"text": TEXT.replace("-x", f"-{old}{old}") + more})
            for answer in map(client.answer_to, asked):
                assert "error" not in answer, answer
        assert f'"my-app-{old}{old}"' in run(client, "kro.preview", argument)["text"]


BAD_ARGUMENTS: list[tuple[str, list[object], str]] = [
    ("kro.preview", [], "kro.preview: 'uri' is missing"),
    ("kro.preview", [URI], "takes one argument, an object"),
    ("kro.preview", [{"uri": 1}], "'uri' must be a string, not 1"),
    (
        "kro.preview",
        [{"uri": "file:///no.yaml"}],
        "'file:///no.yaml' is neither open in the editor nor a file of the workspace",
    ),
    ("kro.preview", [{"uri": URI, "format": "xml"}], "'format' must be one of yaml, json, table, not 'xml'"),
    (
        "kro.preview",
        [{"uri": URI, "resource": "x"}],
        "no resource has the id 'x'; the resources are: config, other",
    ),
    (
        "kro.preview",
        [{"uri": URI, "definition": 1}],
        "/rgd.yaml' has no definition with the number 1, it has 1",
    ),
    ("kro.preview", [{"uri": URI, "definition": 0.5}], "'definition' must be the 0-based number"),
    ("kro.graph", [{"uri": URI, "resource": "config"}], "there is no argument 'resource'; there are: uri"),
    ("kro.chooseInstance", [{"uri": URI, "instance": APP}], "'file:///app.yaml' is neither open nor a file"),
    ("kro.chooseInstance", [{"uri": URI, "instance": URI}], "holds no instance of the kind"),
    ("kro.toggleValues", [{"x": 1}], "there is no argument 'x'; there are: none"),
]


def test_bad_arguments_are_answered_with_what_is_wrong() -> None:
    with Client() as client:
        client.initialize()
        client.open(TEXT)
        for command, arguments, message in BAD_ARGUMENTS:
            answer = client.exchange("workspace/executeCommand", {"command": command, "arguments": arguments})
            assert message in answer["error"]["message"]
            assert answer["error"]["code"] == -32602


def test_a_virtual_document_is_opened_read_and_refreshed() -> None:
    with Client() as client:
        client.initialize(VIRTUAL)
        client.open(TEXT)
        answer = run(client, "kro.preview", {"uri": URI})
        request = client.wait(lambda message: message.get("method") == "window/showDocument")
        client.answer(request, {"success": True})
        uri = request["params"]["uri"]
        assert uri == answer["uri"]
        assert uri.startswith("kro-preview:/")
        assert uri.endswith("/rgd.preview.yaml")
        assert client.request("workspace/textDocumentContent", {"uri": uri}) == {"text": answer["text"]}
        client.change(2, {"text": TEXT.replace("-x", "-z")})
        assert client.notification("workspace/textDocumentContent/refresh") == {"uri": uri}
        assert "name: my-app-z" in client.request("workspace/textDocumentContent", {"uri": uri})["text"]
        for wrong in ("kro-preview:/x/y", "kro-preview:/WzFd/y", "file:///rgd.yaml"):
            text = client.request("workspace/textDocumentContent", {"uri": wrong})["text"]
            assert text == f"# '{wrong}' is not a virtual document of kro-ls\n"


def test_lenses_are_refreshed_when_the_instance_changes() -> None:
    with Client() as client:
        client.initialize(VIRTUAL)
        client.open(TEXT)
        client.open(app("shop"), APP)
        refreshed(client, "codeLens")  # once the workspace's files are read
        check_after_refreshes(client, "codeLens", lambda: value(client), hover_of("`app.yaml`", "shop-x"))
        client.change(2, {"text": app("mall")}, uri=APP)
        check_after_refreshes(client, "codeLens", lambda: value(client), hover_of("`app.yaml`", "mall-x"))


def test_a_client_that_asks_for_it_is_notified() -> None:
    with Client() as client:
        client.initialize({"experimental": {"kroRefreshPreview": True}})
        client.open(TEXT)
        run(client, "kro.preview", {"uri": URI})
        client.change(2, {"text": TEXT.replace("-x", "-z")})
        assert client.notification("kro/refreshPreview") == {"uri": URI}


def test_the_instance_is_found_in_the_workspace_and_can_be_chosen(tmp_path: Path) -> None:
    (tmp_path / "rgd.yaml").write_text(TEXT)
    (tmp_path / "app.yaml").write_text(app("disk"))
    outside = tmp_path / "elsewhere" / "mine.yml"
    outside.parent.mkdir()
    (tmp_path / ".gitignore").write_text("elsewhere/\n")
    outside.write_text(app("mine"))
    uri = (tmp_path / "rgd.yaml").as_uri()
    capabilities: Message = {"workspace": {"codeLens": {"refreshSupport": True}}}
    with Client() as client:
        client.initialize(capabilities, rootUri=tmp_path.as_uri())
        client.open(TEXT, uri)
        if run(client, "kro.preview", {"uri": uri})["instance"]["uri"] is None:
            # The files were not read yet.
            refreshed(client, "codeLens")
        found = run(client, "kro.preview", {"uri": uri})["instance"]
        assert found == {"uri": (tmp_path / "app.yaml").as_uri(), "label": "app.yaml"}
        chosen = {"uri": outside.as_uri(), "label": "mine.yml"}
        assert run(client, "kro.chooseInstance", {"uri": uri, "instance": outside.as_uri()}) == chosen
        refreshed(client, "codeLens")
        assert "name: mine-x" in run(client, "kro.preview", {"uri": uri})["text"]
        assert run(client, "kro.chooseInstance", {"uri": uri}) == found


def test_values_in_hints_are_off_until_they_are_toggled_or_set() -> None:
    with Client() as client:
        client.initialize({"workspace": {"inlayHint": {"refreshSupport": True}}})
        client.open(TEXT)
        assert labels(client) == []
        assert run(client, "kro.toggleValues") == {"values": True}
        check_after_refreshes(client, "inlayHint", lambda: labels(client), VALUES)
        assert run(client, "kro.toggleValues", {}) == {"values": False}
        assert labels(client) == []


def test_a_client_that_cannot_be_refreshed_gets_values_with_the_first_answer() -> None:
    with Client() as client:
        client.initialize(initializationOptions={"inlayHints": {"values": True}})
        client.open(TEXT)
        assert labels(client) == VALUES


def test_a_file_that_changes_on_disk_is_followed(tmp_path: Path) -> None:
    (tmp_path / "rgd.yaml").write_text(TEXT)
    file = tmp_path / "app.yaml"
    file.write_text(app("disk"))
    uri = (tmp_path / "rgd.yaml").as_uri()
    with Client() as client:
        client.initialize({"workspace": {"codeLens": {"refreshSupport": True}}}, rootUri=tmp_path.as_uri())
        client.open(TEXT, uri)
        while "name: disk-x" not in run(client, "kro.preview", {"uri": uri})["text"]:
            refreshed(client, "codeLens")
        for text, shown, change in ((app("new"), "name: new-x", 2), (None, "name: my-app-x", 3)):
            file.unlink() if text is None else file.write_text(text)
            client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": file.as_uri(), "type": change}]})
            while shown not in run(client, "kro.preview", {"uri": uri})["text"]:
                refreshed(client, "codeLens")


def test_a_large_definition_is_previewed_when_it_is_asked_for() -> None:
    many = "".join(
        f"- id: config{number}\n  template: {{apiVersion: v1, kind: ConfigMap, metadata: {{name: x{number}}}}}\n"
        for number in range(MOST_RESOURCES)
    )
    text = TEXT + "".join(f"    {line}\n" for line in many.splitlines())
    with Client() as client:
        client.initialize({**VIRTUAL, "experimental": {"kroRefreshPreview": True}})
        client.open(text)
        assert "Value" not in value(client)
        lens = client.request("textDocument/codeLens", DOCUMENT)[0]
        assert client.request("codeLens/resolve", lens)["command"]["title"] == "Preview"
        assert len(run(client, "kro.preview", {"uri": URI})["nodes"]) == MOST_RESOURCES + 2
        client.notify("workspace/didChangeConfiguration", {"settings": {"kro": {"version": "0.9.3"}}})
        client.notification("kro/refreshPreview")
        # It is made anew for the other version, and a hover does not wait for that.
        shown = hover_of("a generated sample", "my-app-x")
        check_after_refreshes(client, "codeLens", lambda: value(client), shown)
        client.change(2, {"text": f"{text}# edited"})
        assert "Value" not in value(client)


def test_a_foreign_lens_gets_a_title() -> None:
    with Client() as client:
        client.initialize()
        for data in (None, 1, {"uri": URI, "definition": -1}, {"uri": URI, "definition": 0}):
            lens = client.request("codeLens/resolve", {"range": ALL, "data": data})
            assert lens["command"]["title"] == "Preview"


def test_a_definition_that_expands_to_too_much_is_contained() -> None:
    lines = [f"    a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * 10)}]" for level in range(1, 9)]
    bomb = "\n".join(["    a0: &a0 [x, x, x, x, x, x, x, x, x, x]", *lines, "    spec: {name: *a8}"])
    with Client() as client:
        client.initialize(VIRTUAL)
        client.open(TEXT.replace("    spec: {name: string}", bomb))
        for lens in client.request("textDocument/codeLens", DOCUMENT):
            assert client.request("codeLens/resolve", lens)["command"]["command"] == "kro.preview"
        client.exchange("textDocument/hover", PLUS)
        answer = client.exchange("workspace/executeCommand", {"command": "kro.preview", "arguments": [{"uri": URI}]})
        assert "Traceback" not in str(answer)
        client.change(2, {"text": TEXT})
        assert run(client, "kro.preview", {"uri": URI})["state"] == "ACTIVE"
        shown = hover_of("a generated sample", "my-app-x")
        check_after_refreshes(client, "codeLens", lambda: value(client), shown)


def titles(client: Client) -> list[str]:
    lenses = client.request("textDocument/codeLens", DOCUMENT)
    return [client.request("codeLens/resolve", each)["command"]["title"] for each in lenses]


def test_lenses_say_that_kro_refuses_the_definition() -> None:
    with Client() as client:
        client.initialize()
        client.open(TEXT.replace("config.metadata", "nothing.metadata"))
        assert titles(client) == [
            "kro refuses this: 1 error · Preview with a generated sample",
            "1 object · not created: kro refuses the definition",
            "waits for data that its template reads",
        ]


def test_the_lens_of_an_external_object_that_is_not_there_counts_none() -> None:
    reference = "      externalRef:\n        apiVersion: v1\n        kind: ConfigMap\n        metadata: {name: ours}\n"
    with Client() as client:
        client.initialize()
        head, _, _ = TEXT.partition("    - id: config\n")
        client.open(f"{head}    - id: config\n{reference}")
        assert titles(client)[1:] == ["1 external object · ready"]
        client.request("kro-ls/preview", {"uri": URI, "scenario": {"without": ["config"]}})
        assert titles(client)[1:] == ["not found in the cluster"]


def test_lenses_show_the_scenario_of_the_open_preview() -> None:
    with Client() as client:
        client.initialize()
        client.open(TEXT)
        assert titles(client)[1:] == ["1 object · ready", "1 object · ready"]
        client.request("kro-ls/preview", {"uri": URI, "scenario": {"notReady": ["config"]}})
        assert titles(client)[1:] == ["1 object · held back by the scenario", "waits for config"]
        client.notify("kro-ls/previewClosed", {"uri": URI, "definition": 0})
        assert titles(client)[1:] == ["1 object · ready", "1 object · ready"]
