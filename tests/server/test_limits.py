"""The server where memory is short, processes are killed, and clocks jump."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from kro_ls.openapi.sources.disk_cache import DiskCache
from tests.fixtures.client import Client
from tests.fixtures.definitions import rgd_of_config_maps
from tests.paths import ROOT

resource = pytest.importorskip("resource", reason="there are no limits for processes here")

TEXT = rgd_of_config_maps(("a", "${schema.metadata.name}"))
MEGABYTES = 256


@pytest.fixture
def in_little_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes that are started get so much memory for their data and no more."""
    start = subprocess.Popen

    def limited(*arguments: object, **keywords: object) -> subprocess.Popen[bytes]:
        def limit() -> None:
            resource.setrlimit(resource.RLIMIT_DATA, (MEGABYTES * 1024**2,) * 2)

        return start(*arguments, preexec_fn=limit, **keywords)  # type: ignore[call-overload, no-any-return]

    monkeypatch.setattr(subprocess, "Popen", limited)


def hover(client: Client) -> object:
    where = {"textDocument": {"uri": "file:///rgd.yaml"}, "position": {"line": 1, "character": 2}}
    return client.exchange("textDocument/hover", where)


@pytest.mark.usefixtures("in_little_memory")
@pytest.mark.parametrize(
    "text",
    [
        TEXT,
        TEXT + "        data:\n          a: |\n" + f"            {'x' * 60}\n" * 100_000,
        "---\n".join([TEXT] * 500),
        TEXT + "# kro-ls: ignore[unresolved-reference]\n" * 20_000,
        TEXT + "        data: {a: '${" + '"' * 1_000_000 + "}'}\n",
    ],
    ids=["small", "block", "documents", "comments", "quotes"],
)
def test_little_memory_is_enough(text: str) -> None:
    with Client(started=True) as client:
        client.initialize()
        client.open(text, "file:///large.yaml")
        client.open(TEXT)
        assert "result" in str(hover(client))
        assert client.request("shutdown") is None
        client.notify("exit")
        assert client.exit_status() == 0


@pytest.mark.usefixtures("in_little_memory")
def test_what_does_not_fit_is_reported_and_the_server_lives() -> None:
    with Client(started=True) as client:
        client.initialize()
        client.open(TEXT)
        assert client.process.stdin
        length = 250 * 1024**2  # fits into no 256 MB twice
        client.process.stdin.write(b"Content-Length: %d\r\n\r\n" % length)
        for _ in range(250):
            client.process.stdin.write(b" " * 1024**2)
        client.process.stdin.flush()
        assert client.wait(lambda message: "error" in message)["error"]["code"] in (-32700, -32600)
        assert "result" in str(hover(client))


WRITER = """
import sys
from pathlib import Path
from kro_ls.openapi.sources.disk_cache import DiskCache
cache = DiskCache(Path(sys.argv[1]))
content = b"x" * 40_000
print("ready", flush=True)
while True:
    cache.put("names", content, ["value"] * 50_000)
"""


def test_a_process_that_is_killed_while_it_writes_leaves_no_broken_cache(tmp_path: Path) -> None:
    content = b"x" * 40_000
    for number in range(8):
        command = [sys.executable, "-c", WRITER, str(tmp_path)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT) as writer:
            assert writer.stdout
            writer.stdout.readline()
            time.sleep(0.003 * number)
            writer.send_signal(signal.SIGKILL)
        assert DiskCache(tmp_path).get("names", content, object) in (None, ["value"] * 50_000)
    DiskCache(tmp_path).put("names", content, ["new"])
    assert DiskCache(tmp_path).get("names", content, object) == ["new"]


def test_two_processes_share_a_cache(tmp_path: Path) -> None:
    content = b"x" * 40_000
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path)], stdout=subprocess.PIPE, cwd=ROOT) for _ in "ab"
    ]
    try:
        for writer in writers:
            assert writer.stdout
            writer.stdout.readline()
        seen = [DiskCache(tmp_path).get("names", content, object) for _ in range(50)]
        assert all(value in (None, ["value"] * 50_000) for value in seen)
    finally:
        for writer in writers:
            writer.kill()
            writer.communicate()


FILLING = """
import resource, sys
from pathlib import Path
from kro_ls.openapi.sources.disk_cache import DiskCache
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
cache, content = DiskCache(Path(sys.argv[1])), b"x" * 40_000
cache.put("names", content, ["value"] * 50_000)
print(cache.get("names", content, object))
"""


def test_what_finds_no_room_on_the_disk_leaves_nothing(tmp_path: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-c", FILLING, str(tmp_path)], capture_output=True, text=True, cwd=ROOT, check=True
    )
    assert run.stdout == "None\n"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full disk here")
def test_a_log_that_finds_no_room_does_not_stop_the_server() -> None:
    with Client("--log-file", "/dev/full", "--log-level", "debug", started=True) as client:
        client.initialize()
        client.open(TEXT)
        assert "result" in str(hover(client))
        assert client.request("shutdown") is None
        client.notify("exit")
        assert client.exit_status() == 0


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b"\xff", b"null", b'{"format": "x"}', b"[" * 100_000])
def test_a_damaged_entry_counts_as_absent(tmp_path: Path, damage: bytes) -> None:
    cache, content = DiskCache(tmp_path), b"x" * 40_000
    cache.put("names", content, ["a"])
    (entry,) = tmp_path.iterdir()
    entry.write_bytes(damage)
    assert cache.get("names", content, object) is None


def test_files_from_the_future_are_kept_and_what_is_left_of_a_killed_process_goes(tmp_path: Path) -> None:
    cache, content = DiskCache(tmp_path), b"x" * 40_000
    cache.put("names", content, ["a"])
    (entry,) = tmp_path.iterdir()
    future = time.time() + 10**9
    os.utime(entry, (future, future))
    left = entry.with_suffix(".99999")
    left.write_bytes(json.dumps({"half": "written"}).encode()[:5])
    os.utime(left, (0, 0))
    again = DiskCache(tmp_path)
    again.put("others", content, ["b"])
    assert again.get("names", content, object) == ["a"]
    assert not left.exists()


@pytest.mark.parametrize(
    ("method", "part"),
    [
        ("definition", "schema.metadata"),
        ("codeLens", "schema.metadata"),
        ("hover", "ConfigMap"),  # in an expression it would show the preview, which may come late
        ("documentHighlight", "schema.metadata"),
    ],
)
def test_a_slow_document_is_answered_as_others_are(method: str, part: str) -> None:
    with Client() as client:
        client.initialize()
        answers = []
        for uri, text in (("file:///same.yaml", TEXT), ("file:///same.yaml", TEXT + "#" * 1_000_000)):
            client.open(text, uri)
            line, _, before = TEXT[: TEXT.index(part)].rpartition("\n")
            place = {"line": line.count("\n") + 1, "character": len(before)}
            where = {"textDocument": {"uri": uri}, "position": place}
            answers.append(client.exchange(f"textDocument/{method}", where)["result"])
            client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        assert answers[0]
        assert answers[0] == answers[1]
