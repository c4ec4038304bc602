"""`kro-ls plan`: what merging a change would do, in a repository and against a cluster."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from kro_ls.cli import plan as plan_command
from kro_ls.workspace.planning import InstanceChange, Planner
from tests.fixtures.kubectl import FakeKubectl
from tests.fixtures.processes import Invoke

SHOP = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: shop
spec:
  schema:
    apiVersion: v1
    kind: Shop
    spec:
      name: string | required=true
      size: integer | default=2
  resources:
    - id: config
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: "${schema.spec.name}"}
        data: {size: "${string(schema.spec.size)}", colour: red}
    - id: web
      template:
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: "${schema.spec.name}"}
        spec:
          selector: {matchLabels: {app: "${config.metadata.name}"}}
          template:
            metadata: {labels: {app: "${config.metadata.name}", tier: web}}
            spec: {containers: [{name: web, image: "nginx:1.27"}]}
"""


def instance(name: str) -> str:
    metadata = f"metadata: {{name: {name}, namespace: team}}"
    return f"apiVersion: kro.run/v1\nkind: Shop\n{metadata}\nspec: {{name: {name}}}\n"


def edit(before: str, after: str) -> None:
    text = Path("shop.yaml").read_text()
    assert before in text
    Path("shop.yaml").write_text(text.replace(before, after))


@pytest.fixture(autouse=True)
def repository(invoke: Invoke) -> None:
    """A repository with a definition and three instances, in the working folder of `invoke`."""
    Path("shop.yaml").write_text(SHOP)
    for name in ("one", "two", "three"):
        Path(f"{name}.yaml").write_text(instance(name))
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.com"]
    for arguments in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "before"]):
        subprocess.run([*git, *arguments], check=True)


def test_nothing_changes(invoke: Invoke) -> None:
    result = invoke("plan")
    assert (result.stdout, result.exit_code) == ("Plan against HEAD: 0 of 3 instances change\n", 0)


def test_what_happens_to_all_instances_is_reported_once(invoke: Invoke) -> None:
    edit("colour: red", "colour: blue")
    result = invoke("plan", ".", "--git", "HEAD")
    assert (
        result.stdout
        == """\
Plan against HEAD: 3 of 3 instances change
  objects: 3 changed

Shop (kro.run): its resources changed, its schema did not

Shop team/one (one.yaml): 1 changed; stays ACTIVE
  the same happens to team/three, team/two
  ~ change  ConfigMap team/one (config)
      data.colour: "red" -> "blue"
"""
    )
    assert result.exit_code == 0


def test_what_is_refused_comes_first_and_fails(invoke: Invoke) -> None:
    edit("matchLabels: {app", "matchLabels: {tier: web, app")
    Path("two.yaml").unlink()
    result = invoke("plan")
    assert result.exit_code == 1
    assert "  2 instances with a change of an immutable field\n" in result.stdout
    first, last = (
        result.stdout.index("Shop team/one"),
        result.stdout.index("Shop team/two (two.yaml): deleted; 2 deleted"),
    )
    assert first < last
    reported = '  immutable: Deployment.apps "one" is invalid: spec.selector: Invalid value: {"matchLabels":'
    assert reported in result.stdout
    assert '  ! refused Deployment team/one (web)\n      spec.selector.matchLabels.tier: "web" (new)\n' in result.stdout
    assert "  order: web, then config\n" in result.stdout


def test_a_breaking_change_of_the_schema_fails_at_its_place(invoke: Invoke) -> None:
    edit("size: integer | default=2", "size: integer | default=2 maximum=3")
    result = invoke("plan")
    assert result.exit_code == 1
    assert "  1 definition refused, or breaking what exists\n" in result.stdout
    assert "  refused shop.yaml:11:7: spec.size: " in result.stdout


def test_json_has_every_instance_and_the_order(invoke: Invoke) -> None:
    edit(
        'metadata: {name: "${schema.spec.name}"}\n        data',
        'metadata: {name: "x-${schema.spec.name}"}\n        data',
    )
    edit('app: "${config.metadata.name}"', 'app: "${schema.spec.name}"')
    result = invoke("plan", "--format", "json")
    found: Any = json.loads(result.stdout)
    assert (found["against"], found["fails"], len(found["instances"])) == ("HEAD", False, 3)
    (change,) = found["instances"][0]["objects"]
    assert change == {
        "action": "replace",
        "object": "ConfigMap team/x-one",
        "node": "config",
        "pass": 1,
        "former": "ConfigMap team/one",
        "why": "another name",
        "fields": [],
    }


def test_markdown_says_in_its_first_line_whether_it_can_be_merged(invoke: Invoke) -> None:
    edit("colour: red", 'colour: "<b>@team *x*</b>"')
    result = invoke("plan", "--format", "markdown")
    lines = result.stdout.splitlines()
    assert lines[0] == "### ✅ kro: 3 of 3 instances change"
    assert "<details><summary><b>Shop team/one</b> and 2 more: 1 changed; stays ACTIVE</summary>" in lines
    assert "! change ConfigMap team/one (config)" in lines
    edit("matchLabels: {app", "matchLabels: {tier: web, app")
    result = invoke("plan", "--format", "markdown")
    assert result.stdout.startswith("### ❌ kro: 3 of 3 instances change\n")
    assert "<details open><summary>❌ <b>Shop team/one</b>" in result.stdout


def test_markdown_of_a_large_plan_fits_into_a_comment(invoke: Invoke) -> None:
    for number in range(300):
        fields = ", ".join(f"x{number}y{field}: a" for field in range(20))
        Path(f"n{number}.yaml").write_text(
            instance(f"n{number}").replace("metadata: {", f"metadata: {{labels: {{{fields}}}, ")
        )
    result = invoke("plan", "--format", "markdown")
    assert len(result.stdout) < 65_000


def test_many_instances_are_planned_in_processes(invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    edit("colour: red", "colour: blue")
    alone = invoke("plan", "--format", "json").stdout
    monkeypatch.setattr(plan_command, "_CHANGES_OF_WORKER", 1)
    monkeypatch.setattr(plan_command, "cores", lambda: 2)
    assert invoke("plan", "--format", "json").stdout == alone


@pytest.mark.parametrize(
    ("arguments", "reported"),
    [
        (("--git", "HEAD", "--cluster"), "not with both"),
        (("--dry-run",), "name it with --cluster"),
        (("--git", "nowhere"), "git knows no commit 'nowhere'"),
        (("missing",), "does not exist"),
    ],
)
def test_wrong_usage_says_what_to_do(invoke: Invoke, arguments: tuple[str, ...], reported: str) -> None:
    result = invoke("plan", *arguments)
    assert result.exit_code == 2
    assert reported in result.stderr


def test_a_folder_without_definitions_is_wrong_usage(invoke: Invoke) -> None:
    Path("empty").mkdir()
    result = invoke("plan", "empty")
    assert (result.exit_code, result.stderr) == (2, "Error: no ResourceGraphDefinition found\n")


def test_outside_of_a_repository_a_cluster_is_what_is_left(
    invoke: Invoke, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("plain")
    (folder / "shop.yaml").write_text(SHOP)
    result = invoke("plan", str(folder))
    assert result.exit_code == 2
    assert "compare with a cluster instead: --cluster" in result.stderr


LIVE = {
    "/apis/kro.run/v1alpha1/resourcegraphdefinitions": "definitions",
    "/apis/kro.run/v1/shops": "instances",
}


def kubectl(folder: Path, monkeypatch: pytest.MonkeyPatch, **lists: list[Any]) -> FakeKubectl:
    """A kubectl whose cluster has the committed definitions, and no objects."""
    from kro_ls.yaml_positions.documents.stream import parse_stream
    from kro_ls.yaml_positions.text import Text

    def value(text: str) -> Any:
        return parse_stream(Text(text)).documents[0].to_python()

    def live(one: Any) -> Any:
        kept = {name: each for name, each in one.items() if name not in ("apiVersion", "kind")}
        labels = {"kro.run/owned": "true"}
        return {**kept, "metadata": {**one["metadata"], "uid": one["metadata"]["name"], "labels": labels}}

    lists = {
        "definitions": [live(value(SHOP))],
        "instances": [live(value(instance(name))) for name in ("one", "two")],
        **lists,
    }
    answers: dict[str, Any] = {
        f"{path}?limit=500": {"items": lists[name], "metadata": {}} for path, name in LIVE.items()
    }
    fake = FakeKubectl(folder / "bin", answers)
    monkeypatch.setenv("PATH", str(folder / "bin"))
    return fake


def test_a_cluster_is_compared_with_the_files(
    invoke: Invoke, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    kubectl(tmp_path_factory.mktemp("kubectl"), monkeypatch)
    edit("colour: red", "colour: blue")
    result = invoke("plan", "--cluster")
    assert result.exit_code == 0, result.stderr
    assert "Plan against context 'test': 3 of 3 instances change\n" in result.stdout
    assert "  instances: 1 created\n" in result.stdout
    assert "Shop team/three (three.yaml): created; 2 created; ACTIVE\n" in result.stdout
    assert 'data.colour: "red" -> "blue"' in result.stdout


def test_instances_that_only_the_cluster_has_stay(
    invoke: Invoke, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    kubectl(tmp_path_factory.mktemp("kubectl"), monkeypatch)
    Path("two.yaml").unlink()
    Path("three.yaml").unlink()
    result = invoke("plan", "--cluster")
    assert (result.stdout, result.exit_code) == ("Plan against context 'test': 0 of 2 instances change\n", 0)


def test_a_dry_run_asks_about_what_would_be_written(
    invoke: Invoke, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = kubectl(tmp_path_factory.mktemp("kubectl"), monkeypatch)
    refusal = 'Error from server (Forbidden): configmaps "one" is forbidden: exceeded quota'
    fake.answers["apply"] = {'"name": "one"': refusal}
    fake.save()
    edit("colour: red", "colour: blue")
    Path("three.yaml").unlink()
    result = invoke("plan", "--cluster", "--dry-run")
    assert result.exit_code == 1
    assert "  a dry run asked the API server about 2 objects\n" in result.stdout
    assert f"  invalid: {refusal}\n" in result.stdout
    assert "! refused ConfigMap team/one (config)" in result.stdout
    assert "~ change  ConfigMap team/two (config)" in result.stdout
    (first, *_) = (each for each in fake.commands if "apply" in each)
    assert {"--server-side", "--dry-run=server", "--field-manager=kro.run/applyset"} <= set(first)


def test_without_asking_for_it_nothing_is_applied(
    invoke: Invoke, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = kubectl(tmp_path_factory.mktemp("kubectl"), monkeypatch)
    edit("colour: red", "colour: blue")
    invoke("plan", "--cluster")
    assert [each for each in fake.commands if "apply" in each] == []


def test_a_cluster_that_does_not_answer_is_reported(
    invoke: Invoke, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = kubectl(tmp_path_factory.mktemp("kubectl"), monkeypatch)
    fake.answers["/apis/kro.run/v1/shops?limit=500"] = "error: connection refused"
    fake.save()
    result = invoke("plan", "--cluster")
    assert result.exit_code == 2
    assert "connection refused; check that the cluster runs" in result.stderr


def test_what_cannot_be_planned_does_not_stop_the_others(invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    edit("colour: red", "colour: blue")
    plan = Planner.plan

    def failing(self: Planner, change: InstanceChange) -> Any:
        if change.file == "one.yaml":
            raise ValueError("a fault of ours")
        return plan(self, change)

    monkeypatch.setattr(Planner, "plan", failing)
    result = invoke("plan")
    assert result.exit_code == 1
    assert "instances of one.yaml (one.yaml)" in result.stdout
    assert "  error: not planned: ValueError: a fault of ours; please report it\n" in result.stdout
    assert "Shop team/three (three.yaml): 1 changed; stays ACTIVE\n" in result.stdout


@pytest.mark.parametrize(
    "text", ["a: &a [*a]\nkind: Shop\n", "kind: Shop\n\tx", "{{ .Values.x }}\nkind: Shop\n", "\x00"]
)
def test_odd_files_beside_instances_do_no_harm(invoke: Invoke, text: str) -> None:
    Path("odd.yaml").write_text(f"apiVersion: kro.run/v1\n{text}")
    result = invoke("plan")
    assert result.exit_code in (0, 2)
    assert "Traceback" not in result.output


def test_external_objects_are_those_of_the_cluster(
    invoke: Invoke, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = kubectl(tmp_path_factory.mktemp("kubectl"), monkeypatch)
    path = "/api/v1/namespaces/team/configmaps/settings"
    settings: Any = {"metadata": {"name": "settings", "namespace": "team"}, "data": {"colour": "green"}}
    fake.answers[path] = settings
    fake.save()
    edit("colour: red", 'colour: "${settings.data.colour}"')
    reference = "externalRef: {apiVersion: v1, kind: ConfigMap, metadata: {name: settings}}"
    edit("  resources:\n", f"  resources:\n    - id: settings\n      {reference}\n")
    result = invoke("plan", "--cluster")
    assert 'data.colour: "red" -> "green"' in result.stdout
    assert fake.asked.count(path) == 1, "one question for all instances"
    del fake.answers[path]
    fake.save()
    result = invoke("plan", "--cluster")
    assert "ACTIVE -> IN_PROGRESS" in result.stdout
    assert "  waits: " in result.stdout


def test_statuses_are_those_of_the_cluster(
    invoke: Invoke, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = kubectl(tmp_path_factory.mktemp("kubectl"), monkeypatch)
    labels = {"kro.run/instance-id": "one", "kro.run/node-id": "web"}
    web: Any = {"metadata": {"name": "one", "namespace": "team", "labels": labels}, "status": {"availableReplicas": 41}}
    path = "/apis/apps/v1/deployments?labelSelector=kro.run%2Finstance-id&limit=500"
    page: Any = {"items": [web], "metadata": {}}
    fake.answers[path] = page
    fake.save()
    edit(
        "      template:\n        apiVersion: apps/v1",
        '      readyWhen: ["${web.status.availableReplicas == 41}"]\n      template:\n        apiVersion: apps/v1',
    )
    for name in ("two", "three"):
        Path(f"{name}.yaml").unlink()
    found: Any = json.loads(invoke("plan", "--cluster", "--format", "json").stdout)
    assert {each["name"]: each["after"] for each in found["instances"]} == {
        "team/one": "ACTIVE",
        "team/two": "IN_PROGRESS",
    }


def test_a_field_that_kubectl_applied_before_goes_with_the_manifest(
    invoke: Invoke, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = {"name": "one", "size": 7}
    manifest = json.dumps({"apiVersion": "kro.run/v1", "kind": "Shop", "spec": spec})
    annotations = {"kubectl.kubernetes.io/last-applied-configuration": manifest}
    metadata = {"name": "one", "namespace": "team", "uid": "one"}
    for name in ("two", "three"):
        Path(f"{name}.yaml").unlink()
    for given, reported in (({"annotations": annotations}, "spec.size: 7 -> 2"), ({}, "0 of 1 instances change")):
        live = {"metadata": {**metadata, **given}, "spec": spec}
        kubectl(tmp_path_factory.mktemp("kubectl"), monkeypatch, instances=[live])
        assert reported in invoke("plan", "--cluster").stdout
