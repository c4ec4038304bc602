from __future__ import annotations

from pathlib import Path

import pytest

from kro_ls import __version__
from kro_ls.cli.main import cli
from tests.fixtures.processes import ERROR, GOOD, Invoke, run

COMMANDS = sorted(cli.commands or cli.list_commands(cli.make_context("kro-ls", ["--help"], resilient_parsing=True)))
"""Every command."""


@pytest.mark.parametrize("option", ["--version", "-V"])
def test_version(invoke: Invoke, option: str) -> None:
    assert invoke(option).stdout == f"kro-ls {__version__}\n"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_listed_and_has_help(invoke: Invoke, command: str) -> None:
    (line,) = (line for line in invoke("--help").stdout.splitlines() if line.startswith(f"  {command} "))
    assert line.endswith("."), "the summary fits its line"
    assert not line.endswith("...")
    result = invoke(command, "-h")
    assert result.exit_code == 0
    assert f"kro-ls {command} [OPTIONS]" in result.stdout.replace("cli", "kro-ls", 1)
    assert "--color" in result.stdout


@pytest.mark.parametrize(
    ("typed", "advice"),
    [
        ("chekc", "did you mean 'check'?"),
        ("previw", "did you mean 'preview'?"),
        ("explian", "did you mean 'explain'?"),
        ("zzz", "'kro-ls --help' lists them"),
    ],
)
def test_an_unknown_command(invoke: Invoke, typed: str, advice: str) -> None:
    result = invoke(typed)
    assert result.exit_code == 2
    assert f"there is no command '{typed}'; {advice}" in result.stderr


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("unresolved-ref", "unresolved-reference"),
        ("unresolvd-reference", "unresolved-reference"),
        ("Unresolved_Reference", "unresolved-reference"),
        ("unus-iter", "unused-iterator"),
    ],
)
def test_an_unknown_code(invoke: Invoke, typed: str, meant: str) -> None:
    result = invoke("explain", typed)
    assert result.exit_code == 2
    assert f"did you mean '{meant}'?" in result.stderr


def test_colour_can_be_asked_for(invoke: Invoke, tmp_path: Path) -> None:
    Path("bad.yaml").write_text(ERROR)
    for arguments in (["--color", "always", "check", "bad.yaml"], ["check", "bad.yaml", "--color", "always"]):
        assert b"\x1b[31m" in run(*arguments, folder=tmp_path).stdout
        assert b"\x1b[31m" in run(*arguments, folder=tmp_path, NO_COLOR="1").stdout, "an option counts more"
    assert b"\x1b" not in run("check", "bad.yaml", "--color", "never", folder=tmp_path, FORCE_COLOR="1").stdout
    assert b"\x1b[31m" in run("check", "bad.yaml", "--color", "auto", folder=tmp_path, FORCE_COLOR="1").stdout
    assert b"\x1b" not in run("check", "bad.yaml", "--color", "auto", folder=tmp_path).stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ("check",),
        ("graph",),
        ("crd",),
        ("instance",),
        ("preview",),
        ("upgrade", "--diff"),
        ("diff", "good.yaml"),
    ],
)
def test_standard_input_is_read_wherever_a_file_is(invoke: Invoke, arguments: tuple[str, ...]) -> None:
    Path("good.yaml").write_text(GOOD)
    result = invoke(*arguments, "-", stdin=GOOD)
    assert (result.exit_code, result.stderr) == (0, "")


def test_tests_and_instances_are_read_from_standard_input(invoke: Invoke) -> None:
    Path("good.yaml").write_text(GOOD)
    tests = "definition: good.yaml\ntests: [{name: a, expect: {state: ACTIVE}}]\n"
    result = invoke("test", "-", stdin=tests)
    assert (result.exit_code, result.stdout) == (0, "PASS <stdin>: a\n1 passed, 0 failed\n")
    result = invoke("test", "-", stdin=tests.replace("ACTIVE", "ERROR"))
    assert (result.exit_code, "  <stdin>:2:35: expected ERROR, found ACTIVE" in result.stdout) == (1, True)
    result = invoke("test", "-", stdin=tests.replace("name: a", "nme: a"))
    assert (result.exit_code, "  <stdin>:2:10: unknown key 'nme'; did you mean 'name'?" in result.stdout) == (2, True)
    instance = "apiVersion: kro.run/v1alpha1\nkind: App\nmetadata: {name: mine}\n"
    result = invoke("preview", "good.yaml", "-i", "-", stdin=instance)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith("App default/mine: ACTIVE")
    result = invoke("preview", "good.yaml", "-i", "-", stdin=instance.replace("App", "Ap"))
    assert (result.exit_code, "<stdin>:2:7: 'kind' must be 'App', not 'Ap'" in result.stderr) == (2, True)


def test_an_upgrade_of_standard_input_goes_to_standard_output(invoke: Invoke) -> None:
    result = invoke("upgrade", "-", stdin=GOOD)
    assert (result.exit_code, result.stdout) == (0, GOOD)
    assert result.stderr.startswith("-: 0 changed, ")
