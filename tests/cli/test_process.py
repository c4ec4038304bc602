"""The command as a process: its streams, its exit codes, a terminal, signals."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fixtures.definitions import rgd_of_config_maps
from tests.fixtures.processes import ERROR, GOOD, environment, start, start_on_terminal


def test_exit_codes(tmp_path: Path) -> None:
    (tmp_path / "good.yaml").write_text(GOOD)
    (tmp_path / "bad.yaml").write_text(ERROR)
    (tmp_path / "empty.yaml").touch()
    for arguments, code in (
        (["check", "good.yaml"], 0),
        (["check", "bad.yaml"], 1),
        (["check", "good.yaml", "bad.yaml", "missing.yaml"], 2),
        (["check", "empty.yaml"], 0),
        (["check"], 2),
        (["chekc"], 2),
        (["explain", "nothing"], 2),
        (["graph", "empty.yaml"], 2),
        (["--version"], 0),
        (["--help"], 0),
    ):
        run = start(*arguments, folder=tmp_path)
        assert run.returncode == code, (arguments, run.stderr)
        assert b"Traceback" not in run.stderr


def test_standard_input_and_utf8(tmp_path: Path) -> None:
    assert start("check", "-", folder=tmp_path, stdin=GOOD.encode()).returncode == 0
    run = start("check", "-", folder=tmp_path, stdin=b"\xff")
    assert (run.returncode, run.stderr) == (2, b"error: -: not UTF-8 (line 1); save it as UTF-8\n")


def test_characters_that_the_output_cannot_show(tmp_path: Path) -> None:
    definition = rgd_of_config_maps(("config", "日é-${shema.spec.name}")).encode()
    run = start("check", "-", folder=tmp_path, stdin=definition, PYTHONIOENCODING="latin-1")
    assert run.returncode == 1
    assert b"\\u65e5\xe9-${shema" in run.stdout


def test_a_file_name_that_is_not_utf8(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"b\xff.yaml")).write_text(ERROR)
    for output_format in ("text", "json", "sarif", "github"):
        run = start("check", ".", "--format", output_format, folder=tmp_path)
        assert (run.returncode, run.stderr) == (1, b"")


def test_a_closed_pipe_is_quiet(tmp_path: Path) -> None:
    (tmp_path / "bad.yaml").write_text("---\n".join([ERROR] * 500))
    command = [sys.executable, "-m", "kro_ls", "check", "bad.yaml"]
    with subprocess.Popen(
        command, cwd=tmp_path, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 1


def test_an_interrupt_is_quiet(tmp_path: Path) -> None:
    # A process that a shell started in the background ignores the signal, and its children would too.
    code = (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "from kro_ls.cli.main import main; main()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, "check", "-"],
        cwd=tmp_path,
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin
        # A pipe takes only its buffer until the command reads from it, so the command is then well under way.
        process.stdin.write(b"#" * 300_000)
        process.stdin.flush()
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=60)
    assert (process.returncode, stderr.strip()) == (130, b"")


def test_colour_is_for_terminals(tmp_path: Path) -> None:
    file = tmp_path / "bad.yaml"
    file.write_text(ERROR)
    assert b"\x1b" not in start("check", str(file), folder=tmp_path).stdout
    assert b"\x1b" in start("check", str(file), folder=tmp_path, FORCE_COLOR="1").stdout
    assert "\x1b[31m" in start_on_terminal("check", str(file))
    assert "\x1b" not in start_on_terminal("check", str(file), NO_COLOR="1")


LATE = {"pygls", "lsprotocol", "networkx", "rich", "jsonschema", "asyncio"}
CYCLE = rgd_of_config_maps(("first", "${second.metadata.name}-x"), ("second", "${first.metadata.name}-x"))


def loaded_by(folder: Path, text: str, *arguments: str) -> set[str]:
    """Return the modules that a process has imported after a command about a file with a text."""
    (folder / "file.yaml").write_text(text)
    code = (
        "import sys; from kro_ls.cli.main import cli\n"
        f"try: cli.main({[*arguments, 'file.yaml']!r}, standalone_mode=False)\n"
        "finally: print(*sys.modules)"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, env=environment(), capture_output=True, text=True, check=False
    )
    loaded = set(run.stdout.splitlines()[-1].split())
    assert {"click", "kro_ls"} <= loaded
    return loaded


def test_check_imports_nothing_it_does_not_need(tmp_path: Path) -> None:
    later = {"subprocess", "kro_ls.runtime", "kro_ls.features", "kro_ls.openapi.sources.crds.definition_problems"}
    assert loaded_by(tmp_path, GOOD, "check").isdisjoint(LATE | later)
    assert loaded_by(tmp_path, CYCLE, "check").isdisjoint(LATE | later)


@pytest.mark.parametrize("command", [("crd",), ("preview",), ("preview", "--format", "json")])
def test_crd_and_preview_import_nothing_they_do_not_need(command: tuple[str, ...], tmp_path: Path) -> None:
    assert loaded_by(tmp_path, GOOD, *command).isdisjoint(LATE)


def test_a_graph_imports_networkx_for_numbers_alone(tmp_path: Path) -> None:
    assert "networkx" not in loaded_by(tmp_path, GOOD, "graph")
    assert "networkx" in loaded_by(tmp_path, GOOD, "graph", "--format", "json")
