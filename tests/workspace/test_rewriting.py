"""Files of the user are replaced in one step, or left as they are."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from kro_ls.workspace import rewriting
from kro_ls.workspace.rewriting import UnwritableFileError, rewrite, write

OLD, NEW = "\ufeffa: 1\r\nb: é\n", "\ufeffa: 2\r\nb: é\n"

without_permissions = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="permissions do not hold for this user"
)
for_root = pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root may give files away")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "rgd.yaml"
    path.write_bytes(OLD.encode())
    return path


def left(file: Path, content: str = OLD) -> bool:
    """Whether a file has a content, and nothing else is in its folder."""
    return file.read_bytes() == content.encode() and os.listdir(file.parent) == [file.name]


def fails(file: Path, reason: str, before: str = OLD) -> None:
    with pytest.raises(UnwritableFileError, match=reason):
        rewrite(file, before, NEW, [file.parent])


def test_the_bytes_are_those_of_the_text(file: Path) -> None:
    rewrite(file, OLD, NEW, [file.parent])
    assert left(file, NEW)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such modes")
@pytest.mark.parametrize("mode", [0o600, 0o664, 0o755, 0o4755])
def test_the_mode_stays(file: Path, mode: int) -> None:
    file.chmod(mode)
    rewrite(file, OLD, NEW, [file.parent])
    assert stat.S_IMODE(file.stat().st_mode) == mode


@for_root
def test_the_owner_stays(file: Path) -> None:
    os.chown(file, 1234, 4321)
    rewrite(file, OLD, NEW, [file.parent])
    assert (file.stat().st_uid, file.stat().st_gid) == (1234, 4321)


def test_an_owner_that_cannot_be_kept_is_not_replaced(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Other:
        st_uid, st_gid = 1234, 4321

    def refuse(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "chown", refuse, raising=False)
    stats = [Other(), file.stat()]
    with monkeypatch.context() as patch:
        patch.setattr(Path, "stat", lambda *_, **__: stats.pop(0))
        patch.setattr(Path, "exists", lambda *_: True)
        patch.setattr(Path, "is_file", lambda *_: True)
        fails(file, "its owner or group")
    assert left(file)


@pytest.mark.skipif(not hasattr(os, "setxattr"), reason="there are no extended attributes")
def test_extended_attributes_stay(file: Path) -> None:
    try:
        os.setxattr(file, "user.note", b"kept")
    except OSError:
        pytest.skip("the file system has no extended attributes")
    rewrite(file, OLD, NEW, [file.parent])
    assert os.getxattr(file, "user.note") == b"kept"


def test_a_file_is_newer_after_it_was_rewritten(file: Path) -> None:
    os.utime(file, (1, 1))
    rewrite(file, OLD, NEW, [file.parent])
    assert file.stat().st_mtime > 1


def test_a_link_stays_one_and_its_file_is_replaced(file: Path) -> None:
    link = file.parent / "link.yaml"
    link.symlink_to(file.name)
    rewrite(link, OLD, NEW, [file.parent])
    assert link.is_symlink()
    assert (link.read_bytes(), sorted(os.listdir(file.parent))) == (NEW.encode(), ["link.yaml", "rgd.yaml"])


def test_a_link_that_leads_elsewhere_is_not_followed(file: Path) -> None:
    (file.parent / "named").mkdir()
    link = file.parent / "named" / "link.yaml"
    link.symlink_to("../rgd.yaml")
    with pytest.raises(UnwritableFileError, match=r"rgd\.yaml, outside of what was named"):
        rewrite(link, OLD, NEW, [link.parent])
    assert file.read_bytes() == OLD.encode()


@pytest.mark.parametrize("content", [f"{OLD}c: 3\n", "", OLD.replace("\r\n", "\n"), "\xff"])
def test_what_another_program_wrote_is_not_lost(file: Path, content: str) -> None:
    file.write_bytes(content.encode("latin-1", "ignore"))
    now = file.read_bytes()
    fails(file, "another program changed it")
    assert (file.read_bytes(), os.listdir(file.parent)) == (now, [file.name])


def test_what_is_written_during_the_rewriting_is_not_lost(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sync = os.fsync

    def append(descriptor: int) -> None:
        sync(descriptor)
        with file.open("ab") as appended:
            appended.write(b"c: 3\n")

    monkeypatch.setattr(os, "fsync", append)
    fails(file, "another program changed it")
    assert left(file, f"{OLD}c: 3\n")


def test_a_file_that_is_gone_stays_gone(file: Path) -> None:
    file.unlink()
    fails(file, "another program changed it")
    assert os.listdir(file.parent) == []


@pytest.mark.parametrize("method", ["fsync", "replace"])
@pytest.mark.parametrize(
    "error", [OSError(28, "No space left on device"), PermissionError(13, "no"), KeyboardInterrupt()]
)
def test_a_failure_leaves_the_file_and_nothing_else(
    file: Path, method: str, error: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(*{"fsync": (os, "fsync", fail), "replace": (Path, "replace", fail)}[method])
    with pytest.raises(UnwritableFileError if isinstance(error, OSError) else type(error)):
        rewrite(file, OLD, NEW, [file.parent])
    assert left(file)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such limit")
def test_a_write_that_is_cut_short_leaves_the_file_and_nothing_else(file: Path) -> None:
    import resource

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

    code = (
        "import sys; from pathlib import Path; from kro_ls.workspace.rewriting import *\n"
        "path = Path(sys.argv[1]); text = path.read_bytes().decode()\n"
        "try:\n    rewrite(path, text, text * 300, [path.parent])\n"
        "except UnwritableFileError as error:\n    print(error)\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code, str(file)], preexec_fn=limit, capture_output=True, text=True, check=True
    )
    assert "file too large; the file is as it was" in ended.stdout
    assert left(file)


@without_permissions
@pytest.mark.parametrize("protect", [lambda file: file.chmod(0o444), lambda file: file.parent.chmod(0o555)])
def test_what_is_protected_is_not_replaced(file: Path, protect: Callable[[Path], None]) -> None:
    protect(file)
    try:
        fails(file, "permission denied; make")
    finally:
        file.parent.chmod(0o755)
    assert left(file)


def test_a_file_that_may_not_be_written_is_not_replaced(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    fails(file, "permission denied; make it writable")
    assert left(file)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no such pipes")
def test_a_pipe_is_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    fails(pipe, "not a regular file")
    assert os.listdir(tmp_path) == ["pipe"]


def test_a_text_that_no_file_can_hold_is_not_written(file: Path) -> None:
    with pytest.raises(UnwritableFileError, match="UTF-8 cannot hold"):
        rewrite(file, OLD, "\ud800", [file.parent])
    assert left(file)


def test_nobody_takes_the_temporary_file_for_a_definition() -> None:
    assert rewriting._PREFIX.startswith(".")
    assert not rewriting._SUFFIX.endswith(("yaml", "yml"))


def test_a_new_file_is_written(tmp_path: Path) -> None:
    write(tmp_path / "report.xml", "a\r\n")
    assert left(tmp_path / "report.xml", "a\r\n")


def test_a_file_is_overwritten_whatever_it_has(file: Path) -> None:
    file.chmod(0o600)
    write(file, NEW)
    assert left(file, NEW)
    assert stat.S_IMODE(file.stat().st_mode) & 0o077 == 0


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no such pipes")
def test_a_pipe_is_written_to(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()), daemon=True)
    reader.start()
    write(pipe, "a\n")
    reader.join(20)
    assert read == ["a\n"]
    assert os.listdir(tmp_path) == ["pipe"]


def test_a_folder_that_is_not_there_is_reported(tmp_path: Path) -> None:
    with pytest.raises(UnwritableFileError, match="no such file or directory"):
        write(tmp_path / "none" / "report.xml", "a")
