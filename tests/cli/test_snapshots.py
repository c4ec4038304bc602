"""The snapshots of `kro-ls test`: their content, and that no other file is read or replaced."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from kro_ls.workspace.test_snapshots import FIRST_LINE
from tests.cli.test_preview import APP, INSTANCE
from tests.fixtures.processes import Invoke

SECRET = "token: hunter2\n"


@pytest.fixture(autouse=True)
def files(tmp_path: Path) -> None:
    (tmp_path / "app.yaml").write_text(APP)
    (tmp_path / "shop.yaml").write_text(INSTANCE)


def write_test(name: str, file: Path = Path("app.test.yaml")) -> None:
    above = "../" * (len(file.parts) - 1)
    test = f"{{name: all, instance: {above}shop.yaml, expect: {{snapshot: {name!r}}}}}"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"definition: {above}app.yaml\ntests: [{test}]\n")


def test_a_snapshot_is_written_and_compared(invoke: Invoke) -> None:
    write_test("snapshots/app.snapshot.yaml")
    snapshot = Path("snapshots/app.snapshot.yaml")
    result = invoke("test", ".")
    assert result.exit_code == 1
    assert f"the snapshot {snapshot} is not there; write it with kro-ls test --update" in result.stdout
    assert not snapshot.exists()
    result = invoke("test", ".", "--update")
    assert (result.exit_code, result.stdout.splitlines()[0]) == (0, "PASS app.test.yaml: all (snapshot written)")
    written = snapshot.read_text()
    assert written.startswith(f"{FIRST_LINE}# deployment\napiVersion: apps/v1\n")
    assert written.endswith("---\n# status\nstate: ACTIVE\nready: 3\n")
    assert os.listdir("snapshots") == ["app.snapshot.yaml"]
    assert invoke("test", ".", "--update").stdout.splitlines()[0] == "PASS app.test.yaml: all"
    Path("shop.yaml").write_text(INSTANCE.replace("3", "4"))
    result = invoke("test", ".")
    assert result.exit_code == 1
    assert f"expected 'replicas: 3' in line 9 of {snapshot}, found 'replicas: 4'; accept" in result.stdout
    assert "  -  replicas: 3\n  +  replicas: 4\n" in result.stdout
    assert (invoke("test", ".", "--update").exit_code, invoke("test", ".").exit_code) == (0, 0)
    assert "  replicas: 4\n" in snapshot.read_text()


def test_line_ends_and_a_mark_do_not_matter(invoke: Invoke) -> None:
    write_test("a.snapshot.yaml")
    invoke("test", ".", "--update")
    Path("a.snapshot.yaml").write_bytes(b"\xef\xbb\xbf" + Path("a.snapshot.yaml").read_bytes().replace(b"\n", b"\r\n"))
    assert invoke("test", ".").exit_code == 0


def state_of(folder: Path) -> dict[Path, tuple[int, ...]]:
    """Return what a change of a file would change; the time of the last reading is none of it."""
    found = {path: path.lstat() for path in folder.rglob("*")}
    return {path: (each.st_mode, each.st_ino, each.st_size, each.st_mtime_ns) for path, each in found.items()}


@pytest.mark.parametrize("options", [[], ["--update"]])
@pytest.mark.parametrize(
    ("name", "message"),
    [
        (".git/hooks/pre-commit", "the name of a snapshot ends in .snapshot.yaml"),
        (".git/hooks/a.snapshot.yaml", "begins with a dot, as '.git' does"),
        ("sub/.hidden/a.snapshot.yaml", "begins with a dot, as '.hidden' does"),
        (".snapshot.yaml", "begins with a dot, as '.snapshot.yaml' does"),
        ("app.yaml", "the name of a snapshot ends in .snapshot.yaml, such as app.snapshot.yaml"),
        ("../a.snapshot.yaml", "a snapshot is in the folder of its test file, or below"),
        ("sub/../../a.snapshot.yaml", "a snapshot is in the folder of its test file, or below"),
        ("/tmp/a.snapshot.yaml", "a snapshot is in the folder of its test file, or below"),
        ("", "the name of a snapshot ends in .snapshot.yaml"),
        (".", "the name of a snapshot ends in .snapshot.yaml"),
        ("..", "a snapshot is in the folder of its test file, or below"),
        ("hook:a.snapshot.yaml", r"has no \, : or ~"),
        ("sub\\a.snapshot.yaml", r"has no \, : or ~"),
        ("GIT~1/a.snapshot.yaml", r"has no \, : or ~"),
        ("linked/a.snapshot.yaml", "not reached through a symbolic link, which 'linked' is"),
        ("link.snapshot.yaml", "not reached through a symbolic link, which 'link.snapshot.yaml' is"),
        ("dangling.snapshot.yaml", "not reached through a symbolic link, which 'dangling.snapshot.yaml' is"),
        ("foreign.snapshot.yaml", "foreign.snapshot.yaml is not a snapshot: its first line is not"),
        ("program.snapshot.yaml", "program.snapshot.yaml can be executed, so it is not a snapshot"),
        ("folder.snapshot.yaml", "folder.snapshot.yaml is not a regular file, so it is not a snapshot"),
        ("binary.snapshot.yaml", "binary.snapshot.yaml is not a snapshot"),
        ("empty.snapshot.yaml", "empty.snapshot.yaml is not a snapshot"),
    ],
)
def test_other_files_are_neither_read_nor_written(
    invoke: Invoke, tmp_path: Path, name: str, message: str, options: list[str]
) -> None:
    folder = tmp_path / "tests"
    for inner in (".git/hooks", "sub/.hidden", "other", "folder.snapshot.yaml"):
        (folder / inner).mkdir(parents=True)
    (folder / ".git/hooks/pre-commit").write_text(SECRET)
    (folder / "app.yaml").write_text(SECRET)
    (folder / "linked").symlink_to(folder / "other")
    (folder / "other/real.snapshot.yaml").write_text(FIRST_LINE + SECRET)
    (folder / "link.snapshot.yaml").symlink_to(folder / "other/real.snapshot.yaml")
    (folder / "dangling.snapshot.yaml").symlink_to(folder / "other/new.snapshot.yaml")
    (folder / "foreign.snapshot.yaml").write_text(SECRET)
    (folder / "program.snapshot.yaml").write_text(FIRST_LINE + SECRET)
    (folder / "program.snapshot.yaml").chmod(0o755)
    (folder / "binary.snapshot.yaml").write_bytes(b"\xff\0\1")
    (folder / "empty.snapshot.yaml").write_text("")
    write_test(name, Path("tests/app.test.yaml"))
    before = state_of(tmp_path)
    result = invoke("test", "tests", *options)
    assert result.exit_code == 1
    assert message in result.stdout
    assert "hunter2" not in result.output
    assert state_of(tmp_path) == before


@pytest.mark.parametrize("place", [".hidden/app.test.yaml", "linked/app.test.yaml"])
@pytest.mark.parametrize("options", [[], ["--root", "."]])
def test_the_folder_of_the_test_file_counts_too(invoke: Invoke, place: str, options: list[str]) -> None:
    Path("real").mkdir()
    Path("linked").symlink_to("real")
    write_test("a.snapshot.yaml", Path(place))
    result = invoke("test", place, "--update", *options)
    assert result.exit_code == 1
    assert "begins with a dot" in result.stdout or "symbolic link" in result.stdout
    assert not list(Path().rglob("*.snapshot.yaml"))


def test_a_root_that_is_written_otherwise(invoke: Invoke, tmp_path: Path) -> None:
    Path("real").mkdir()
    Path("linked").symlink_to("real")
    write_test("a.snapshot.yaml", Path("real/app.test.yaml"))
    for file in ("app.yaml", "shop.yaml"):
        Path("real", file).write_text(Path(file).read_text())
    Path("real/app.test.yaml").write_text(Path("real/app.test.yaml").read_text().replace("../", ""))
    assert invoke("test", "real", "--root", "linked", "--update").exit_code == 0
    test = Path("real/app.test.yaml").read_text()
    Path("real/app.test.yaml").write_text(
        test.replace("app.yaml", f"{tmp_path}/real/app.yaml").replace("shop", f"{tmp_path}/real/shop")
    )
    Path("link.test.yaml").symlink_to("real/app.test.yaml")
    result = invoke("test", "link.test.yaml", "--root", "real", "--update")
    assert result.exit_code == 1
    assert "a snapshot is in real, where tests may read, or below" in result.stdout
    assert not Path("a.snapshot.yaml").exists()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_a_pipe_is_not_waited_for(invoke: Invoke) -> None:
    os.mkfifo("a.snapshot.yaml")
    write_test("a.snapshot.yaml")
    for options in ([], ["--update"]):
        assert "a.snapshot.yaml is not a regular file" in invoke("test", ".", *options).stdout
    assert stat.S_ISFIFO(os.stat("a.snapshot.yaml").st_mode)


def test_a_file_with_the_same_content_by_a_hard_link_is_not_changed(invoke: Invoke) -> None:
    Path("hook").write_text(FIRST_LINE + "old\n")
    os.link("hook", "a.snapshot.yaml")
    write_test("a.snapshot.yaml")
    assert invoke("test", ".", "--update").exit_code == 0
    assert Path("hook").read_text() == FIRST_LINE + "old\n"
    assert "# status" in Path("a.snapshot.yaml").read_text()


def test_a_failed_write_leaves_the_snapshot_as_it_was(invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("a.snapshot.yaml").write_text(FIRST_LINE + "old\n")
    write_test("a.snapshot.yaml")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("kro_ls.workspace.rewriting.os.replace", fail)
    result = invoke("test", ".", "--update")
    assert result.exit_code == 2
    assert "a.snapshot.yaml: " in result.stdout
    assert Path("a.snapshot.yaml").read_text() == FIRST_LINE + "old\n"
    assert sorted(os.listdir()) == ["a.snapshot.yaml", "app.test.yaml", "app.yaml", "shop.yaml"]
