"""Test files are checked by `kro-ls check` and `kro-ls test` as in editors: every fault, at its place."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kro_ls.workspace.check import check_document
from kro_ls.workspace.documents import Document
from kro_ls.workspace.files_of_tests import FilesOfTests
from kro_ls.workspace.tested import definitions_under_test
from kro_ls.yaml_positions.text import Text
from tests.cli.test_preview import APP, INSTANCE
from tests.fixtures.processes import Invoke

FAULTY = """\
definition: app.yaml
crds: [gone]
tests:
  - name: a
    instance: nothing.yaml
    expct: {}
    expect:
      state: ACTIV
      nodes: {deploymnt: ready, ingress: redy}
      objects:
        deployment: {spec: {replica: 3, replicas: many}}
      status: {redy: 3}
  - name: b
    notReady: [settngs]
    observed: {deploymnt: {}}
    expect: {}
  - name: c
    instance: {apiVersion: kro.run/v1alpha1, kind: App, metadata: {name: a}, spec: {replicas: 0, nam: b}}
    expect: {}
"""
OF_THE_FORM = [
    ("2:8", "there is no such file or folder"),
    ("5:15", "there is no such file"),
    ("6:5", "unknown key 'expct'; did you mean 'expect'?"),
    ("8:14", "unknown state 'ACTIV'; did you mean 'ACTIVE'?"),
    ("9:15", "unknown node 'deploymnt'; did you mean 'deployment'?"),
    ("9:42", "unknown state 'redy'; did you mean 'ready'?"),
    ("11:29", "unknown field 'replica'; did you mean 'replicas'?"),
    ("11:51", "'replicas' must be an integer"),
    ("12:16", "unknown field 'redy'; did you mean 'ready'?"),
    ("14:16", "unknown node 'settngs'; did you mean 'settings'?"),
    ("15:16", "unknown node 'deploymnt'; did you mean 'deployment'?"),
]
"""The faults because of which the file is not run."""


@pytest.fixture(autouse=True)
def files(tmp_path: Path) -> None:
    (tmp_path / "app.yaml").write_text(APP)
    (tmp_path / "shop.yaml").write_text(INSTANCE)
    (tmp_path / "app.test.yaml").write_text(FAULTY)


def test_check_reports_what_the_editor_shows(invoke: Invoke, tmp_path: Path) -> None:
    def at(path: str) -> Document | None:
        return Document(path, None, Text(Path(path).read_text())) if Path(path).is_file() else None

    tested = definitions_under_test(Text(FAULTY), FilesOfTests("", at), lambda: ())
    shown = check_document(Document("app.test.yaml", 1, Text(FAULTY)).testing(tested)).diagnostics
    result = invoke("check", ".", "--format", "json")
    found = json.loads(result.stdout)
    assert result.exit_code == 1
    assert {each["path"] for each in found if each["path"] != "app.yaml"} == {"app.test.yaml"}
    assert [(each["code"], each["severity"], each["message"]) for each in found if each["path"] != "app.yaml"] == [
        (each.code, each.severity.value, each.message) for each in shown
    ]
    assert {"invalid-file", "invalid-instance", "unknown-instance-field"} <= {each["code"] for each in found}


def test_check_places_every_fault(invoke: Invoke) -> None:
    lines = invoke("check", "app.test.yaml", "--format", "concise").stdout.splitlines()
    for place, message in OF_THE_FORM:
        assert f"app.test.yaml:{place}: invalid-file {message}" in lines


def test_test_reports_every_fault_of_the_form_at_once(invoke: Invoke) -> None:
    result = invoke("test", ".")
    assert result.exit_code == 2
    placed = [line.strip() for line in result.stdout.splitlines() if line.strip().startswith("app.test.yaml:")]
    assert placed == [f"app.test.yaml:{place}: {message}" for place, message in OF_THE_FORM]
    report = json.loads(invoke("test", ".", "--format", "json").stdout)
    assert [each["message"].count("app.test.yaml:") for each in report["broken"]] == [len(OF_THE_FORM)]


def test_every_document_of_a_file_is_checked_and_run(invoke: Invoke, tmp_path: Path) -> None:
    right = "definition: app.yaml\ntests:\n  - {name: a, expect: {state: ACTIVE}}\n"
    (tmp_path / "app.test.yaml").write_text(f"{right}---\n{right.replace('state: ACTIVE', 'nodes: {ingres: ready}')}")
    shown = invoke("check", ".", "--format", "concise").stdout
    assert "app.test.yaml:7:32: invalid-file unknown node 'ingres'" in shown
    assert invoke("test", ".").exit_code == 2
    (tmp_path / "app.test.yaml").write_text(f"{right}---\n{right.replace('ACTIVE', 'ERROR')}")
    assert invoke("test", ".").stdout.endswith("1 passed, 1 failed\n")


def test_what_is_silenced_is_not_in_the_way(invoke: Invoke, tmp_path: Path) -> None:
    text = "definition: app.yaml\ntests:\n  - {name: a, expect: {status: {redy: null}}}"
    (tmp_path / "app.test.yaml").write_text(f"{text}\n")
    assert invoke("test", ".").exit_code == 2
    (tmp_path / "app.test.yaml").write_text(f"{text} # kro-ls: ignore[invalid-file]\n")
    assert invoke("test", ".").exit_code == 0
    assert "1 silenced warning" in invoke("check", "app.test.yaml").stdout


def test_a_right_test_file_counts_as_checked(invoke: Invoke, tmp_path: Path) -> None:
    (tmp_path / "app.test.yaml").write_text("definition: app.yaml\ntests: [{name: a, expect: {}}]\n")
    assert "Checked 1 file, 0 ResourceGraphDefinitions: 0 errors, 0 warnings" in invoke("check", "app.test.yaml").stdout


def test_feature_gates_of_the_tests_are_those_of_the_definition(invoke: Invoke, tmp_path: Path) -> None:
    omitting = APP.replace("replicas: ${schema.spec.replicas}", 'replicas: "${schema.spec.ingress ? 1 : omit()}"')
    (tmp_path / "app.yaml").write_text(omitting)
    tests = "definition: app.yaml\ntests: [{name: a, expect: {}}]\n"
    (tmp_path / "app.test.yaml").write_text(tests)
    assert "kro refuses this: 1 error" in invoke("check", "app.test.yaml").stdout
    (tmp_path / "app.test.yaml").write_text(f"featureGates: [CELOmitFunction]\n{tests}")
    assert invoke("check", "app.test.yaml").exit_code == 0


def test_the_definition_may_stand_in_the_repository_but_not_outside(
    invoke: Invoke, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "secret.yaml").write_text("password: hunter2\n")
    (elsewhere / "app.yaml").write_text(APP)
    (elsewhere / "tests").mkdir()
    tests = "definition: ../app.yaml\ntests: [{name: a, expect: {}}]\n"
    (elsewhere / "tests" / "app.test.yaml").write_text(tests)
    folder = str(elsewhere / "tests")
    assert "outside of the folders that are checked" in invoke("check", folder).stdout
    assert invoke("check", folder, str(elsewhere / "app.yaml")).exit_code == 0
    (elsewhere / ".git").mkdir()
    assert invoke("check", folder).exit_code == 0
    (tmp_path / "app.test.yaml").write_text(tests.replace("../app.yaml", str(elsewhere / "secret.yaml")))
    result = invoke("check", ".")
    assert "outside of the folders" in result.stdout
    assert "hunter2" not in result.stdout


def test_each_document_is_about_its_own_definition(invoke: Invoke, tmp_path: Path) -> None:
    (tmp_path / "other.yaml").write_text(APP.replace("id: settings", "id: options").replace("${settings", "${options"))
    first = "definition: app.yaml\ntests: [{name: a, observed: {settings: null}, expect: {}}]\n"
    second = "definition: other.yaml\ntests: [{name: b, observed: {options: null}, expect: {}}]\n"
    (tmp_path / "app.test.yaml").write_text(f"{first}---\n{second}")
    assert invoke("check", "app.test.yaml").exit_code == 0
    assert "2 passed" in invoke("test", ".").stdout


def test_tests_of_other_tools_are_left_alone(invoke: Invoke, tmp_path: Path) -> None:
    (tmp_path / "app.test.yaml").write_text("apiVersion: chainsaw.kyverno.io/v1alpha1\nkind: Test\nspec: {}\n")
    assert "app.test.yaml" not in invoke("check", ".").stdout
