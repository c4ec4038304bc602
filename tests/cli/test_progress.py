from __future__ import annotations

import io
import sys

import pytest

from kro_ls.cli import progress
from kro_ls.cli.progress import Progress


class Stream(io.StringIO):
    """A standard error that may be a terminal."""

    def __init__(self, *, terminal: bool) -> None:
        super().__init__()
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal


@pytest.mark.parametrize("terminal", [True, False])
@pytest.mark.parametrize("quiet", [True, False])
@pytest.mark.parametrize("patience", [-1.0, 1000.0])
def test_every_item_comes_once(monkeypatch: pytest.MonkeyPatch, terminal: bool, quiet: bool, patience: float) -> None:
    stream = Stream(terminal=terminal)
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(progress, "_PATIENCE_SECONDS", patience)
    for count in (0, 1, 2, 50):
        assert list(Progress(is_quiet=quiet).of("Checking", range(count), count)) == list(range(count))
    is_shown = terminal and patience < 0 and not quiet
    assert ("Checking 1 of 50 files" in stream.getvalue()) == is_shown
    assert stream.getvalue().endswith("\r\x1b[K") == is_shown, "the line is taken away"
    if not is_shown:
        assert stream.getvalue() == ""


def test_a_total_that_is_not_known_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Stream(terminal=True)
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(progress, "_PATIENCE_SECONDS", -1.0)
    list(Progress().of("Reading", iter("abc")))
    assert "Reading 1 files" in stream.getvalue()
