from __future__ import annotations

import io
import sys

import pytest

from kro_ls.cli import progress
from kro_ls.cli.progress import with_progress


class Stream(io.StringIO):
    """A standard error that may be a terminal."""

    def __init__(self, *, terminal: bool) -> None:
        super().__init__()
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal


@pytest.mark.parametrize("terminal", [True, False])
@pytest.mark.parametrize("patience", [-1.0, 1000.0])
def test_every_item_comes_once(monkeypatch: pytest.MonkeyPatch, terminal: bool, patience: float) -> None:
    stream = Stream(terminal=terminal)
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(progress, "_PATIENCE_SECONDS", patience)
    monkeypatch.setenv("TERM", "xterm")
    for count in (0, 1, 2, 50):
        assert list(with_progress(range(count))) == list(range(count))
    assert ("Checking" in stream.getvalue()) == (terminal and patience < 0)
    if not terminal:
        assert stream.getvalue() == ""
