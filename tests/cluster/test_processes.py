"""Tests of whether a program runs, according to ps."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cluster.processes import Process

PROGRAM = Path("/cache/kube-apiserver-v1.36.3")


@pytest.mark.parametrize(
    ("shown", "runs"),
    [
        (f"{PROGRAM} --secure-port=1", True),
        ("[kube-apiserver-]", True),  # before it is loaded, which takes a while from a disk
        ("[kube-apiserver-] <defunct>", False),
        ("/bin/other", False),
        ("", False),
    ],
)
def test_a_program_runs_also_while_it_is_being_loaded(
    shown: str, runs: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ps = tmp_path / "ps"
    ps.write_text(f"#!/bin/sh\necho '{shown}'\n", encoding="utf-8")
    ps.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    (tmp_path / "apiserver.pid").write_text("999999", encoding="utf-8")

    assert (Process(tmp_path, "apiserver", PROGRAM).pid() is not None) is runs
