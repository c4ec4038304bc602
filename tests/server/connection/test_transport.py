"""How a client reaches the server, and who is turned away."""

from __future__ import annotations

import array
import asyncio
import fcntl
import json
import os
import signal
import socket
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path
from typing import IO, Any, cast

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect

from kro_ls.server.connection.transport import _Delivery, converse
from tests.fixtures.client import SECONDS, Client, Message
from tests.fixtures.copies import Copy
from tests.fixtures.definitions import rgd

SMALL = 4096
"""Bytes that a pipe holds."""

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"processId": None, "rootUri": None, "capabilities": {}},
}


@contextmanager
def served(transport: str, *arguments: str) -> Iterator[tuple[int, Copy]]:
    """Start a server that waits on a port, and wait for that."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with Copy("serve", transport, str(port), *arguments) as process:
        deadline = time.monotonic() + SECONDS
        while not is_listening(port):
            assert time.monotonic() < deadline
            time.sleep(0.05)
        yield port, process


def is_listening(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=SECONDS).close()
    except (ConnectionRefusedError, ConnectionResetError):
        return False
    return True


def waiting(pipe: IO[bytes]) -> int:
    """Return how many bytes can be read of a pipe."""
    count = array.array("i", [0])
    fcntl.ioctl(pipe, termios.FIONREAD, count)
    return count[0]


def framed(message: object) -> bytes:
    body = json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def asked(connection: socket.socket, message: object) -> Message:
    connection.sendall(framed(message))
    with connection.makefile("rb") as stream:
        length = int(stream.readline().partition(b":")[2])
        while stream.readline().strip():
            continue
        answer: Message = json.loads(stream.read(length))
        return answer


def open_page(port: int, origin: str | None = None, path: str = "/", **more: str) -> ClientConnection:
    return connect(
        f"ws://127.0.0.1:{port}{path}",
        open_timeout=SECONDS,
        additional_headers={**({"Origin": origin} if origin else {}), **more},
    )


def refused_with(port: int, origin: str | None = None, path: str = "/", **more: str) -> int:
    with pytest.raises(InvalidStatus) as refused:
        open_page(port, origin, path, **more)
    return refused.value.response.status_code


@pytest.mark.parametrize("origin", ["https://evil.example", "http://127.0.0.1", "http://localhost:3000", "null"])
def test_a_web_page_is_refused(origin: str) -> None:
    with served("--ws") as (port, _):
        assert refused_with(port, origin) == HTTPStatus.FORBIDDEN


def test_a_web_page_that_was_allowed_is_served() -> None:
    with served("--ws", "--allow-origin", "https://editor.example") as (port, _):
        assert refused_with(port, "https://evil.example") == HTTPStatus.FORBIDDEN
        with open_page(port, "https://editor.example") as connection:
            connection.send(json.dumps(INITIALIZE))
            assert json.loads(connection.recv(timeout=SECONDS))["result"]


def test_a_token_is_demanded_where_one_was_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KRO_LS_TOKEN", "open sésame")
    with served("--ws") as (port, _):
        assert refused_with(port) == HTTPStatus.UNAUTHORIZED
        assert refused_with(port, path="/?token=open") == HTTPStatus.UNAUTHORIZED
        assert refused_with(port, path="//[?token=open") == HTTPStatus.UNAUTHORIZED
        with open_page(port, path="/?token=open+s%C3%A9same") as connection:
            connection.send(json.dumps(INITIALIZE))
            assert json.loads(connection.recv(timeout=SECONDS))["result"]


def test_a_token_may_stand_in_a_header(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KRO_LS_TOKEN", "sesame")
    with served("--ws") as (port, _):
        assert refused_with(port, Authorization="Bearer open") == HTTPStatus.UNAUTHORIZED
        with open_page(port, Authorization="Bearer sesame") as connection:
            connection.send(json.dumps(INITIALIZE))
            assert json.loads(connection.recv(timeout=SECONDS))["result"]


@pytest.mark.parametrize("transport", ["--tcp", "--ws"])
def test_nobody_can_connect_beside_the_client(transport: str) -> None:
    with served(transport) as (port, _):
        if transport == "--tcp":
            with socket.create_connection(("127.0.0.1", port), timeout=SECONDS) as connection:
                assert asked(connection, INITIALIZE)["result"]
                assert not is_listening(port)
        else:
            with open_page(port) as client:
                client.send(json.dumps(INITIALIZE))
                client.recv(timeout=SECONDS)
                assert not is_listening(port)


@pytest.mark.parametrize("method", ["GET", "POST", "OPTIONS", "PUT"])
def test_http_is_refused_at_once_and_the_client_still_served(method: str) -> None:
    with served("--tcp") as (port, _):
        with socket.create_connection(("127.0.0.1", port), timeout=SECONDS) as page:
            page.sendall(f"{method} / HTTP/1.1\r\nHost: x\r\n\r\n".encode() + framed(INITIALIZE))
            answer = page.makefile("rb").read()
            assert answer.startswith(b"HTTP/1.1 400 ")
            assert b"serverInfo" not in answer
        with socket.create_connection(("127.0.0.1", port), timeout=SECONDS) as client:
            assert asked(client, INITIALIZE)["result"]


@pytest.mark.parametrize("said", [b"", b"Conte"])
def test_who_says_nothing_keeps_nobody_waiting(said: bytes) -> None:
    with served("--tcp") as (port, _):
        silent = [socket.create_connection(("127.0.0.1", port), timeout=SECONDS) for _ in range(5)]
        for each in silent:
            each.sendall(said)
        started = time.monotonic()
        with socket.create_connection(("127.0.0.1", port), timeout=SECONDS) as connection:
            assert asked(connection, INITIALIZE)["result"]
        assert time.monotonic() - started < 8  # each of them may be silent for 10 seconds
        for each in silent:
            each.close()


def test_a_crowd_that_says_nothing_does_not_keep_a_client_out() -> None:
    with served("--tcp") as (port, process):
        silent = [socket.create_connection(("127.0.0.1", port), timeout=SECONDS) for _ in range(150)]
        with socket.create_connection(("127.0.0.1", port), timeout=SECONDS) as connection:
            assert asked(connection, INITIALIZE)["result"]
            assert len(os.listdir(f"/proc/{process.pid}/fd")) < 100
        for each in silent:
            each.close()


def test_a_client_in_pieces_is_served() -> None:
    with served("--tcp") as (port, _), socket.create_connection(("127.0.0.1", port), timeout=SECONDS) as connection:
        for byte in b"content-":
            connection.sendall(bytes([byte]))
            time.sleep(0.02)
        connection.sendall(framed(INITIALIZE)[len("content-") :])
        with connection.makefile("rb") as stream:
            assert stream.readline().startswith(b"Content-Length")


@pytest.mark.parametrize("transport", ["--tcp", "--ws"])
def test_the_server_ends_with_its_client(transport: str) -> None:
    with served(transport) as (port, process):
        if transport == "--tcp":
            with socket.create_connection(("127.0.0.1", port), timeout=SECONDS) as connection:
                asked(connection, INITIALIZE)
        else:
            with open_page(port) as client:
                client.send(json.dumps(INITIALIZE))
                client.recv(timeout=SECONDS)
        assert process.wait(SECONDS) == 1


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"{", -32700),
        (b"\xff\xfe", -32700),
        (b"[" * 100_000, -32700),
        (b"[]", -32600),
        (b"7", -32600),
        (b'{"id": 1, "method": "shutdown"}', -32600),
        (b'{"jsonrpc": "2.0", "id": 1, "method": 5}', -32600),
        (b'{"jsonrpc": "2.0", "id": [1], "method": "workspace/symbol", "params": {"query": "a"}}', -32600),
    ],
)
def test_what_is_no_message_is_answered_and_not_traced(body: bytes, code: int) -> None:
    with Client() as client:
        client.initialize()
        assert client.process.stdin
        client.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        client.process.stdin.flush()
        answer = client.wait(lambda message: "error" in message)
        assert (answer["id"], answer["error"]["code"]) == (None, code)
        assert client.request("shutdown") is None
        assert b"Traceback" not in client.errors


def test_a_message_without_end_is_not_kept() -> None:
    with Client() as client:
        client.initialize()
        assert client.process.stdin
        length = 300 * 1024**2
        client.process.stdin.write(b"Content-Length: %d\r\n\r\n" % length)
        for _ in range(300):
            client.process.stdin.write(b" " * 1024**2)
        client.process.stdin.flush()
        assert client.wait(lambda message: "error" in message)["error"]["code"] == -32600
        assert client.request("shutdown") is None


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lets a pipe be made small")
def test_a_signal_in_the_middle_of_an_answer_loses_nothing() -> None:
    command = [sys.executable, "-m", "kro_ls", "serve"]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment) as process:
        assert process.stdin
        assert process.stdout
        fcntl.fcntl(process.stdout, fcntl.F_SETPIPE_SZ, SMALL)
        process.stdin.write(framed({**INITIALIZE, "id": "1" * 2 * SMALL}))
        process.stdin.flush()
        deadline = time.monotonic() + SECONDS
        while waiting(process.stdout) < SMALL and time.monotonic() < deadline:
            time.sleep(0.01)
        process.send_signal(signal.SIGSTOP)
        process.send_signal(signal.SIGCONT)
        length = int(process.stdout.readline().partition(b":")[2])
        while process.stdout.readline().strip():
            pass
        process.stdin.close()
        body = process.stdout.read()  # to the end: lost messages never arrive
    assert length > SMALL
    assert len(body) == length


def test_a_number_that_is_no_process_does_not_end_the_watch() -> None:
    from kro_ls.server.main import is_gone

    assert not is_gone(os.getpid())
    assert not is_gone(-1)
    assert not is_gone(0)
    assert not is_gone(10**40)
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    assert is_gone(ended.pid)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_what_a_client_names_is_read_in_the_workspace_only(tmp_path: Path) -> None:
    workspace, outside = tmp_path / "workspace", tmp_path / "outside.yaml"
    workspace.mkdir()
    instance = "apiVersion: kro.run/v1alpha1\nkind: A\nmetadata: {name: a}\nspec: {}\n"
    outside.write_text(instance)
    (workspace / "own.yaml").write_text(instance)
    (workspace / "link.yaml").symlink_to(outside)
    os.mkfifo(workspace / "pipe.yaml")
    definition = rgd("").replace("kind: App", "kind: A")
    with Client(started=True) as client:
        client.initialize(workspaceFolders=[{"uri": workspace.as_uri(), "name": "w"}])
        client.open(definition)

        def choose(path: Path) -> Message:
            argument = {"uri": "file:///rgd.yaml", "instance": path.as_uri()}
            return client.exchange(
                "workspace/executeCommand", {"command": "kro.chooseInstance", "arguments": [argument]}
            )

        assert choose(workspace / "own.yaml")["result"]["label"] == "own.yaml"
        missing = choose(tmp_path / "missing.yaml")["error"]["message"]
        for path in (outside, workspace / "link.yaml", workspace / "pipe.yaml", workspace / ".." / "outside.yaml"):
            assert choose(path)["error"]["message"].replace(path.as_uri(), "") == missing.replace(
                (tmp_path / "missing.yaml").as_uri(), ""
            )
        changes = [{"uri": path.as_uri(), "type": 2} for path in (outside, workspace / "pipe.yaml")]
        client.notify("workspace/didChangeWatchedFiles", {"changes": changes})
        assert client.request("shutdown") is None
        client.notify("exit")
        assert client.exit_status() == 0


class Listener:
    """A protocol that records what it received."""

    def __init__(self, *, is_settled: bool = False) -> None:
        self.received: list[bytearray] = []
        self.is_settled = is_settled
        self.steps: list[int] = []
        """How many messages had been received at each step that one set going."""

    def set_writer(self, _writer: object) -> None:
        return

    def receive(self, body: bytearray) -> None:
        self.received.append(body)
        asyncio.get_running_loop().call_soon(lambda: self.steps.append(len(self.received)))


@pytest.mark.asyncio
async def test_a_message_that_was_handled_is_let_go_of() -> None:
    """Nothing may come after it for hours."""
    reading, writing = os.pipe()
    listener = Listener()
    with open(reading, "rb") as incoming, open(os.devnull, "wb") as outgoing:
        with open(writing, "wb") as client:
            conversation = asyncio.ensure_future(converse(cast("Any", listener), incoming, outgoing))
            client.write(framed("a long message"))
            client.flush()
            deadline = time.monotonic() + SECONDS
            # One reference is the list's, one that of the call.
            while not listener.received or sys.getrefcount(listener.received[0]) > 2:
                assert time.monotonic() < deadline
                await asyncio.sleep(0.01)
        await conversation


@pytest.mark.asyncio
@pytest.mark.parametrize(("is_settled", "received"), [(True, 3), (False, 1)])
async def test_a_message_waits_for_what_the_one_before_it_set_going(received: int, *, is_settled: bool) -> None:
    listener = Listener(is_settled=is_settled)
    delivery = _Delivery(cast("Any", listener), asyncio.get_running_loop().create_future())
    for number in range(3):
        delivery.room.acquire()
        delivery.came(bytearray([number]))
    deadline = time.monotonic() + SECONDS
    while len(listener.steps) < 3:
        assert time.monotonic() < deadline
        await asyncio.sleep(0)
    assert listener.steps[0] == received
    assert [body[0] for body in listener.received] == [0, 1, 2]


@pytest.mark.asyncio
async def test_edits_without_end_let_others_through() -> None:
    listener = Listener(is_settled=True)
    delivery = _Delivery(cast("Any", listener), asyncio.get_running_loop().create_future())
    for _ in range(500):
        delivery.came(bytearray())
    while len(listener.received) < 500:
        await asyncio.sleep(0)
    assert listener.steps[0] < 100
