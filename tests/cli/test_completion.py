"""Completion in shells: the scripts, and what they ask the command for."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fixtures.processes import Invoke, environment, run


def _completed(words: str, folder: Path) -> list[str]:
    """Return what bash would offer for the last word."""
    ran = run(
        folder=folder,
        _KRO_LS_COMPLETE="bash_complete",
        COMP_WORDS="\n".join(words.split(" ")),
        COMP_CWORD=str(words.count(" ")),
    )
    return [line.partition(",")[2] for line in ran.stdout.decode().splitlines()]


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("kro-ls ch", ["check"]),
        ("kro-ls co", ["completion", "config"]),
        ("kro-ls check --sta", ["--statistics"]),
        ("kro-ls check --format jun", ["junit"]),
        ("kro-ls check --color n", ["never"]),
        ("kro-ls check --select unresolved", ["unresolved-reference"]),
        ("kro-ls check --ignore cel-syntax,unresolved", ["cel-syntax,unresolved-reference"]),
        ("kro-ls check --severity unresolved-reference=w", ["unresolved-reference=warning"]),
        ("kro-ls check --severity unresolved", ["unresolved-reference"]),
        ("kro-ls explain dependency", ["dependency-cycle"]),
        ("kro-ls completion f", ["fish"]),
        ("kro-ls kinds p", ["pull"]),
        ("kro-ls kinds fetch iam.services", ["iam.services.k8s.aws"]),
    ],
)
def test_what_is_offered(tmp_path: Path, words: str, offered: list[str]) -> None:
    assert _completed(words, tmp_path) == offered


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_has_a_script_that_asks_the_command(invoke: Invoke, shell: str) -> None:
    script = invoke("completion", shell).stdout
    assert f"_KRO_LS_COMPLETE={shell}_complete" in script
    program = shutil.which(shell)
    if program:
        subprocess.run([program, "-n", "/dev/stdin"], input=script, text=True, check=True)


def test_bash_completes_with_the_script(tmp_path: Path) -> None:
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("there is no bash")
    (tmp_path / "kro-ls").write_text(f'#!/bin/sh\nexec {sys.executable} -m kro_ls "$@"\n')
    (tmp_path / "kro-ls").chmod(0o755)
    code = (
        "source <(kro-ls completion bash); complete -p kro-ls; COMP_WORDS=(kro-ls check --select unres); COMP_CWORD=3; "
        '_kro_ls_completion kro-ls; echo "${COMPREPLY[@]}"'
    )
    run = subprocess.run(
        [bash, "-c", code],
        env=environment(PATH=f"{tmp_path}{os.pathsep}{os.environ['PATH']}"),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    complete, offered = run.stdout.splitlines()
    assert complete.endswith("_kro_ls_completion kro-ls")
    assert offered == "unresolved-reference"
