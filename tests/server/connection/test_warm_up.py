"""The modules that are loaded in idle time."""

from __future__ import annotations

import asyncio
import logging
import subprocess
import sys
import threading

import pytest

from kro_ls.server.connection.warm_up import _warm_up
from kro_ls.server.previews import graphs
from kro_ls.server.server import KroLanguageServer


def test_all_of_it_can_be_loaded(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        _warm_up(KroLanguageServer().protocol)
    assert caplog.records == []


def test_a_rehearsal_sends_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    protocol = KroLanguageServer().protocol
    protocol.rehearse(
        {"textDocument/hover": {"textDocument": {"uri": "file:///a"}, "position": {"line": 0, "character": 0}}}, []
    )
    assert capfd.readouterr().out == ""


@pytest.mark.asyncio
async def test_what_graphs_need_is_loaded_in_an_idle_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graphs, "DRAWING_SECONDS", 0.0)
    threads: list[str] = []
    monkeypatch.setattr(graphs, "import_module", lambda _: threads.append(threading.current_thread().name))
    server, is_idle = KroLanguageServer(), asyncio.Event()

    async def idle() -> None:
        await is_idle.wait()

    server.graphs.load_later(idle)
    await asyncio.sleep(0.05)
    assert threads == []
    is_idle.set()
    await asyncio.sleep(0.05)
    await server.graphs.loaded()
    assert threads == ["drawing"]


def test_a_server_is_made_without_what_can_come_later() -> None:
    script = (
        "import sys; from kro_ls.server.requests import create_server; create_server(); "
        "late = ('ruamel', 'networkx', 'jsonschema', 'kro_ls.features', 'kro_ls.analysis', 'kro_ls.rules'); "
        "early = ('kro_ls.features', 'kro_ls.features.lsp_types'); "
        "print([name for name in sys.modules if name.startswith(late) and name not in early])"
    )
    finished = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    assert finished.stdout.strip() == "[]"
