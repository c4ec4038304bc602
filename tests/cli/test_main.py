from __future__ import annotations

import pytest

from kro_ls import __version__
from tests.fixtures.processes import Invoke, start_on_terminal


def test_version(invoke: Invoke) -> None:
    assert invoke("--version").stdout == f"kro-ls {__version__}\n"


@pytest.mark.parametrize("command", ["check", "explain", "graph", "serve"])
def test_every_command_is_listed_and_has_help(invoke: Invoke, command: str) -> None:
    (line,) = (line for line in invoke("--help").stdout.splitlines() if line.startswith(f"  {command} "))
    assert line.endswith("."), "the summary fits its line"
    result = invoke(command, "-h")
    assert result.exit_code == 0
    assert f"kro-ls {command} [OPTIONS]" in result.stdout.replace("cli", "kro-ls", 1)


def test_shell_completion_is_there() -> None:
    assert "_KRO_LS_COMPLETE=bash_complete" in start_on_terminal(_KRO_LS_COMPLETE="bash_source")


def test_an_unknown_command(invoke: Invoke) -> None:
    result = invoke("chekc")
    assert result.exit_code == 2
    assert "No such command 'chekc'" in result.stderr
