"""Disks that are full, streams that are closed, names that no file can have: one line, a code, no traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fixtures.processes import ERROR, GOOD, Invoke, environment, run

FULL = Path("/dev/full")


def shell(script: str, folder: Path) -> subprocess.CompletedProcess[bytes]:
    """Run a line of shell in which $KRO is the command."""
    return subprocess.run(
        ["/bin/sh", "-c", script.replace("$KRO", f"{sys.executable} -m kro_ls")],
        cwd=folder,
        env=environment(),
        capture_output=True,
        check=False,
        timeout=60,
    )


@pytest.fixture(autouse=True)
def files(tmp_path: Path) -> None:
    (tmp_path / "good.yaml").write_text(GOOD)
    (tmp_path / "error.yaml").write_text(ERROR)


LONG = "a" * 5000


@pytest.mark.skipif(not FULL.exists(), reason="there is no device that is always full here")
@pytest.mark.parametrize(
    "command",
    ["check error.yaml", "check --format sarif error.yaml", "crd good.yaml", "explain", "--help", "instance good.yaml"],
)
def test_a_full_disk(tmp_path: Path, command: str) -> None:
    run = shell(f"$KRO {command} > /dev/full", tmp_path)
    assert run.returncode == 2
    assert run.stderr == b"Error: no space left on device\n"


@pytest.mark.skipif(not FULL.exists(), reason="there is no device that is always full here")
def test_a_full_disk_for_errors_too(tmp_path: Path) -> None:
    assert shell("$KRO check missing.yaml > /dev/full 2> /dev/full", tmp_path).returncode == 2


@pytest.mark.parametrize("command", ["check error.yaml", "crd good.yaml", "explain", "--version"])
def test_closed_output(tmp_path: Path, command: str) -> None:
    run = shell(f"$KRO {command} >&-", tmp_path)
    assert (run.returncode, run.stderr) == (2, b"Error: standard output is closed\n")


@pytest.mark.parametrize("command", ["check -", "crd -", "graph -"])
def test_closed_input(tmp_path: Path, command: str) -> None:
    run = shell(f"$KRO {command} <&-", tmp_path)
    assert run.returncode == 2
    assert b"standard input is closed" in run.stderr
    assert b"Traceback" not in run.stderr


def test_a_server_with_closed_streams(tmp_path: Path) -> None:
    for closed in ("<&-", ">&-"):
        run = shell(f"$KRO serve {closed}", tmp_path)
        assert (run.returncode, run.stderr) == (
            2,
            b"Error: cannot start the server: standard input or output is closed\n",
        )


def test_nobody_reads(tmp_path: Path) -> None:
    run = shell("{ $KRO explain; echo $? >&2; } | true", tmp_path)
    assert run.stderr in (b"1\n", b"0\n")  # the output may fit into the pipe before it is closed


@pytest.mark.parametrize(
    "command",
    [
        f"check {LONG}",
        f"check good.yaml --crds {LONG}",
        f"crd {LONG}",
        f"preview {LONG}",
        f"test {LONG}",
        f"graph {LONG}",
    ],
)
def test_names_that_are_too_long(tmp_path: Path, command: str) -> None:
    ran = run(*command.split(), folder=tmp_path)
    assert ran.returncode == 2
    assert b"Traceback" not in ran.stderr
    assert b"too long" in ran.stderr


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
@pytest.mark.parametrize("named", [True, False])
def test_other_encodings_are_reported(invoke: Invoke, encoding: str, named: bool) -> None:
    Path("folder").mkdir()
    Path("folder/wide.yaml").write_bytes(GOOD.encode(encoding))
    result = invoke("check", "folder/wide.yaml" if named else "folder")
    assert result.exit_code == 2
    assert "folder/wide.yaml: UTF-16 or UTF-32; save it as UTF-8" in result.stderr


def test_files_in_other_encodings_that_are_not_ours_are_nobodys_business(tmp_path: Path) -> None:
    (tmp_path / "other.yaml").write_bytes("a: 1\n".encode("utf-16"))
    assert b"other.yaml" not in shell("$KRO check .", tmp_path).stderr


def test_the_working_folder_is_gone(tmp_path: Path) -> None:
    (tmp_path / "gone").mkdir()
    run = shell(f"cd gone && rmdir ../gone && $KRO check {tmp_path}/good.yaml {tmp_path}", tmp_path)
    assert b"Traceback" not in run.stderr
    assert b"Checked 2 files" in run.stdout


def test_the_cache_folder_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file where the folder should be")
    env = {**environment(), "XDG_CACHE_HOME": os.fspath(tmp_path / "cache")}
    run = subprocess.run([sys.executable, "-m", "kro_ls", "check", "good.yaml"], cwd=tmp_path, env=env, check=False)
    assert run.returncode == 0
