"""`kro-ls test --update`: what tests expect is rewritten to what was found."""

from __future__ import annotations

import json
import os
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from tests.cli.test_preview import APP, INSTANCE
from tests.fixtures.processes import Invoke

WRONG = """\
# What the shop needs.
definition: app.yaml
tests:
  # Three replicas, and no more.
  - name: wrong
    instance: shop.yaml
    expect:
      state: ERROR # never seen
      nodes: {deployment: 'waiting', ingress: "ignored"}
      objects:
        deployment: {spec: {replicas: 4}, kind: Deployment} # as in production
      status:
        # counted by Kubernetes
        ready: 4
  - name: right
    instance: shop.yaml
    expect: {state: ACTIVE}
"""
RIGHT = (
    WRONG.replace("state: ERROR", "state: ACTIVE")
    .replace("'waiting'", "'ready'")
    .replace("replicas: 4", "replicas: 3")
    .replace("ready: 4", "ready: 3")
)
TEST = Path("app.test.yaml")


@pytest.fixture(autouse=True)
def files(tmp_path: Path) -> None:
    (tmp_path / "app.yaml").write_text(APP)
    (tmp_path / "shop.yaml").write_text(INSTANCE)


def test_what_is_contradicted_is_rewritten_and_nothing_else(invoke: Invoke) -> None:
    TEST.write_text(WRONG)
    result = invoke("test", ".", "--update")
    assert TEST.read_text() == RIGHT
    assert result.exit_code == 0
    assert (
        result.stdout
        == """\
UPDATED app.test.yaml: wrong
  @@ -8,2 +8,2 @@
  -      state: ERROR # never seen
  -      nodes: {deployment: 'waiting', ingress: "ignored"}
  +      state: ACTIVE # never seen
  +      nodes: {deployment: 'ready', ingress: "ignored"}
  @@ -11 +11 @@
  -        deployment: {spec: {replicas: 4}, kind: Deployment} # as in production
  +        deployment: {spec: {replicas: 3}, kind: Deployment} # as in production
  @@ -14 +14 @@
  -        ready: 4
  +        ready: 3
PASS app.test.yaml: right
1 passed, 0 failed, 1 updated
"""
    )
    assert invoke("test", ".").exit_code == invoke("test", ".", "--update").exit_code == 0
    assert TEST.read_text() == RIGHT


def test_without_update_nothing_is_written(invoke: Invoke) -> None:
    TEST.write_text(WRONG)
    assert invoke("test", ".").exit_code == 1
    assert TEST.read_text() == WRONG


def test_line_ends_stay(invoke: Invoke) -> None:
    TEST.write_bytes(WRONG.replace("\n", "\r\n").encode())
    assert invoke("test", ".", "--update").exit_code == 0
    assert TEST.read_bytes() == RIGHT.replace("\n", "\r\n").encode()


def test_every_document_and_every_test_of_a_file_is_updated(invoke: Invoke) -> None:
    two = WRONG.replace("{state: ACTIVE}", "{state: ERROR}")
    TEST.write_text(f"{two}---\n{WRONG}")
    assert invoke("test", ".", "--update").stdout.endswith("1 passed, 0 failed, 3 updated\n")
    assert TEST.read_text() == f"{RIGHT}---\n{RIGHT}"


def test_reports_of_an_update(invoke: Invoke) -> None:
    TEST.write_text(WRONG)
    result = invoke("test", ".", "--update", "--format", "json", "--junit", "report.xml")
    first, second = json.loads(result.stdout)["results"]
    assert (first["messages"], first["updated"], second["updated"]) == ([], True, False)
    assert "+        ready: 3" in first["changes"]
    root = ElementTree.fromstring(Path("report.xml").read_text())
    assert [suite.get("failures") for suite in root] == ["0"]


def test_a_refused_instance_is_not_made_an_expectation(invoke: Invoke) -> None:
    refused = WRONG.replace("instance: shop.yaml", "instance: small.yaml", 1)
    TEST.write_text(refused)
    Path("small.yaml").write_text(INSTANCE.replace("3", "0"))
    result = invoke("test", ".", "--update")
    assert (result.exit_code, TEST.read_text()) == (1, refused)
    assert "expected no error, found spec.replicas: '0' is not allowed" in result.stdout


def test_expected_refusals_are_updated(invoke: Invoke) -> None:
    instance = "{apiVersion: kro.run/v1alpha1, kind: App, metadata: {name: a}, spec: {replicas: 0}}"
    TEST.write_text(
        f"definition: app.yaml\ntests:\n- name: refused\n  instance: {instance}\n  expect: {{errors: [at most 9]}}\n"
    )
    assert invoke("test", ".", "--update").exit_code == 0
    assert "greater than or equal to 1" in TEST.read_text()
    assert invoke("test", ".").exit_code == 0


def test_a_faulty_file_stays_as_it_is(invoke: Invoke) -> None:
    faulty = WRONG.replace("deployment: 'waiting'", "deploy: 'waiting'")
    TEST.write_text(faulty)
    result = invoke("test", ".", "--update")
    assert (result.exit_code, TEST.read_text()) == (2, faulty)
    assert "unknown node 'deploy'" in result.stdout


def test_an_anchor_that_others_use_is_not_changed(invoke: Invoke) -> None:
    shared = WRONG.replace("state: ERROR", "state: &state ERROR").replace("{state: ACTIVE}", "{state: *state}")
    TEST.write_text(shared)
    result = invoke("test", ".", "--update")
    assert result.exit_code == 1
    assert "this cannot be updated: an anchor, a merge key or a tag is in the way" in result.stdout
    assert TEST.read_text() == shared.replace("*state", "ACTIVE")  # an alias is a separate value


def test_a_test_file_is_not_written_through_a_link(invoke: Invoke, tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real/app.test.yaml").write_text(
        WRONG.replace(": app.yaml", ": ../app.yaml").replace(": shop", ": ../shop")
    )
    before = (tmp_path / "real/app.test.yaml").read_text()
    TEST.symlink_to("real/app.test.yaml")
    Path("linked").symlink_to("real")
    for place in ("app.test.yaml", "linked/app.test.yaml"):
        result = invoke("test", place, "--root", ".", "--update")
        assert result.exit_code != 0
        assert "UPDATED" not in result.stdout
        assert (tmp_path / "real/app.test.yaml").read_text() == before
    assert os.path.islink(TEST)


def test_standard_input_is_not_updated(invoke: Invoke) -> None:
    result = invoke("test", "-", "--update", stdin=WRONG)
    assert result.exit_code == 1
    assert "this cannot be updated: the test file is standard input" in result.stdout


def test_a_file_that_cannot_be_written_is_reported(invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    TEST.write_text(WRONG)
    access = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK and access(path, mode))
    result = invoke("test", ".", "--update")
    assert (result.exit_code, TEST.read_text()) == (1, WRONG)
    assert "this cannot be updated: permission denied; make it writable" in result.stdout


def test_a_folder_without_tests_is_said_in_one_line(invoke: Invoke) -> None:
    TEST.write_text("definition: app.yaml\ntests: []\n")
    result = invoke("test", ".")
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", "no test found\n")
