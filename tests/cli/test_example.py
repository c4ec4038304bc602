"""The example that `kro-ls example` writes: it works as its comments say, and nothing of the user's is overwritten."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fixtures.processes import Invoke, start

FILES = {"broken.yaml", "shop.yaml", "web-app.test.yaml", "web-app.yaml"}


@pytest.fixture(autouse=True)
def in_a_new_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_the_example_is_written_into_a_new_folder(invoke: Invoke, tmp_path: Path) -> None:
    result = invoke("example")
    assert (result.exit_code, result.stderr) == (0, "")
    assert {path.name for path in (tmp_path / "kro-example").iterdir()} == FILES
    assert "Now try:  kro-ls check kro-example" in result.stdout


def test_the_definition_the_instance_and_the_tests_have_no_fault(invoke: Invoke) -> None:
    invoke("example", "new/first")
    checked = invoke("check", "new/first/web-app.yaml", "new/first/shop.yaml")
    assert checked.exit_code == 0, checked.stdout
    shown = invoke("preview", "new/first/web-app.yaml", "--instance", "new/first/shop.yaml")
    assert shown.exit_code == 0
    assert "ACTIVE" in shown.stdout
    tested = invoke("test", "new/first")
    assert tested.exit_code == 0
    assert "2 passed, 0 failed" in tested.stdout


def test_the_broken_definition_has_a_fault_in_each_line_that_says_so(invoke: Invoke) -> None:
    invoke("example", "first")
    lines = Path("first/broken.yaml").read_text(encoding="utf-8").splitlines()
    faulty = [number for number, line in enumerate(lines, 1) if " # " in line]
    shown = invoke("check", "first/broken.yaml").stdout
    found = [int(line.split(":")[1]) for line in shown.splitlines() if line.startswith("first/broken.yaml:")]
    assert found == faulty
    assert len(found) == 4


def test_nothing_is_overwritten(invoke: Invoke) -> None:
    Path("mine").mkdir()
    Path("mine/shop.yaml").write_text("mine")
    result = invoke("example", "mine")
    assert result.exit_code == 2
    assert "mine/shop.yaml exists already; name another folder" in result.stderr
    assert [path.name for path in Path("mine").iterdir()] == ["shop.yaml"]
    assert Path("mine/shop.yaml").read_text() == "mine"


def test_a_file_where_the_folder_should_be(tmp_path: Path) -> None:
    Path("taken").write_text("")
    result = start("example", "taken", folder=tmp_path)
    assert (result.returncode, result.stderr.decode()) == (2, "Error: taken: file exists\n")


def test_a_folder_with_other_files_is_used(invoke: Invoke) -> None:
    Path("mine").mkdir()
    Path("mine/other.yaml").write_text("mine")
    assert invoke("example", "mine").exit_code == 0
    assert {path.name for path in Path("mine").iterdir()} == {*FILES, "other.yaml"}


@pytest.mark.parametrize("name", ["definition", "instance", "test", "broken"])
def test_one_file_is_printed(name: str, invoke: Invoke, tmp_path: Path) -> None:
    printed = invoke("example", "--print", name)
    assert printed.exit_code == 0
    assert list(tmp_path.iterdir()) == []
    invoke("example", "here")
    assert printed.stdout in {path.read_text(encoding="utf-8") for path in Path("here").iterdir()}


def test_a_hyphen_is_standard_output(invoke: Invoke, tmp_path: Path) -> None:
    assert invoke("example", "-").stdout == invoke("example", "--print", "definition").stdout
    assert list(tmp_path.iterdir()) == []
    checked = invoke("check", "-", stdin=invoke("example", "--print", "broken").stdout)
    assert checked.exit_code == 1
    assert "4 errors" in checked.stdout + checked.stderr
