"""Completion as people get it: bash, zsh and fish on a terminal, with the scripts of `kro-ls completion`."""

from __future__ import annotations

import os
import pty
import re
import select
import shutil
import sys
import time
from pathlib import Path

import pytest

from tests.fixtures.processes import environment, start

TYPED = {
    "kro-ls ch": "kro-ls check",
    "kro-ls check --output-f": "kro-ls check --output-format",
    "kro-ls check --output-format gith": "kro-ls check --output-format github",
    "kro-ls check --output-format=gitl": "kro-ls check --output-format=gitlab",
    "kro-ls explain dependency": "kro-ls explain dependency-cycle",
    "kro-ls check --ignore cel-syntax,unresolv": "kro-ls check --ignore cel-syntax,unresolved-reference",
    "kro-ls check --severity unresolved-reference=w": "kro-ls check --severity unresolved-reference=warning",
    "kro-ls check --crds mi": "kro-ls check --crds mine.yaml",
    "kro-ls preview mi": "kro-ls preview mine.yaml",
}
"""The text typed before Tab, and the line after it."""

_SECONDS = 240.0
_HOME, _PRINT = "\x01", "echo RESULT: "


def _shell(shell: str, folder: Path) -> list[str]:
    """Return a shell that has read nothing of the user's but the script for completion."""
    script = folder / ("_kro-ls" if shell == "zsh" else "script")
    script.write_bytes(start("completion", shell, folder=folder).stdout)
    if shell == "bash":
        return ["bash", "--noprofile", "--rcfile", str(script), "-i"]
    if shell == "fish":
        return ["fish", "--no-config", "--init-command", f"source {script}"]
    (folder / ".zshrc").write_text(f"fpath=({folder} $fpath)\nautoload -Uz compinit\ncompinit -u -d {folder}/dump\n")
    return ["zsh", "-i"]


class _Terminal:
    """A program on a terminal."""

    def __init__(self, command: list[str], folder: Path) -> None:
        path = f"{folder}{os.pathsep}{os.environ['PATH']}"
        variables = environment(PATH=path, HOME=str(folder), ZDOTDIR=str(folder), TERM="xterm")
        process, self._terminal = pty.fork()
        if process == 0:
            os.chdir(folder)
            os.execvpe(command[0], command, variables)
        self._process = process
        self._printed = b""

    def type(self, text: str) -> None:
        os.write(self._terminal, text.encode())

    def until(self, pattern: str) -> re.Match[str]:
        """Return the place of a pattern in the output. The terminal answers the queries of shells."""
        deadline = time.monotonic() + _SECONDS
        while time.monotonic() < deadline:
            found = re.search(pattern, self._printed.decode(errors="replace"))
            if found:
                self._printed = b""
                return found
            if select.select([self._terminal], [], [], 1)[0]:
                piece = os.read(self._terminal, 65536)
                self._printed += piece
                if b"\x1b[c" in piece or b"\x1b[0c" in piece:
                    os.write(self._terminal, b"\x1b[?62;c")
        raise AssertionError(self._printed)

    def close(self) -> None:
        os.kill(self._process, 9)
        os.waitpid(self._process, 0)
        os.close(self._terminal)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_line_is_completed(tmp_path: Path, shell: str) -> None:
    if shutil.which(shell) is None:
        assert not os.environ.get("CI"), f"scripts/setup-editors installs {shell}"
        pytest.skip(f"{shell} is missing; scripts/setup-editors installs it")
    (tmp_path / "mine.yaml").touch()
    (tmp_path / "kro-ls").write_text(f'#!/bin/sh\nexec {sys.executable} -m kro_ls "$@"\n')
    (tmp_path / "kro-ls").chmod(0o755)
    terminal = _Terminal(_shell(shell, tmp_path), tmp_path)
    try:
        terminal.type("echo REA''DY\r")
        terminal.until(r"[\r\n]READY")
        completed = {}
        for typed in TYPED:
            # The shell takes what follows the Tab when it has completed the word.
            terminal.type(f"{typed}\t{_HOME}{_PRINT}\r")
            completed[typed] = terminal.until(r"[\r\n]RESULT: (kro-ls[^\r\n\x1b]*)")[1].rstrip()
        assert completed == TYPED
    finally:
        terminal.close()
