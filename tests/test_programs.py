"""Programs are never those of the working folder, where a stranger may have put some."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from kro_ls.programs import find_program

pytestmark = pytest.mark.skipif(os.name == "nt", reason="programs are other files there")


def program(folder: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / "git").write_text("#!/bin/sh\n")
    (folder / "git").chmod(0o755)
    return folder / "git"


def test_relative_folders_of_the_search_path_do_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path / "here")
    found = program(tmp_path / "here" / "bin")
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv("PATH", os.pathsep.join(["", ".", "bin", "..", "./bin"]))
    assert find_program("git") is None
    monkeypatch.setenv("PATH", os.pathsep.join([".", str(found.parent)]))
    assert find_program("git") == str(found)
