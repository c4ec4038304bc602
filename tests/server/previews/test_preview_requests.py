"""The requests of clients that draw a preview themselves."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kro_ls.cli.testing import run_file
from tests.fixtures.browser import Browser
from tests.fixtures.client import Client
from tests.fixtures.definitions import rgd

URI = "file:///work/rgd.yaml"
TEXT = rgd(
    """
- id: settings
  externalRef: {apiVersion: v1, kind: ConfigMap, metadata: {name: settings}}
- id: db
  readyWhen: ["${db.status.phase == 'up'}"]
  template:
    apiVersion: example.com/v1
    kind: Database
    metadata:
      name: ${schema.spec.name}
      labels: {mode: "${settings.data.mode}"}
- id: config
  template:
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: "${schema.spec.name}-config"}
    data:
      host: ${db.status.host}
"""
)
LINES = TEXT.split("\n")


def line_of(text: str) -> int:
    return next(number for number, line in enumerate(LINES) if text in line)


def ask(client: Client, method: str = "kro-ls/preview", **scenario: object) -> Any:
    return client.request(method, {"uri": URI, "scenario": scenario})


@pytest.fixture
def client() -> Any:
    with Client() as session:
        session.initialize()
        session.open(TEXT, URI)
        yield session


def test_the_status_stands_before_the_rest_that_the_cluster_reports(client: Client) -> None:
    client.change(2, {"text": TEXT.replace("kind: Database\n", "kind: Database\n        spec: {size: 3}\n")}, uri=URI)
    (text,) = ask(client)["nodes"][1]["observed"]
    assert text.startswith("status:\n")
    assert text.endswith("\nspec:\n  size: 3\n")


def test_nodes_passes_objects_and_deletion(client: Client) -> None:
    found = ask(client)
    assert (found["state"], found["settled"], found["problems"], found["refusals"]) == ("ACTIVE", True, [], [])
    assert found["instance"] == {"uri": None, "label": "a generated sample"}
    assert found["instanceText"].startswith("apiVersion: kro.run/v1alpha1\nkind: App\n")
    assert [(each["id"], each["state"], each["objects"], each["line"]) for each in found["nodes"]] == [
        ("settings", "ready", 1, line_of("- id: settings")),
        ("db", "ready", 1, line_of("- id: db")),
        ("config", "ready", 1, line_of("- id: config")),
    ]
    assert [each["kind"] for each in found["nodes"]] == ["ConfigMap", "Database", "ConfigMap"]
    assert [each["apiVersion"] for each in found["nodes"]] == ["v1", "example.com/v1", "v1"]
    host = "  host: my-app-b5149f.example.com"
    assert found["nodes"][1]["observed"] == [f"status:\n  phase: up\n{host}\n"]
    config = next(each for each in found["objects"] if each["node"] == "config")
    texts = config["text"].split("\n")
    assert config["lines"][texts.index(host)] == line_of("host: ${db")
    assert config["lines"][texts.index("kind: ConfigMap")] == line_of("    kind: ConfigMap")
    assert [(each["pass"], [one["object"] for one in each["created"]]) for each in found["passes"]] == [
        (1, ["Database default/my-app"]),
        (2, ["ConfigMap default/my-app-config"]),
        (3, []),
    ]
    assert "state: IN_PROGRESS\n" in found["passes"][0]["status"]
    assert [each["object"] for wave in found["deletion"]["waves"] for each in wave["objects"]] == [
        "ConfigMap default/my-app-config",
        "Database default/my-app",
    ]


def test_a_scenario_changes_what_the_cluster_says(client: Client) -> None:
    edited = ask(client, observed="db: {status: {phase: down}}")
    assert (edited["state"], edited["nodes"][1]["state"]) == ("IN_PROGRESS", "waiting")
    assert edited["nodes"][1]["range"]["start"]["line"] == line_of("db.status.phase")
    assert edited["nodes"][2]["waitsFor"] == "db"
    held = ask(client, notReady=["db"])
    assert held["nodes"][1]["reason"] == "held back by the scenario"
    gone = ask(client, without=["settings"])
    assert gone["nodes"][0]["reason"] == "not found in the cluster"


def test_the_status_says_what_it_lacks_and_why(client: Client) -> None:
    text = TEXT.replace("  resources:\n", '    status: {host: "${db.status.host}"}\n  resources:\n', 1)
    client.change(2, {"text": text}, uri=URI)
    held = ask(client, notReady=["db"], observed="db: {status: {}}")
    (missing,) = held["passes"][-1]["missingStatus"]
    assert missing["path"] == "host"
    assert missing["reason"] == "db.status.host is not there yet; db is waiting: held back by the scenario"
    assert missing["kro"].startswith('eval "db.status.host": ')
    lines = text.split("\n")
    start = missing["range"]["start"]
    assert lines[start["line"]][start["character"] :].startswith("db.status.host")
    assert ask(client)["passes"][-1]["missingStatus"] == []


def test_a_test_is_saved_while_the_view_follows_an_edit(client: Client) -> None:
    params = {"uri": URI, "scenario": {"notReady": ["db"]}}
    asked = [client.ask(f"kro-ls/preview{what}", params) for what in ("Test", "", "Test", "")]
    errors = [client.answer_to(each).get("error", {}).get("code") for each in asked]
    assert errors[2:] == [None, None], "the view and the test take nobody's place but that of their own"


def test_a_scenario_has_instances_of_its_own(client: Client) -> None:
    first, second = (
        f"apiVersion: kro.run/v1alpha1\nkind: App\nmetadata: {{name: shop}}\nspec: {{name: {name}}}\n" for name in "ab"
    )
    found = ask(client, instance=first, then=second)
    assert found["instance"]["label"] == "the edited instance"
    last = found["passes"][-2]
    assert [each["object"] for each in last["deleted"]] == ["ConfigMap default/a-config", "Database default/a"]
    assert found["then"]["value"]["spec"] == {"name": "b"}
    assert found["then"]["text"].startswith("apiVersion: kro.run/v1alpha1\n")
    assert [each["generation"] for each in found["passes"]] == [1, 1, 1, 2, 2, 2]
    refused = ask(client, instance="kind: Other")
    assert refused["state"] is None
    assert "'kind' must be 'App', not 'Other', as in all instances of this definition" in refused["refusals"][-1]


def test_faults_name_the_fields_of_an_instance(client: Client) -> None:
    uri = "file:///work/bounds.yaml"
    client.open(rgd(spec="{name: string, replicas: integer | maximum=9}"), uri)
    head = "apiVersion: kro.run/v1alpha1\nkind: App\nmetadata: {name: %s}\nspec: "
    instance = head % "Foo_Bar" + "{name: x, replicas: many, nope: 1}"
    then = head % "x" + "{name: x, replicas: 10}"
    found = client.request("kro-ls/preview", {"uri": uri, "scenario": {"instance": instance, "then": then}})
    faults = [(each["of"], each["severity"], ".".join(each["path"]), each["message"]) for each in found["faults"]]
    assert faults[0] == ("instance", "error", "spec.replicas", "'replicas' must be an integer, not a string")
    assert faults[1][:3] == ("instance", "error", "metadata.name")
    assert faults[2][:3] == ("instance", "warning", "spec.nope")
    assert faults[3][:3] == ("then", "error", "spec.replicas")
    assert len(faults) == 4
    assert found["namespaced"] is True


def test_faults_name_the_line_of_a_text_that_is_no_yaml(client: Client) -> None:
    found = ask(client, instance="kind: App\nspec: [", then="a: b: c")
    assert [(each["of"], each["line"], each["path"]) for each in found["faults"]] == [
        ("instance", 1, []),
        ("then", 0, []),
    ]
    assert found["problems"] == []


def assert_is_no_state(found: dict[str, Any]) -> None:
    """The preview of an earlier text is not shown as the state of the current one."""
    assert {found["state"], found["settled"], *(each["state"] for each in found["passes"])} == {None}
    texts = [found["status"]["text"], *(each[name] for each in found["passes"] for name in ("status", "text"))]
    assert "ACTIVE" not in "".join(texts)


def test_what_could_be_read_last_counts_while_a_text_cannot_be_read(client: Client) -> None:
    instance = "apiVersion: kro.run/v1alpha1\nkind: App\nmetadata: {name: shop}\nspec: {name: %s}\n"
    first = ask(client, instance=instance % "a", then=instance % "b", observed="db: {status: {phase: down}}")
    assert first["readable"] == {
        "instance": instance % "a",
        "then": instance % "b",
        "observed": "db: {status: {phase: down}}",
    }
    typing = {"instance": instance % "[", "then": "- no mapping", "observed": "db: {"}
    found = ask(client, **typing, readable=first["readable"])
    assert [(each["of"], each["line"]) for each in found["faults"]] == [("observed", 0), ("instance", 3), ("then", 0)]
    assert (found["instanceValue"], found["objects"]) == (first["instanceValue"], first["objects"])
    assert_is_no_state(found)
    assert [each["created"] for each in found["passes"]] == [each["created"] for each in first["passes"]]
    assert found["readable"] == first["readable"]
    emptied = ask(client, instance="\n", readable=first["readable"])
    assert [each["message"] for each in emptied["faults"]] == ["there is no instance in this text"]


def test_the_last_instance_that_was_taken_is_shown_while_another_is_refused(client: Client) -> None:
    instance = "apiVersion: kro.run/v1alpha1\nkind: App\nmetadata: {name: shop}\nspec: {name: %s}\n"
    first = ask(client, instance=instance % "a")
    found = ask(client, instance=instance % "[]", readable=first["readable"])
    assert_is_no_state(found)
    assert found["refusals"]
    assert found["nodes"] == first["nodes"]
    assert found["readable"] == first["readable"]
    assert "nodes" not in ask(client, instance=instance % "[]")
    sample = ask(client)
    assert ask(client, instance=instance % "[]", readable=sample["readable"])["nodes"] == sample["nodes"]
    answer = client.exchange(
        "kro-ls/previewTest", {"uri": URI, "scenario": {"instance": instance % "[]", "readable": first["readable"]}}
    )
    assert "errors:" in answer["result"]["text"], "a test expects the refusal, not what is shown beside it"


def test_a_pass_has_the_objects_as_they_are_in_it(client: Client) -> None:
    uri = "file:///work/modes.yaml"
    resources = """
- id: config
  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: config}, data: {mode: "${schema.spec.mode}"}}
- id: other
  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: other}, data: {a: b}}
- id: extra
  includeWhen: ["${schema.spec.mode == 'large'}"]
  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: extra}}
"""
    client.open(rgd(resources, spec="{mode: string}"), uri)
    large, small = (
        f"apiVersion: kro.run/v1alpha1\nkind: App\nmetadata: {{name: a}}\nspec: {{mode: {mode}}}\n"
        for mode in ("large", "small")
    )
    found = client.request("kro-ls/preview", {"uri": uri, "scenario": {"instance": large, "then": small}})
    assert ["mode: small" in each["text"] for each in found["objects"]] == [True, False]
    created = {each["node"]: each for each in found["passes"][0]["created"]}
    config, other, extra = (created[name] for name in ("config", "other", "extra"))
    line = config["text"].split("\n").index("  mode: large")
    assert config["lines"][line] is not None
    assert "text" not in other, "it is in the end as it was created"
    assert "name: extra" in extra["text"], "it is not there in the end"
    edited = next(each for each in found["passes"] if each["generation"] == 2)
    assert edited["updated"] == [{"node": "config", "object": "ConfigMap default/config"}]
    assert [each["node"] for each in edited["deleted"]] == ["extra"]


def test_what_is_wrong_with_a_scenario_is_reported(client: Client) -> None:
    found = ask(client, observed="bd: {}", notReady=["x"], without=["db"], then="[", instance="text")
    assert len(found["problems"]) == 3
    assert [each["of"] for each in found["faults"]] == ["instance", "then"]
    assert "observed: bd: no node has the id 'bd'; did you mean 'db'?" in found["problems"]
    assert_is_no_state(found)
    for wrong in ({"uri": "file:///other.yaml"}, {"uri": URI, "definition": 1}, {"uri": URI, "scenario": {"then": 1}}):
        answer = client.exchange("kro-ls/preview", wrong)
        assert answer["error"]["code"] == -32602
    assert client.exchange("kro-ls/previewTest", {"uri": URI, "scenario": {"observed": "x: {}"}})["error"]


def test_a_scenario_is_saved_as_a_test_that_passes(client: Client, tmp_path: Path) -> None:
    saved = ask(client, "kro-ls/previewTest", observed="db: {status: {phase: down}}", without=["settings"])
    assert saved["title"] == "rgd.test.yaml"
    (tmp_path / "rgd.yaml").write_text(TEXT)
    (tmp_path / saved["title"]).write_text(saved["text"])
    (result,) = run_file(tmp_path / saved["title"], tmp_path, update=False)
    assert result.messages == ()
    assert "settings: null" in saved["text"]


def test_a_scenario_with_an_edit_is_saved_as_a_test_that_passes(client: Client, tmp_path: Path) -> None:
    first, second = (
        f"apiVersion: kro.run/v1alpha1\nkind: App\nmetadata: {{name: shop}}\nspec: {{name: {name}}}\n" for name in "ab"
    )
    saved = ask(client, "kro-ls/previewTest", instance=first, then=second, notReady=["db"])
    (tmp_path / "rgd.yaml").write_text(TEXT)
    (tmp_path / saved["title"]).write_text(saved["text"])
    (result,) = run_file(tmp_path / saved["title"], tmp_path, update=False)
    assert result.messages == ()
    assert "then:" in saved["text"]


def test_a_test_is_added_to_the_file_that_is_there(client: Client, tmp_path: Path) -> None:
    first = ask(client, "kro-ls/previewTest")
    added = {"uri": URI, "file": "file:///work/rgd.test.yaml", "text": first["text"], "scenario": {"notReady": ["db"]}}
    second = client.request("kro-ls/previewTest", added)
    third = client.request("kro-ls/previewTest", {**added, "text": second["text"]})
    assert third["text"].startswith(first["text"])
    (tmp_path / "rgd.yaml").write_text(TEXT)
    (tmp_path / "rgd.test.yaml").write_text(third["text"])
    results = list(run_file(tmp_path / "rgd.test.yaml", tmp_path, update=False))
    assert [each.name for each in results] == [
        "a sample instance becomes ACTIVE",
        "a sample instance and db held back stays IN_PROGRESS",
        "a sample instance and db held back stays IN_PROGRESS (2)",
    ]
    assert [each.messages for each in results] == [(), (), ()]
    elsewhere = client.request("kro-ls/previewTest", {"uri": URI, "file": "file:///work/tests/deep/a.test.yaml"})
    assert elsewhere["text"].startswith("definition: ../../rgd.yaml\n")
    of_another = "definition: a.yaml\ntests: []\n---\n"
    both = client.request("kro-ls/previewTest", {**added, "text": of_another + first["text"]})
    assert both["text"] == of_another + second["text"]
    other = client.exchange("kro-ls/previewTest", {**added, "text": "definition: other.yaml\ntests: [{name: a}]\n"})
    assert "is no test file of rgd.yaml" in other["error"]["message"]


def test_a_definition_that_kro_refuses_has_no_test(client: Client) -> None:
    client.open(TEXT.replace("${db.status.host}", "${bd.status.host}"), "file:///work/refused.yaml")
    answer = client.exchange("kro-ls/previewTest", {"uri": "file:///work/refused.yaml"})
    assert "kro refuses this: 1 error" in answer["error"]["message"]


def _opened_page(client: Client) -> str:
    """Open the preview as a page, and return its address."""
    found = client.exchange("workspace/executeCommand", {"command": "kro.openPreview", "arguments": [{"uri": URI}]})
    if "not in this copy" in str(found.get("error")):
        pytest.skip("the views are not built: run scripts/views build")
    return str(found["result"]["url"])


def test_a_page_follows_the_text_and_gives_a_test(client: Client) -> None:
    browser = Browser(_opened_page(client))
    with browser.talk(browser.enter()) as page:

        def until(is_awaited: Callable[[Any], bool]) -> Any:
            # The server may send a preview once more of its own accord, as when other kinds became known.
            while not is_awaited(message := json.loads(page.recv(10))):
                pass
            return message

        def send(**message: object) -> None:
            page.send(json.dumps(message))

        send(type="preview", scenario={"notReady": ["db"]})
        shown = until(lambda message: message["type"] == "preview" and message["preview"]["state"] == "IN_PROGRESS")[
            "preview"
        ]
        assert shown["nodes"][1]["reason"] == "held back by the scenario"
        assert shown["schema"]["properties"]["name"] == {"type": "string"}
        assert shown["instanceValue"]["kind"] == "App"
        send(type="test", scenario={"notReady": ["db"]})
        assert "db held back stays IN_PROGRESS" in until(lambda message: message["type"] == "text")["text"]
        send(type="test", scenario={"notReady": ["x"]})
        assert "no node has the id 'x'" in until(lambda message: message["type"] == "problem")["message"]
        instance = "apiVersion: kro.run/v1alpha1\nkind: App\nmetadata: {name: a}\nspec: {name: mine}\n"
        client.open(instance, "file:///mine.yaml")
        mine = "file:///mine.yaml"  # one that is listed may not be the one that is shown yet
        shown = until(lambda message: message["type"] == "preview" and message["preview"]["instance"]["uri"] == mine)[
            "preview"
        ]
        assert shown["instances"] == [{"uri": mine, "label": "mine.yaml"}]


def test_a_test_that_a_page_asks_for_comes_though_the_preview_changes_meanwhile(client: Client) -> None:
    browser = Browser(_opened_page(client))
    with browser.talk(browser.enter()) as page:
        for number in range(10):
            scenario = {"notReady": ["db"] if number % 2 else []}
            page.send(json.dumps({"type": "preview", "scenario": scenario}))
            page.send(json.dumps({"type": "test", "scenario": scenario}))
        tests = 0
        while tests < 10:
            message = json.loads(page.recv(10))
            assert message["type"] != "problem", message
            tests += message["type"] == "text"


def test_pages_on_one_definition_do_not_disturb_each_other(client: Client) -> None:
    first = _opened_page(client)
    again = client.request("workspace/executeCommand", {"command": "kro.openPreview", "arguments": [{"uri": URI}]})
    one, other = Browser(first), Browser(again["url"])
    with one.talk(one.enter()) as page, other.talk(other.enter()) as second:
        for each, scenario in ((page, {"notReady": ["db"]}), (second, {"without": ["settings"]})):
            each.send(json.dumps({"type": "preview", "scenario": scenario}))
        for each, reason in ((page, "held back by the scenario"), (second, "not found in the cluster")):
            while reason not in each.recv(10):
                pass


def test_the_chosen_instance_is_one_of_those_listed(tmp_path: Path) -> None:
    (tmp_path / "mine (1).yaml").write_text("apiVersion: kro.run/v1alpha1\nkind: App\nmetadata: {name: a}\nspec: {}\n")
    folder = tmp_path.as_uri()
    with Client() as client:
        client.initialize(rootUri=folder)
        client.open(TEXT, f"{folder}/rgd.yaml")
        params = {"uri": f"{folder}/rgd.yaml"}
        while not client.request("kro-ls/preview", params)["instances"]:
            pass
        # Clients do not agree on which characters are escaped.
        chosen = {**params, "instance": f"{folder}/mine%20(1).yaml"}
        client.request("workspace/executeCommand", {"command": "kro.chooseInstance", "arguments": [chosen]})
        found = client.request("kro-ls/preview", params)
        assert [each["uri"] for each in found["instances"]] == [found["instance"]["uri"]]


def test_a_test_names_the_files_that_the_kinds_of_other_definitions_are_made_of(tmp_path: Path) -> None:
    crd = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "buckets.example.com"},
        "spec": {
            "group": "example.com",
            "names": {"kind": "Bucket", "plural": "buckets"},
            "scope": "Namespaced",
            "versions": [
                {
                    "name": "v1",
                    "served": True,
                    "storage": True,
                    "schema": {
                        "openAPIV3Schema": {
                            "type": "object",
                            "properties": {
                                "status": {"type": "object", "properties": {"policyARN": {"type": "string"}}},
                            },
                        }
                    },
                }
            ],
        },
    }
    bucket = "{id: bucket, template: {apiVersion: example.com/v1, kind: Bucket, metadata: {name: b}}}"
    store = f"""\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {{name: store}}
spec:
  schema: {{apiVersion: v1alpha1, kind: Store, spec: {{}}, status: {{policyARN: "${{bucket.status.policyARN}}"}}}}
  resources:
    - {bucket}
"""
    shop = store.replace("name: store", "name: shop").replace("Store", "Shop").replace(bucket, "")
    shop = (
        shop.replace('policyARN: "${bucket', 'policyARN: "${store')
        + """\
 {id: store, template: {apiVersion: kro.run/v1alpha1, kind: Store, metadata: {name: s}}}
"""
    )
    shop = shop.replace("    - \n {id", "    - {id")
    for name, text in (("buckets.yaml", json.dumps(crd)), ("store.yaml", store), ("shop.yaml", shop)):
        (tmp_path / name).write_text(text)
    uri = (tmp_path / "shop.yaml").as_uri()
    with Client() as session:
        session.initialize(workspaceFolders=[{"uri": tmp_path.as_uri(), "name": "w"}])
        session.open(shop, uri)
        deadline = time.monotonic() + 60
        while (
            "store.yaml" not in (saved := session.request("kro-ls/previewTest", {"uri": uri, "scenario": {}}))["text"]
        ):
            assert time.monotonic() < deadline, "the files of the workspace were not read"
            time.sleep(0.05)
    (tmp_path / saved["title"]).write_text(saved["text"])
    assert "crds:\n- store.yaml\n- buckets.yaml\n" in saved["text"]
    (result,) = run_file(tmp_path / saved["title"], tmp_path, update=False)
    assert result.messages == ()
