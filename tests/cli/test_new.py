"""`kro-ls new`."""

from __future__ import annotations

from pathlib import Path

import pytest

from kro_ls.authoring.from_template import TEMPLATES
from tests.fixtures.manifests import DEPLOYMENT, INGRESS, SERVICE
from tests.fixtures.processes import Invoke

DONE = "3 objects became 3 resources and 3 schema fields; a preview gives the same objects\n"


@pytest.fixture(autouse=True)
def in_a_new_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("base").mkdir()
    for name, text in {"deployment": DEPLOYMENT, "service": SERVICE, "ingress": INGRESS}.items():
        Path("base", f"{name}.yaml").write_text(text, encoding="utf-8")


@pytest.mark.parametrize("template", TEMPLATES)
@pytest.mark.parametrize("kind", ["", "Something"])
def test_each_template_has_no_fault_and_becomes_active(invoke: Invoke, template: str, kind: str) -> None:
    result = invoke("new", "--template", template, *(("--kind", kind) if kind else ()), "-o", "new.yaml")
    assert (result.exit_code, result.stdout) == (0, "")
    checked = invoke("check", "new.yaml", "--show", "hint")
    assert checked.exit_code == 0
    assert "0 errors, 0 warnings" in checked.stdout
    shown = invoke("preview", "new.yaml")
    assert shown.exit_code == 0
    if kind:
        assert shown.stdout.startswith("Something ")
        assert "  name: something\n" in Path("new.yaml").read_text(encoding="utf-8")


def test_a_folder_becomes_a_definition(invoke: Invoke) -> None:
    result = invoke("new", "--from", "base", "--plain", "-o", "shop.yaml", "--instances", "instances.yaml")
    assert (result.exit_code, result.stderr) == (
        0,
        f"{DONE}shop.yaml is written. Now try:  kro-ls preview shop.yaml\n",
    )
    assert invoke("check", "shop.yaml", "instances.yaml").exit_code == 0
    assert "ACTIVE" in invoke("preview", "shop.yaml", "--instance", "instances.yaml").stdout


def test_several_paths_are_one_input_and_several_options_several(invoke: Invoke) -> None:
    files = [f"base/{name}.yaml" for name in ("deployment", "service", "ingress")]
    assert invoke("new", "--from", *files).stderr == DONE
    Path("prod.yaml").write_text(DEPLOYMENT.replace("replicas: 2", "replicas: 9"), encoding="utf-8")
    result = invoke("new", "--from", files[0], "--from", "prod.yaml", "--plain")
    assert result.exit_code == 0
    assert "    spec:\n      replicas: integer | default=2\n  resources:" in result.stdout


def test_manifests_come_from_standard_input(invoke: Invoke) -> None:
    result = invoke("new", "--from", "-", stdin=f"{DEPLOYMENT}---\n{SERVICE}---\n{INGRESS}")
    assert (result.exit_code, result.stderr) == (0, DONE)
    assert "# names Service 'shop'" in result.stdout


def test_the_values_of_a_chart_are_fields(invoke: Invoke) -> None:
    Path("values.yaml").write_text("replicaCount: 2\n", encoding="utf-8")
    Path("values.schema.json").write_text(
        '{"properties": {"replicaCount": {"type": "integer", "description": "How many"}}}', encoding="utf-8"
    )
    options = ("--values", "values.yaml", "--values-schema", "values.schema.json")
    result = invoke("new", "--from", "base", *options)
    assert 'replicaCount: integer | default=2 description="How many"\n' in result.stdout


def test_what_is_left_to_do_is_said(invoke: Invoke) -> None:
    service = SERVICE.replace("port: 80", "port: 0")
    result = invoke("new", "--from", "-", stdin=service)
    assert result.exit_code == 1
    assert "became 1 resource" in result.stderr
    assert "[refused-object]" in result.stderr


def test_nothing_is_overwritten(invoke: Invoke) -> None:
    Path("new.yaml").write_text("mine", encoding="utf-8")
    result = invoke("new", "--template", "job", "-o", "new.yaml")
    assert (result.exit_code, result.stderr) == (2, "Error: new.yaml exists already; name another file\n")
    assert Path("new.yaml").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((), "say what to start from: --from PATH, or --template web-app|job|namespace|aws-bucket"),
        (("--template", "job", "--from", "base"), "exclude each other"),
        (("--template", "job", "--kind", "web app"), "a kind is a word such as WebApp"),
        (("--template", "job", "--values", "v.yaml"), "belong to --from"),
        (("--from", "base", "--values-schema", "v.yaml"), "give --values as well"),
        (("--from", "base", "--from", "base", "--values", "v.yaml"), "--values belongs to one --from"),
        (("--from", "-", "--from", "-"), "standard input can be read once"),
        (("--from", "base", "--values", "base/missing.yaml"), "missing.yaml"),
        (("--from", "missing"), "missing"),
        (("--from",), "requires an argument"),
    ],
)
def test_wrong_usage(invoke: Invoke, arguments: tuple[str, ...], says: str) -> None:
    result = invoke("new", *arguments)
    assert result.exit_code == 2
    assert says in result.stderr


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a: {{ .Values.x }}\nb: [", "let Helm render it first"),
        ("a: [", "<stdin>:1:"),
        ("apiVersion: v1\nkind: Pod\nmetadata: {generateName: x-}\n", "a Pod has no metadata.name"),
        ("", "no Kubernetes objects"),
        ("just text", "no Kubernetes objects"),
    ],
)
def test_unusable_manifests(invoke: Invoke, text: str, says: str) -> None:
    result = invoke("new", "--from", "-", stdin=text)
    assert result.exit_code == 2
    assert says in result.stderr


def test_a_kustomization_is_skipped(invoke: Invoke) -> None:
    text = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [deployment.yaml]\n"
    Path("base", "kustomization.yaml").write_text(text, encoding="utf-8")
    result = invoke("new", "--from", "base")
    assert (
        result.stderr
        == "base/kustomization.yaml: skipped; 'kustomize build' shows what it makes of the others\n" + DONE
    )


def test_a_terminal_is_asked(invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kro_ls.cli.new._is_terminal", lambda: True)
    result = invoke("new", stdin="job\nno kind\nBackup\n")
    assert result.exit_code == 0
    assert "    kind: Backup\n" in result.stdout
    assert "a kind is a word" in result.stderr
