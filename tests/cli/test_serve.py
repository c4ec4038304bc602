from __future__ import annotations

import socket
from pathlib import Path
from typing import Any

import pytest

from kro_ls.server import main as server_main
from kro_ls.server.main import Transport
from tests.fixtures.processes import Invoke, start


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """What the command asks the server for."""
    calls: list[tuple[Any, ...]] = []
    monkeypatch.setattr(server_main, "serve", lambda *arguments: calls.append(arguments))
    return calls


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], (Transport("stdio"), None, "info")),
        (["--stdio"], (Transport("stdio"), None, "info")),
        (["--tcp", "4000"], (Transport("tcp", port=4000), None, "info")),
        (["--ws", "4000", "--host", "::1"], (Transport("ws", "::1", 4000), None, "info")),
        (
            ["--ws", "4000", "--allow-origin", "https://a.example", "--token", "secret"],
            (Transport("ws", port=4000, origins=("https://a.example",), token="secret"), None, "info"),
        ),
        (["--log-file", "a.log", "--log-level", "debug"], (Transport("stdio"), Path("a.log"), "debug")),
    ],
)
def test_the_server_is_started(
    invoke: Invoke, served: list[tuple[Any, ...]], arguments: list[str], expected: tuple[Any, ...]
) -> None:
    assert invoke("serve", *arguments).exit_code == 0
    assert served == [expected]


@pytest.mark.parametrize(
    "arguments",
    [
        ["--tcp", "4000", "--ws", "4001"],
        ["--stdio", "--tcp", "4000"],
        ["--tcp", "0"],
        ["--tcp", "70000"],
        ["--allow-origin", "a"],
        ["extra"],
    ],
)
def test_wrong_usage(invoke: Invoke, served: list[tuple[Any, ...]], arguments: list[str]) -> None:
    assert invoke("serve", *arguments).exit_code == 2
    assert served == []


def test_a_log_that_cannot_be_written(tmp_path: Path) -> None:
    run = start("serve", "--log-file", "missing/a.log", folder=tmp_path)
    assert run.returncode == 2
    assert run.stderr.startswith(b"Error: cannot start the server: ")


@pytest.mark.parametrize("transport", ["--tcp", "--ws"])
def test_a_port_that_is_taken(tmp_path: Path, transport: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        run = start("serve", transport, str(taken.getsockname()[1]), folder=tmp_path)
    assert run.returncode == 2
    assert b"Error: cannot start the server: " in run.stderr
    assert b"Traceback" not in run.stderr
