"""What is loaded in idle time."""

from __future__ import annotations

import logging
import subprocess
import sys

import pytest

from kro_ls.server.connection.warm_up import _warm_up
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


def test_a_server_is_made_without_what_can_come_later() -> None:
    script = (
        "import sys; from kro_ls.server.requests import create_server; create_server(); "
        "late = ('ruamel', 'networkx', 'jsonschema', 'kro_ls.features', 'kro_ls.analysis', 'kro_ls.rules'); "
        "early = ('kro_ls.features', 'kro_ls.features.lsp_types'); "
        "print([name for name in sys.modules if name.startswith(late) and name not in early])"
    )
    finished = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    assert finished.stdout.strip() == "[]"
