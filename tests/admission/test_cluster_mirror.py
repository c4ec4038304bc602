"""The definitions of a cluster as files, from an API server that is played; `tests/cluster` asks a real one."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import SimpleQueue
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from kro_ls.admission.cluster_mirror import ClusterError, ClusterMirror
from tests.admission.test_reviewer import WEB, value_of
from tests.fixtures.crds import crd

pytest.importorskip("kubernetes")

RGDS, CRDS = "resourcegraphdefinitions", "customresourcedefinitions"


class Server(ThreadingHTTPServer):
    """An API server with two lists, which reports the changes that a test puts into its queues."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.lists: dict[str, list[Any]] = {RGDS: [], CRDS: []}
        self.changes: dict[str, SimpleQueue[Any]] = {RGDS: SimpleQueue(), CRDS: SimpleQueue()}
        self.refused: set[str] = set()
        self.versions: list[str] = []


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Server

    def do_GET(self) -> None:
        address = urlsplit(self.path)
        query, plural = parse_qs(address.query), address.path.rpartition("/")[2]
        if plural in self.server.refused:
            self._send(403, {"kind": "Status", "reason": "Forbidden", "message": "no"})
        elif "watch" not in query:
            items = self.server.lists[plural]
            start = int(query.get("continue", ["0"])[0])
            more = {"continue": str(start + 1)} if start + 1 < len(items) else {}
            self._send(200, {"items": items[start : start + 1], "metadata": {"resourceVersion": "7", **more}})
        else:
            self.server.versions += query["resourceVersion"]
            self.send_response(200)
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            while (change := self.server.changes[plural].get()) is not None:
                self._chunk(json.dumps(change).encode() + b"\n")
            self._chunk(b"")

    def _chunk(self, text: bytes) -> None:
        self.wfile.write(b"%x\r\n%b\r\n" % (len(text), text))

    def _send(self, status: int, value: object) -> None:
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (http.server's name)
        """Say nothing."""


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    serving = Server()
    kubeconfig = tmp_path / "kubeconfig"
    context = {"name": "played", "context": {"cluster": "played", "user": "played"}}
    cluster = {"name": "played", "cluster": {"server": f"http://127.0.0.1:{serving.server_port}"}}
    config = {"clusters": [cluster], "contexts": [context], "users": [{"name": "played", "user": {}}]}
    kubeconfig.write_text(json.dumps({**config, "current-context": "played"}), encoding="utf-8")
    monkeypatch.setenv("KUBECONFIG", str(kubeconfig))
    threading.Thread(target=serving.serve_forever, daemon=True).start()
    yield serving
    for changes in serving.changes.values():
        changes.put(None)
    serving.shutdown()
    serving.server_close()


@pytest.fixture
def mirror(server: Server, tmp_path: Path) -> Iterator[ClusterMirror]:
    mirroring = ClusterMirror(tmp_path / "mirror")
    yield mirroring
    mirroring.close()


def definition(name: str, version: str = "1", **more: Any) -> Any:
    value = value_of(WEB)
    return {**value, "metadata": {"name": name, "resourceVersion": version, "managedFields": []}, **more}


def started(mirror: ClusterMirror) -> Path:
    mirror.start()
    mirror.wait(30)
    return mirror.folder


def names(folder: Path, plural: str) -> list[str]:
    return sorted(each.name for each in (folder / plural).iterdir())


def until_names(folder: Path, plural: str, wanted: list[str]) -> None:
    ends = time.monotonic() + 30
    while names(folder, plural) != wanted:
        assert time.monotonic() < ends, names(folder, plural)
        time.sleep(0.02)


def test_all_pages_of_a_list_become_files(server: Server, mirror: ClusterMirror) -> None:
    server.lists[RGDS] = [definition("one"), definition("two"), definition("three")]
    server.lists[CRDS] = [crd()]
    (mirror.folder / RGDS / "gone.yaml").write_text("a: 1\n", encoding="utf-8")
    folder = started(mirror)
    assert names(folder, RGDS) == ["one.yaml", "three.yaml", "two.yaml"]
    assert names(folder, CRDS) == ["widgets.example.com.yaml"]
    assert "managedFields" not in (folder / RGDS / "one.yaml").read_text(encoding="utf-8")


def test_definitions_that_kro_generates_are_known_from_their_source(server: Server, mirror: ClusterMirror) -> None:
    generated: Any = crd()
    generated["metadata"]["labels"] = {"kro.run/owned": "true"}
    server.lists[CRDS] = [generated]
    assert names(started(mirror), CRDS) == []


def test_changes_are_followed(server: Server, mirror: ClusterMirror) -> None:
    server.lists[RGDS] = [definition("one")]
    folder = started(mirror)
    server.changes[RGDS].put({"type": "ADDED", "object": definition("two", "8")})
    until_names(folder, RGDS, ["one.yaml", "two.yaml"])
    server.changes[RGDS].put({"type": "DELETED", "object": definition("one", "9")})
    until_names(folder, RGDS, ["two.yaml"])
    server.changes[RGDS].put(None)  # the watch ends, and continues after the last change it has seen
    server.changes[RGDS].put({"type": "ADDED", "object": definition("three", "10")})
    until_names(folder, RGDS, ["three.yaml", "two.yaml"])
    assert {"7", "9"} <= set(server.versions)


def test_a_status_that_kro_writes_touches_no_file(server: Server, mirror: ClusterMirror) -> None:
    server.lists[RGDS] = [definition("one")]
    folder = started(mirror)
    before = (folder / RGDS / "one.yaml").stat().st_mtime_ns
    server.changes[RGDS].put({"type": "MODIFIED", "object": definition("one", "8", status={"state": "Active"})})
    server.changes[RGDS].put({"type": "ADDED", "object": definition("two", "9")})
    until_names(folder, RGDS, ["one.yaml", "two.yaml"])
    assert (folder / RGDS / "one.yaml").stat().st_mtime_ns == before


def test_a_version_that_is_too_old_is_listed_anew(server: Server, mirror: ClusterMirror) -> None:
    server.lists[RGDS] = [definition("one")]
    folder = started(mirror)
    server.lists[RGDS] = [definition("two")]
    server.changes[RGDS].put(
        {"type": "ERROR", "object": {"kind": "Status", "code": 410, "reason": "Expired", "message": "too old"}}
    )
    until_names(folder, RGDS, ["two.yaml"])
    assert mirror.failures == 0


def test_what_may_not_be_read_does_not_keep_the_rest_away(server: Server, mirror: ClusterMirror) -> None:
    server.refused.add(CRDS)
    server.lists[RGDS] = [definition("one")]
    assert names(started(mirror), RGDS) == ["one.yaml"]
    assert mirror.failures == 1


def test_a_name_is_no_way_out_of_the_folder(server: Server, mirror: ClusterMirror, tmp_path: Path) -> None:
    server.lists[RGDS] = [definition("../../outside"), definition(".hidden"), definition("")]
    assert names(started(mirror), RGDS) == ["outside.yaml"]
    assert sorted(each.name for each in tmp_path.iterdir()) == ["kubeconfig", "mirror"]


def test_no_cluster_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KUBECONFIG", str(tmp_path / "none"))
    with pytest.raises(ClusterError):
        ClusterMirror(tmp_path)
