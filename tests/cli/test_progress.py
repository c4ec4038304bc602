from __future__ import annotations

import io
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from kro_ls.cli import progress
from kro_ls.cli.progress import Progress
from tests.fixtures.processes import GOOD, environment


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
    assert "Reading 1 file" in stream.getvalue()


@pytest.mark.parametrize("options", [(), ("-q",)])
def test_on_a_terminal_the_line_comes_on_standard_error_and_goes(tmp_path: Path, options: tuple[str, ...]) -> None:
    for name in "abc":
        (tmp_path / f"{name}.yaml").write_text(GOOD)
    code = (
        "from kro_ls.cli import progress; progress._PATIENCE_SECONDS = progress._BETWEEN_SECONDS = -1.0; "
        "from kro_ls.cli.main import main; main()"
    )
    controlling, terminal = pty.openpty()
    run = subprocess.run(
        [sys.executable, "-c", code, "check", ".", *options],
        cwd=tmp_path,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=terminal,
        check=True,
        timeout=120,
    )
    os.write(terminal, b"|")  # so that there is something to read
    printed = ""
    while not printed.endswith("|"):
        printed += os.read(controlling, 65536).decode()
    os.close(terminal)
    os.close(controlling)
    if options:
        assert (run.stdout, printed) == (b"", "|")
    else:
        assert "\r\x1b[KReading 1 file\r\x1b[KReading 2 files" in printed
        assert "\r\x1b[KChecking 3 of 3 files\r\x1b[K|" in printed
        assert b"\x1b" not in run.stdout
