"""`kro-ls test`."""

from __future__ import annotations

import json
import os
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from tests.cli.test_preview import APP, INSTANCE
from tests.fixtures.processes import ERROR, Invoke

TESTS = """\
definition: app.yaml
tests:
  - name: replicas
    instance: shop.yaml
    expect:
      state: ACTIVE
      nodes: {deployment: ready, ingress: ignored}
      objects:
        deployment: {spec: {replicas: 3}}
      status: {ready: 3}
  - name: too few
    instance: {apiVersion: kro.run/v1alpha1, kind: App, metadata: {name: a}, spec: {replicas: 0}}
    expect:
      errors: [should be greater than or equal to 1]
  - name: without settings
    observed: {settings: null}
    expect:
      state: IN_PROGRESS
      nodes:
        deployment: {state: pending, reason: waits for settings}
  - name: unavailable
    notReady: [deployment]
    expect:
      nodes: {deployment: waiting}
"""
FAILING = """\
definition: app.yaml
tests:
  - name: wrong
    instance: shop.yaml
    expect:
      state: ERROR
      objects:
        deployment: {spec: {replicas: 4}}
  - name: refused
    instance:
      apiVersion: kro.run/v1alpha1
      kind: App
      metadata: {name: a}
      spec: {replicas: 0}
    expect: {}
"""


@pytest.fixture(autouse=True)
def files(tmp_path: Path) -> None:
    (tmp_path / "app.yaml").write_text(APP)
    (tmp_path / "shop.yaml").write_text(INSTANCE)


def test_passing(invoke: Invoke, tmp_path: Path) -> None:
    (tmp_path / "app.test.yaml").write_text(TESTS)
    result = invoke("test", ".")
    assert result.exit_code == 0
    assert (
        result.stdout
        == """\
PASS app.test.yaml: replicas
PASS app.test.yaml: too few
PASS app.test.yaml: without settings
PASS app.test.yaml: unavailable
4 passed, 0 failed
"""
    )


def test_failing(invoke: Invoke, tmp_path: Path) -> None:
    (tmp_path / "app.test.yaml").write_text(FAILING)
    result = invoke("test", "app.test.yaml")
    assert result.exit_code == 1
    refusal = "spec.replicas: Invalid value: 0: spec.replicas in body should be greater than or equal to 1"
    assert (
        result.stdout
        == f"""\
FAIL app.test.yaml: wrong
  app.test.yaml:6:14: expected ERROR, found ACTIVE
    |
  6 |       state: ERROR
    |              ^^^^^
  app.test.yaml:8:39: expected 4, found 3
    |
  8 |         deployment: {{spec: {{replicas: 4}}}}
    |                                       ^
FAIL app.test.yaml: refused
  app.test.yaml:15:5: expected no error, found spec.replicas: '0' is not allowed; it must be greater than or equal to 1
     |
  15 |     expect: {{}}
     |     ^^^^^^
  note: kro's message: {refusal}
  app.test.yaml:14:24: '0' is not allowed; it must be greater than or equal to 1
     |
  14 |       spec: {{replicas: 0}}
     |                        ^
0 passed, 2 failed
"""
    )


def test_junit(invoke: Invoke, tmp_path: Path) -> None:
    (tmp_path / "a.test.yaml").write_text(TESTS)
    (tmp_path / "b.test.yaml").write_text(FAILING)
    (tmp_path / "c.test.yaml").write_text("definition: app.yaml\n")
    assert invoke("test", ".", "--junit", "report.xml").exit_code == 2
    root = ElementTree.fromstring((tmp_path / "report.xml").read_text())
    counts = [[suite.get(name) for name in ("name", "tests", "failures", "errors")] for suite in root]
    assert counts == [["a.test.yaml", "4", "0", "0"], ["b.test.yaml", "2", "2", "0"], ["c.test.yaml", "1", "0", "1"]]
    failure = root.find("testsuite[2]/testcase/failure")
    assert failure is not None
    assert failure.get("message") == "b.test.yaml:6:14: expected ERROR, found ACTIVE"


def test_a_report_is_not_written_through_a_link(invoke: Invoke, tmp_path: Path) -> None:
    (tmp_path / "app.test.yaml").write_text(TESTS)
    (tmp_path / "hook").write_text("old")
    (tmp_path / "report.xml").symlink_to("hook")
    result = invoke("test", ".", "--junit", "report.xml")
    assert (result.exit_code, (tmp_path / "hook").read_text()) == (2, "old")
    assert "report.xml is a symbolic link" in result.stderr
    assert invoke("test", ".", "--junit", "/dev/stdout").exit_code == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("definition: gone.yaml\ntests: []\n", "gone.yaml"),
        ("definition: refused.yaml\ntests: []\n", "kro refuses this: "),
        (TESTS.replace("notReady", "notready"), "app.test.yaml:22:5: unknown key 'notready'; did you mean 'notReady'?"),
        (
            TESTS.replace("notReady: [deployment]", "notReady: [x]"),
            "app.test.yaml:22:16: unknown node 'x'; expected one of ",
        ),
        (
            TESTS.replace("{settings: null}", "{setting: null}"),
            "app.test.yaml:16:16: unknown node 'setting'; did you mean 'settings'?",
        ),
        (TESTS.replace("shop.yaml", "gone.yaml"), "gone.yaml"),
        ("tests: [\n", "app.test.yaml:1:8: "),
        (
            f"definition: app.yaml\ncrds: [{'., ' * 51}]\ntests: []\n",
            "app.test.yaml:2:7: 51 items are too many; at most 50 are allowed",
        ),
        ("- 1\n", "app.test.yaml:1:1: a test file must be a mapping"),
    ],
)
def test_files_that_cannot_be_run(invoke: Invoke, tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "refused.yaml").write_text(ERROR)
    (tmp_path / "app.test.yaml").write_text(text)
    result = invoke("test", "app.test.yaml")
    assert result.exit_code == 2
    assert message in result.stdout
    assert result.stdout.splitlines()[-1].endswith("1 could not be run")


def test_an_instance_is_edited(invoke: Invoke, tmp_path: Path) -> None:
    test = """\
definition: app.yaml
tests:
  - name: an edit
    instance: shop.yaml
    then: {apiVersion: kro.run/v1alpha1, kind: App, metadata: {name: shop}, spec: {replicas: REPLICAS}}
    expect: EXPECT
"""
    for replicas, expect in (("5", "{objects: {deployment: {spec: {replicas: 5}}}}"), ("0", "{errors: [equal to 1]}")):
        (tmp_path / "app.test.yaml").write_text(test.replace("REPLICAS", replicas).replace("EXPECT", expect))
        assert invoke("test", ".").exit_code == 0
    (tmp_path / "app.test.yaml").write_text(test.replace("REPLICAS", "0").replace("EXPECT", "{}"))
    assert "app.test.yaml:5:94: " in invoke("test", ".").stdout


def test_feature_gates(invoke: Invoke, tmp_path: Path) -> None:
    omitting = APP.replace("replicas: ${schema.spec.replicas}", 'replicas: "${schema.spec.ingress ? 1 : omit()}"')
    (tmp_path / "app.yaml").write_text(omitting)
    tests = TESTS.replace("replicas: 3", "replicas: null").replace("ready: 3", "ready: 1")
    (tmp_path / "app.test.yaml").write_text(tests)
    assert invoke("test", ".").exit_code == 2
    (tmp_path / "app.test.yaml").write_text(f"featureGates: [CELOmitFunction]\n{tests}")
    assert invoke("test", ".").exit_code == 0


def test_nothing_to_run(invoke: Invoke) -> None:
    result = invoke("test", ".")
    assert (result.exit_code, result.stderr) == (2, "no test found\n")
    assert invoke("test", "gone").exit_code == 2


def test_json_for_editors(invoke: Invoke, tmp_path: Path) -> None:
    (tmp_path / "b.test.yaml").write_text(FAILING)
    (tmp_path / "c.test.yaml").write_text("definition: app.yaml\n")
    result = invoke("test", ".", "--format", "json")
    report = json.loads(result.stdout)
    assert (result.exit_code, list(report)) == (2, ["results", "broken"])
    first = report["results"][0]
    assert (first["file"], first["name"], first["updated"]) == ("b.test.yaml", "wrong", False)
    assert [message.partition("\n")[0] for message in first["messages"]] == [
        "b.test.yaml:6:14: expected ERROR, found ACTIVE",
        "b.test.yaml:8:39: expected 4, found 3",
    ]
    assert [each["file"] for each in report["broken"]] == ["c.test.yaml"]


SECRET = "password: hunter2: 3\n"


@pytest.mark.parametrize("field", ["definition", "crds", "instance", "then"])
@pytest.mark.parametrize("exists", [True, False])
@pytest.mark.parametrize("by_link", [True, False])
def test_a_test_file_names_no_file_outside(
    invoke: Invoke, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, field: str, exists: bool, by_link: bool
) -> None:
    outside = tmp_path_factory.mktemp("outside") / "secret.yaml"
    if exists:
        outside.write_text(SECRET)
    name = str(outside)
    if by_link:
        (tmp_path / "link.yaml").symlink_to(outside)
        name = "link.yaml"
    definition = name if field == "definition" else "app.yaml"
    crds = f"crds: [{name}]\n" if field == "crds" else ""
    instance, then = (name if field == each else "shop.yaml" for each in ("instance", "then"))
    test = f"{{name: a, instance: {instance}, then: {then}, expect: {{state: ACTIVE}}}}"
    (tmp_path / "app.test.yaml").write_text(f"definition: {definition}\n{crds}tests:\n  - {test}\n")
    result = invoke("test", "app.test.yaml")
    assert result.exit_code == 2
    assert f"outside of {tmp_path}, where tests may read; name a wider folder with --root" in result.output
    assert "hunter2" not in result.output


def test_a_test_file_that_is_a_link_out_is_not_read(
    invoke: Invoke, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside") / "secret.yaml"
    outside.write_text(SECRET)
    (tmp_path / "app.test.yaml").symlink_to(outside)
    result = invoke("test", ".")
    assert result.exit_code == 2
    assert "hunter2" not in result.output


def test_links_in_folders_of_crds_are_not_followed_out(
    invoke: Invoke, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside") / "secret.yaml"
    outside.write_text(SECRET)
    (tmp_path / "crds").mkdir()
    (tmp_path / "crds" / "a.yaml").symlink_to(outside)
    (tmp_path / "app.test.yaml").write_text(TESTS.replace("tests:", "crds: [crds]\ntests:", 1))
    result = invoke("test", ".")
    assert result.exit_code == 2
    assert "outside of" in result.output


def test_the_user_can_widen_where_tests_read(invoke: Invoke, tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / "app.test.yaml").write_text(
        "definition: ../app.yaml\ntests:\n  - {name: a, instance: ../shop.yaml, expect: {state: ACTIVE}}\n"
    )
    assert invoke("test", "inner").exit_code == 0  # the working folder holds both
    assert invoke("test", "--root", "inner", "inner").exit_code == 2
    assert invoke("test", "--root", ".", "inner").exit_code == 0


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
@pytest.mark.parametrize("field", ["definition: pipe.yaml\ncrds: []", "definition: app.yaml\ncrds: [pipe.yaml]"])
def test_a_pipe_is_not_waited_for(invoke: Invoke, tmp_path: Path, field: str) -> None:
    os.mkfifo(tmp_path / "pipe.yaml")
    (tmp_path / "app.test.yaml").write_text(f"{field}\ntests:\n  - {{name: a, instance: shop.yaml, expect: {{}}}}\n")
    result = invoke("test", "app.test.yaml")
    assert result.exit_code == 2
    assert "neither a file nor a folder" in result.output or "a pipe, a device or a socket" in result.output
