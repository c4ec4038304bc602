"""Vim with ALE, without a screen, with the settings of `editors/vim/README.md`."""

from __future__ import annotations

import json
import os
import pty
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

HERE = Path(__file__).resolve().parent
PACKAGE = Path("/usr/share/vim-ale")


def test_diagnostics_and_hover(
    faulty_file: Path,
    environment: dict[str, str],
    tmp_path: Path,
    need: Callable[[str], str],
    documented: Callable[[str, str], list[str]],
) -> None:
    vim = need("vim")
    if not PACKAGE.exists():
        need("vim-ale")
    settings = tmp_path / "vimrc"
    load = f"set nocompatible\nset runtimepath+={PACKAGE}\nfiletype plugin on\nruntime plugin/ale.vim"
    settings.write_text("\n".join([load, *documented("vim", "vim")]), encoding="utf-8")
    result_file = tmp_path / "result.json"

    terminal, stdin = pty.openpty()  # while it waits for something else, Vim ends when it cannot read
    run = subprocess.run(
        [vim, "-u", str(settings), "--not-a-term", "-S", str(HERE / "vim.vim"), faulty_file.name],
        cwd=faulty_file.parent,
        env=environment | {"RESULT": str(result_file)},
        stdin=stdin,
        check=False,
        capture_output=True,
        text=True,
        timeout=300,
    )
    os.close(stdin)
    os.close(terminal)
    assert result_file.exists(), run.stdout[-2000:]
    result = json.loads(result_file.read_text(encoding="utf-8"))

    assert "error" not in result, result
    [[line, start, end, kind, message]] = result["diagnostics"]
    last_line = faulty_file.read_text(encoding="utf-8").splitlines()[line - 1]
    assert (last_line[start - 1 : end], kind) == ("nmae", "E")
    assert "nmae" in message
    assert "string" in result["hover"]
    assert result["cleared"]
