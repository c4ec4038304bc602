"""`check --kro-version`, `.kro-ls.yaml` and `upgrade`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fixtures.definitions import rgd_around
from tests.fixtures.processes import GOOD, Invoke

CLUSTER = rgd_around("schema:\n  apiVersion: v1\n  kind: App\n  scope: Cluster\n  spec: {}\n")
OLD = rgd_around("schema:\n  apiVersion: v1\n  kind: App\n  spec: {}\n  status: {a: string}\nresources: []\n")


def test_one_version_is_checked(invoke: Invoke) -> None:
    Path("app.yaml").write_text(CLUSTER)
    assert invoke("check", "app.yaml", "--kro-version", "0.9").exit_code == 0
    refused = invoke("check", "app.yaml", "--kro-version", "0.8.5")
    assert refused.exit_code == 1
    assert "error[newer-kro-needed]: 'scope' needs kro 0.9.0" in refused.stdout


def test_several_versions_give_a_table_and_the_reasons(invoke: Invoke) -> None:
    Path("app.yaml").write_text(CLUSTER)
    Path("good.yaml").write_text(GOOD)
    result = invoke("check", ".", "--kro-version", "0.7.1,0.8.5,0.9.4")
    assert result.exit_code == 1
    assert [line.split() for line in result.stdout.splitlines()[:3]] == [
        ["0.7.1", "0.8.5", "0.9.4"],
        ["app.yaml", "refused", "refused", "accepted"],
        ["good.yaml", "accepted", "accepted", "accepted"],
    ]
    assert "refused by kro 0.7.1, 0.8.5" in result.stdout
    assert invoke("check", "good.yaml", "--kro-version", "0.8,0.9").exit_code == 0


def test_a_table_is_text(invoke: Invoke) -> None:
    Path("good.yaml").write_text(GOOD)
    result = invoke("check", "good.yaml", "--kro-version", "0.8,0.9", "--format", "json")
    assert (result.exit_code, "compared in a table" in result.stderr) == (2, True)


def test_an_unknown_version_is_wrong_usage(invoke: Invoke) -> None:
    Path("good.yaml").write_text(GOOD)
    result = invoke("check", "good.yaml", "--kro-version", "1.0")
    assert (result.exit_code, "unknown version of kro '1.0'" in result.stderr) == (2, True)


def test_a_project_file_decides_unless_the_option_does(invoke: Invoke) -> None:
    Path("app.yaml").write_text(CLUSTER)
    Path(".kro-ls.yaml").write_text("version: 0.8.5\n")
    assert invoke("check", "app.yaml").exit_code == 1
    assert invoke("check", "app.yaml", "--kro-version", "0.9.4").exit_code == 0
    Path(".kro-ls.yaml").write_text("version: 9\n")
    broken = invoke("check", "app.yaml")
    assert (broken.exit_code, ".kro-ls.yaml: line 1: unknown version of kro '9'" in broken.stderr) == (2, True)


def test_an_upgrade_is_shown_or_written(invoke: Invoke) -> None:
    Path("old.yaml").write_text(OLD)
    shown = invoke("upgrade", "old.yaml", "--to", "0.9", "--diff")
    assert (shown.exit_code, Path("old.yaml").read_text()) == (0, OLD)
    assert "-    status: {a: string}" in shown.stdout
    written = invoke("upgrade", "old.yaml", "--to", "0.9")
    assert written.exit_code == 0
    assert "1 changed, kro 0.9.4 accepts it" in written.stdout
    assert "status" not in Path("old.yaml").read_text()
    assert invoke("check", "old.yaml").exit_code == 0


def test_a_file_that_cannot_be_upgraded_does_not_stop_the_others(
    invoke: Invoke, tmp_path_factory: pytest.TempPathFactory
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "b.yaml"
    for path in (Path("a.yaml"), elsewhere, Path("c.yaml")):
        path.write_text(OLD)
    Path("b.yaml").symlink_to(elsewhere)
    Path("d.yaml").symlink_to("c.yaml")
    result = invoke("upgrade", ".", "b.yaml", "--to", "0.9")
    assert result.exit_code == 2
    assert elsewhere.read_text() == OLD
    assert all("status" not in Path(name).read_text() for name in ("a.yaml", "c.yaml"))
    assert result.stderr.startswith(f"error: b.yaml: it leads to {elsewhere}, outside of what was named")
    assert result.stderr.count("error: ") == 1
    assert "b.yaml: 1 changed" not in result.stdout
    assert invoke("upgrade", ".", "--to", "0.9", "--diff").exit_code == 0, "nothing is written then"


def test_line_endings_stay_in_an_upgrade(invoke: Invoke) -> None:
    for name in ("old.yaml", "crlf.yaml"):
        Path(name).write_bytes((OLD if name == "old.yaml" else OLD.replace("\n", "\r\n")).encode())
        assert invoke("upgrade", name, "--to", "0.9").exit_code == 0
    assert Path("crlf.yaml").read_bytes().replace(b"\r\n", b"\n") == Path("old.yaml").read_bytes()
    assert Path("crlf.yaml").read_bytes().count(b"\n") == Path("crlf.yaml").read_bytes().count(b"\r\n")


def test_an_upgrade_lists_what_is_left(invoke: Invoke) -> None:
    Path("app.yaml").write_text(CLUSTER)
    result = invoke("upgrade", "app.yaml", "--to", "0.8.5")
    assert result.exit_code == 1
    assert "left: 'scope' needs kro 0.9.0" in result.stdout
    assert Path("app.yaml").read_text() == CLUSTER


def test_an_upgrade_gives_the_choices_and_shows_dropped_words(invoke: Invoke) -> None:
    fields = "{a: string | default=IRSA role, b: 'string | default=\"x', c: strin}"
    Path("app.yaml").write_text(rgd_around(f"schema:\n  apiVersion: v1\n  kind: App\n  spec: {fields}\n"))
    result = invoke("upgrade", "app.yaml")
    assert result.exit_code == 1
    assert "Leave out 'role', as kro before 0.9.0 did: " in result.stdout
    assert "choices: Change to 'string'" in result.stdout
    assert "{a: string | default=IRSA, b:" in Path("app.yaml").read_text()


def test_an_upgrade_from_a_version_that_refuses_the_file_changes_nothing(invoke: Invoke) -> None:
    text = rgd_around("schema:\n  apiVersion: v1\n  kind: App\n  spec: {a: string | required}\n")
    Path("app.yaml").write_text(text)
    refused = invoke("upgrade", "app.yaml", "--from", "0.9.0")
    assert (refused.exit_code, Path("app.yaml").read_text()) == (1, text)
    assert "not changed: kro 0.9.0 refuses it" in refused.stdout
    assert invoke("upgrade", "app.yaml", "--from", "0.8").exit_code == 0


def test_each_version_finds_expressions_in_its_own_way(invoke: Invoke) -> None:
    data = "data: {text: \"${'}' + schema.metadata.name}\"}"
    Path("app.yaml").write_text(GOOD + f"        {data}\n", encoding="utf-8")
    assert "refused   accepted" in invoke("check", "app.yaml", "--kro-version", "0.9.4,0.10").output


def test_an_upgrade_of_a_folder_without_definitions_says_so(invoke: Invoke, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "values.yaml").write_text("a: 1\n")
    result = invoke("upgrade", "empty")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "no ResourceGraphDefinition found\n")
