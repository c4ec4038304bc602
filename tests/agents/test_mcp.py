"""`kro-ls mcp`: every tool, asked by a client of the SDK over standard input and output."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from kro_ls.agents.language_page import language_page
from kro_ls.agents.mcp_server import LANGUAGE
from kro_ls.agents.tool_runner import TOOLS
from tests.agents.client import Conversation, conversation
from tests.agents.test_language_page import examples
from tests.fixtures.definitions import APP, rgd, rgd_of_config_maps

WEB_APP = examples()[0].text
INSTANCE = examples()[1].text
WRONG = rgd_of_config_maps(("config", "${schema.spec.nam}"))
OLD = "apiVersion: kro.run/v1alpha1\nkind: ResourceGroup\n"
MANIFESTS = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: shop-settings}
data: {mode: quick}
---
apiVersion: v1
kind: Pod
metadata: {name: shop}
spec:
  containers:
    - name: main
      image: nginx:1.29
      envFrom: [{configMapRef: {name: shop-settings}}]
"""


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("workspace")
    outside = tmp_path_factory.mktemp("outside")
    (outside / "secret.yaml").write_text(WRONG)
    (folder / "web-app.yaml").write_text(WEB_APP)
    (folder / "shop.yaml").write_text(INSTANCE)
    (folder / "wrong").mkdir()
    (folder / "wrong/config.yaml").write_text(WRONG)
    (folder / "broken.yaml").write_text("a: [b\nc: d: e\n")
    (folder / "manifests.yaml").write_text(MANIFESTS)
    (folder / "link.yaml").symlink_to(outside / "secret.yaml")
    (folder / "away").symlink_to(outside)
    return folder


@pytest.fixture(scope="module")
def reading(root: Path) -> Iterator[Conversation]:
    with conversation(root) as talking:
        yield talking


@pytest.fixture(scope="module")
def writing(root: Path) -> Iterator[Conversation]:
    with conversation(root, "--write") as talking:
        yield talking


def test_the_tools_have_schemas_and_say_that_they_only_read(reading: Conversation) -> None:
    tools = reading.run(reading.client.list_tools()).tools
    assert [each.name for each in tools] == list(TOOLS)
    for each in tools:
        assert each.description
        assert each.annotations.read_only_hint
        assert each.output_schema["type"] == "object"
        assert all(argument.get("description") for argument in each.input_schema["properties"].values()), each.name


def test_with_write_two_tools_may_write(writing: Conversation) -> None:
    tools = writing.run(writing.client.list_tools()).tools
    assert [each.name for each in tools if not each.annotations.read_only_hint] == ["upgrade", "new"]


def test_the_page_is_a_resource_and_a_prompt(reading: Conversation) -> None:
    (content,) = reading.run(reading.client.read_resource(LANGUAGE)).contents
    assert (content.text, content.mime_type) == (language_page(), "text/markdown")
    prompt = reading.run(reading.client.get_prompt("write-definition", {"task": "a cache for each team"}))
    assert prompt.messages[0].content.text.startswith(language_page())
    assert prompt.messages[0].content.text.endswith("Your task: a cache for each team")
    assert LANGUAGE in (reading.client.instructions or "")


def test_check_a_text(reading: Conversation) -> None:
    found = reading.ask("check", text=WRONG)
    assert (found["verdict"], found["summary"], found["left_out"]) == ("refused", "error: 1", 0)
    (problem,) = found["problems"]
    assert (problem["code"], problem["severity"], problem["marked"]) == ("undefined-field", "error", "nam")
    place = problem["range"]
    assert WRONG.splitlines()[place["line"] - 1][place["column"] - 1 : place["end_column"] - 1] == "nam"
    assert problem["fixes"][0]["replacements"] == [{"range": place, "new_text": "name"}]


def test_check_files(reading: Conversation) -> None:
    assert reading.ask("check", path="web-app.yaml")["verdict"] == "accepted"
    assert reading.ask("check", path="shop.yaml")["problems"] == []
    assert reading.ask("check", path="manifests.yaml")["verdict"] == "nothing to check"
    folder = reading.ask("check", path="wrong")
    assert [(each["file"], each["code"]) for each in folder["problems"]] == [("wrong/config.yaml", "undefined-field")]


def test_the_instance_is_checked_by_the_definition_beside_it(reading: Conversation) -> None:
    found = reading.ask("check", text=f"{INSTANCE}  replicas: 21\n")
    assert [each["code"] for each in found["problems"]] == ["invalid-instance"]


def test_the_text_that_a_file_is_to_have(reading: Conversation) -> None:
    """Of the two definitions of WebApp that there are then, none takes the other's kind."""
    found = reading.ask("check", path="web-app.yaml", text=WEB_APP.replace("schema.spec.image", "schema.spec.imge"))
    problem = found["problems"][0]
    assert (problem["file"], problem["code"]) == ("web-app.yaml", "undefined-field")
    assert reading.ask("check", text=WEB_APP)["problems"] == []
    assert reading.ask("check", path="web-app.yaml", text=f"{WEB_APP}---\n{INSTANCE}")["problems"] == []


def test_a_change_on_disk_is_seen(reading: Conversation, root: Path) -> None:
    (root / "web-app.yaml").write_text(WEB_APP.replace("maximum=20", "maximum=30"))
    found = reading.ask("check", text=f"{INSTANCE}  replicas: 21\n")
    (root / "web-app.yaml").write_text(WEB_APP)
    assert found["problems"] == []


def test_a_version_of_kro(reading: Conversation) -> None:
    text = WRONG.replace("schema.spec.nam", "schema.spec.name + json.marshal(1)")
    assert reading.ask("check", text=text)["verdict"] == "accepted"
    older = reading.ask("check", text=text, kro_version="0.8.5")
    assert older["problems"][0]["code"] == "newer-kro-needed"
    assert "0.9.4" in reading.refused("check", text=text, kro_version="7.0")


def test_what_is_left_out_is_counted(reading: Conversation) -> None:
    found = reading.ask("check", text=rgd_of_config_maps(*((f"a{each}", f"x{each}${{nope}}") for each in range(80))))
    assert (len(found["problems"]), found["left_out"]) == (50, 30)
    assert len(json.dumps(found)) < 60_000


def test_answers_are_bounded(reading: Conversation) -> None:
    """However long the answer is."""
    name = "x" * 5_000
    texts = rgd_of_config_maps(*((f"a{each}", f"{name}${{schema.spec.{name}}}") for each in range(60)))
    fields = ", ".join(f"f{each}: string" for each in range(500))
    many = rgd(spec=f"{{{fields}}}")
    answers = [
        reading.ask("check", text=texts),
        reading.ask("upgrade", text=texts),
        reading.ask("preview", text=texts),
        reading.ask("diff", old_text=many, new_text=rgd()),
        reading.ask("preview", text=rgd(status="a: ${schema.spec.name}"), instance=_instance("y" * 100_000)),
        reading.ask("kind", kind="Pod", field="spec"),
    ]
    assert max(len(json.dumps(each)) for each in answers) < 80_000
    assert answers[3]["left_out"] == 490
    assert answers[4]["left_out"] == ["status"]


def _instance(name: str) -> str:
    return f"apiVersion: kro.run/v1alpha1\nkind: App\nmetadata: {{name: a}}\nspec: {{name: {name}}}\n"


def test_explain(reading: Conversation) -> None:
    (rule,) = reading.ask("explain", code="type-mismatch")["rules"]
    assert rule["wrong"]
    assert rule["right"]
    reported = reading.ask("explain", code="references unknown identifiers: [foo]")["rules"]
    assert "unresolved-reference" in {each["code"] for each in reported}
    assert "did you mean 'type-mismatch'?" in reading.refused("explain", code="type-mismach")


def test_complete(reading: Conversation) -> None:
    text = APP + "    - id: config\n      template:\n        metadata:\n          name: ${schema.spec.na"
    found = reading.ask("complete", text=text, line=text.count("\n") + 1, column=len(text.splitlines()[-1]) + 1)
    assert found["choices"][0] == {"label": "name", "detail": "string", "new_text": "name"}
    assert found["replaces"]["column"] == len("          name: ${schema.spec.") + 1


def test_hover(reading: Conversation) -> None:
    line = next(number for number, each in enumerate(WEB_APP.splitlines(), 1) if "schema.spec.replicas" in each)
    column = WEB_APP.splitlines()[line - 1].index("replicas}") + 1
    assert "integer" in reading.ask("hover", path="web-app.yaml", line=line, column=column)["markdown"]
    assert reading.ask("hover", path="web-app.yaml", line=6, column=1) == {"markdown": "", "range": None}


def test_preview(reading: Conversation) -> None:
    found = reading.ask("preview", path="web-app.yaml")
    assert (found["state"], found["settled"], found["problems"]) == ("ACTIVE", True, [])
    assert [(each["id"], each["state"]) for each in found["nodes"]][-1] == ("ingress", "ignored")
    assert [each["node"] for each in found["objects"]] == ["deployment", "service"]
    assert found["status"]["ready"] == 2
    with_host = reading.ask("preview", path="web-app.yaml", instance=f"{INSTANCE}  host: a.example.com\n")
    assert "host: a.example.com" in with_host["objects"][2]["yaml"]
    assert reading.ask("preview", path="web-app.yaml", instance="shop.yaml")["state"] == "ACTIVE"


def test_a_preview_of_what_is_refused(reading: Conversation) -> None:
    found = reading.ask("preview", text=WRONG)
    assert (found["state"], [each["code"] for each in found["problems"]]) == ("REFUSED", ["undefined-field"])
    wrong = reading.ask("preview", path="web-app.yaml", instance=f"{INSTANCE}  replicas: many\n")
    assert (wrong["state"], wrong["objects"]) == ("REFUSED", [])
    assert "spec.replicas" in wrong["errors"][0]


def test_diff(reading: Conversation) -> None:
    new = WEB_APP.replace("      image: string | default=", "      picture: string | default=").replace(
        "spec.image", "spec.picture"
    )
    found = reading.ask("diff", old_path="web-app.yaml", new_text=new)
    (kind,) = found["kinds"]
    assert (found["is_refused"], kind["kind"], kind["what"]) == (True, "WebApp", "changed")
    assert "spec.image" in {each["field"] for each in kind["breaking"]}
    assert [each["file"].endswith("shop.yaml") for each in kind["instances"]] == [True]
    assert reading.ask("diff", old_path="web-app.yaml", new_path="web-app.yaml")["kinds"] == []


def test_diff_with_a_commit(tmp_path: Path) -> None:
    git = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@example.com"]
    (tmp_path / "app.yaml").write_text(rgd(spec="{name: string, size: integer}"))
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "a"]):
        subprocess.run([*git, *command], check=True)
    (tmp_path / "app.yaml").write_text(rgd())
    with conversation(tmp_path) as talking:
        (kind,) = talking.ask("diff", old_commit="HEAD", new_path="app.yaml")["kinds"]
        assert kind["breaking"][0]["field"] == "spec.size"
        assert "nothing" in talking.refused("diff", old_commit="nothing", new_path="app.yaml")


def test_kind(reading: Conversation) -> None:
    found = reading.ask("kind", kind="deployments", field="spec.template.spec.containers")
    assert (found["api_version"], found["kind"], found["type"]) == ("apps/v1", "Deployment", "[]object")
    fields = {each["name"]: (each["type"], each["is_required"]) for each in found["fields"]}
    assert (fields["name"], fields["ports"]) == (("string", True), ("[]object", False))
    own = reading.ask("kind", kind="WebApp", field="spec")
    assert [each["name"] for each in own["fields"]] == ["image", "replicas", "host", "env"]
    assert "did you mean 'Deployment'?" in reading.refused("kind", kind="Deploymint")
    assert "did you mean 'replicas'?" in reading.refused("kind", kind="Deployment", field="spec.replica")


def test_new(reading: Conversation) -> None:
    found = reading.ask("new", paths=["manifests.yaml"], kind="Shop")
    assert (found["problems"], found["differences"], found["written_to"]) == ([], [], "")
    assert "kind: Shop" in found["text"]
    assert reading.ask("check", text=found["text"])["verdict"] == "accepted"
    variants = reading.ask("new", texts=[MANIFESTS, MANIFESTS.replace("quick", "slow")])
    assert re.search(r"mode: string", variants["text"])
    assert "kind: Task" in reading.ask("new", template="job", kind="Task")["text"]


@pytest.mark.parametrize(
    ("tool", "arguments", "reason"),
    [
        ("check", {}, "give path or text"),
        ("check", {"path": "../outside.yaml", "text": "a: b"}, "../outside.yaml is outside of the workspace folder"),
        ("check", {"path": "nothing.yaml"}, "nothing.yaml: no such file or folder; check the path"),
        ("check", {"path": "../outside.yaml"}, "../outside.yaml is outside of the workspace folder"),
        ("check", {"path": "/etc/hostname"}, "/etc/hostname is outside of the workspace folder"),
        ("check", {"path": "/dev/stdin"}, "/dev/stdin is outside of the workspace folder"),
        ("check", {"path": "link.yaml"}, "link.yaml is outside of the workspace folder"),
        ("check", {"path": "away/secret.yaml"}, "away/secret.yaml is outside of the workspace folder"),
        ("check", {"path": "a\0b"}, "a\0b is outside of the workspace folder"),
        ("check", {"text": "#" * (3 * 1024 * 1024 + 1)}, "the text has more than 3072 KiB; no definition is that long"),
        ("preview", {"path": "wrong"}, "wrong: is a folder; name a file in it"),
        ("preview", {"text": "a: b"}, "there is no ResourceGraphDefinition in the text"),
        ("preview", {"path": "web-app.yaml", "instance": "a: [b"}, "the text:1:"),
        ("preview", {"path": "web-app.yaml", "instance": "a: b"}, "the instance must be one object with apiVersion"),
        ("complete", {"path": "web-app.yaml", "line": 1000, "column": 1}, "web-app.yaml has "),
        ("diff", {"old_text": "a: b", "new_path": "web-app.yaml"}, "the text has no ResourceGraphDefinition that"),
        ("upgrade", {"path": "shop.yaml"}, "there is no ResourceGraphDefinition in shop.yaml"),
        ("new", {}, "give one of paths, texts or template"),
        ("new", {"paths": ["broken.yaml"]}, "broken.yaml:"),
        ("new", {"texts": ["a: b"]}, "an input has no Kubernetes objects"),
        ("new", {"texts": ["{{ a }}: {{ b"]}, "the text is a template: let Helm render it first"),
        ("new", {"template": "nothing"}, "there is no template 'nothing'; there are web-app"),
        ("new", {"template": "job", "kind": "a-b"}, "kind 'a-b': a kind is a word such as WebApp"),
    ],
)
def test_what_cannot_be_used_is_reported(
    reading: Conversation, tool: str, arguments: dict[str, object], reason: str
) -> None:
    assert reading.refused(tool, **arguments).startswith(reason)


def test_broken_yaml_is_checked(reading: Conversation) -> None:
    assert reading.ask("check", text=f"{WRONG}\n  a: [b\n")["verdict"] == "refused"


def test_wrong_arguments_are_reported(reading: Conversation) -> None:
    assert "line" in reading.refused("complete", path="web-app.yaml", line=0, column=1)
    assert "code" in reading.refused("explain")


def test_nothing_is_written_unless_it_is_allowed(reading: Conversation, root: Path) -> None:
    reason = "this server is read-only; write the file yourself, or start it with 'kro-ls mcp --write'"
    assert reading.refused("upgrade", path="web-app.yaml", write=True) == reason
    assert reading.refused("new", template="job", output="job.yaml") == reason
    assert not (root / "job.yaml").exists()


def test_upgrade(reading: Conversation, writing: Conversation, root: Path) -> None:
    old = rgd_of_config_maps(("config", "${self.spec.name}"))
    (root / "old.yaml").write_text(old)
    found = reading.ask("upgrade", path="old.yaml")
    assert found["text"] == old.replace("self.", "schema.")
    assert (found["left"], found["is_written"], len(found["steps"])) == ([], False, 1)
    assert (root / "old.yaml").read_text() == old
    assert writing.ask("upgrade", path="old.yaml", write=True)["is_written"]
    assert (root / "old.yaml").read_text() == old.replace("self.", "schema.")
    assert writing.refused("upgrade", text=old, write=True) == "write needs the path of a file, and no text"
    left = reading.ask("upgrade", text=WRONG)["left"]
    assert [each["code"] for each in left] == ["undefined-field"]


def test_a_new_file(writing: Conversation, root: Path) -> None:
    found = writing.ask("new", template="job", output="task.yaml")
    assert found["written_to"] == "task.yaml"
    assert (root / "task.yaml").read_text() == found["text"]
    again = writing.refused("new", template="job", output="task.yaml")
    assert again == "task.yaml exists already; name another file"
    for outside in ("../job.yaml", "away/job.yaml", "link.yaml"):
        assert "is outside of the workspace folder" in writing.refused("new", template="job", output=outside)
    assert "cannot be written" in writing.refused("new", template="job", output="no/such/folder.yaml")


def test_a_cancelled_request_does_not_stop_the_others(reading: Conversation) -> None:
    large = rgd_of_config_maps(*((f"a{each}", f"x{each}-${{nope}}") for each in range(3000)))

    async def cancelled() -> None:
        asked = [asyncio.create_task(reading.client.call_tool("check", {"text": large})) for _ in range(4)]
        await asyncio.sleep(0.5)
        for each in asked:
            each.cancel()
        await asyncio.gather(*asked, return_exceptions=True)

    reading.run(cancelled())
    assert reading.ask("check", path="web-app.yaml")["verdict"] == "accepted"


def test_a_request_that_takes_too_long_is_ended(tmp_path: Path) -> None:
    large = rgd_of_config_maps(*((f"a{each}", f"x{each}-${{nope}}") for each in range(20_000)))
    with conversation(tmp_path, "--seconds", "1") as talking:
        assert talking.refused("check", text=large).startswith("this took longer than 1 seconds and was ended")


def test_the_command_says_which_extra_is_missing(tmp_path: Path) -> None:
    blocked = f"import sys; sys.modules['mcp'] = None; sys.path.insert(0, {str(Path.cwd())!r}); "
    program = f"{blocked}sys.argv = ['kro-ls', 'mcp']; from kro_ls.__main__ import main; main()"
    found = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert found.returncode == 2
    assert "install kro-ls with the extra 'mcp'" in found.stderr


def test_no_other_command_imports_the_sdk() -> None:
    program = (
        "import sys, kro_ls.cli.check, kro_ls.cli.main, kro_ls.cli.mcp; print({'mcp', 'pydantic'} & {*sys.modules})"
    )
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert found.stdout == "set()\n"
