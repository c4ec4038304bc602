"""Runs commands inside the test's process."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from kro_ls.cli.main import cli
from tests.fixtures.processes import Invoke


@pytest.fixture
def invoke(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Invoke:
    """Run a command in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str, stdin: str | bytes | None = None) -> Result:
        return CliRunner().invoke(cli, arguments, input=stdin, catch_exceptions=False)

    return run
