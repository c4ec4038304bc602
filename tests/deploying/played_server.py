"""A fake API server: it reports its version, has ConfigMaps, and answers an apply as a test wants."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest


class PlayedServer(ThreadingHTTPServer):
    """What it answers to an apply are `code` and `answer`."""

    daemon_threads = True
    code = 200
    answer: object = {}


class _Answers(BaseHTTPRequestHandler):
    server: PlayedServer

    def do_GET(self) -> None:
        if self.path == "/version":
            self._send(200, {"gitVersion": "v1.36.3"})
        elif self.path == "/api/v1":
            kinds = [{"name": "configmaps", "kind": "ConfigMap", "namespaced": True}]
            self._send(200, {"resources": kinds})
        else:
            self._send(404, {"kind": "Status", "message": "not found"})

    def do_PATCH(self) -> None:
        self._send(self.server.code, self.server.answer)

    def _send(self, code: int, value: object) -> None:
        body = value if isinstance(value, bytes) else json.dumps(value).encode()
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (http.server's name)
        """Say nothing."""


def kubeconfig(folder: Path, port: int) -> Path:
    """Write a kubeconfig with the context `here`, and return its path."""
    config = {
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": "here",
        "clusters": [{"name": "here", "cluster": {"server": f"http://127.0.0.1:{port}"}}],
        "contexts": [{"name": "here", "context": {"cluster": "here", "user": "me", "namespace": "team"}}],
        "users": [{"name": "me", "user": {}}],
    }
    path = folder / "config"
    path.write_text(json.dumps(config), encoding="utf-8")
    return path


@pytest.fixture
def server() -> Iterator[PlayedServer]:
    serving = PlayedServer(("127.0.0.1", 0), _Answers)
    threading.Thread(target=serving.serve_forever, daemon=True).start()
    yield serving
    serving.shutdown()
    serving.server_close()
