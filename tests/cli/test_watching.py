"""`kro-ls check --watch`: it runs again after a change, and ends quietly."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Timer

from kro_ls.cli.watching import state_of
from tests.fixtures.processes import ERROR, GOOD, environment

_SECONDS = 120


@contextmanager
def _watching(folder: Path, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    # A process that a shell started in the background ignores the signal, and its children would too.
    code = (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "from kro_ls.cli.main import main; main()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, "check", "--watch", *arguments],
        cwd=folder,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        timer = Timer(_SECONDS, process.kill)
        timer.start()
        try:
            yield process
        finally:
            timer.cancel()
            process.kill()


def _summary(process: subprocess.Popen[str]) -> str:
    """Return the last line of a run."""
    assert process.stdout
    return next((line for line in process.stdout if line.startswith("Checked ")), "nothing more")


def test_changes_new_files_and_settings_are_seen(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(GOOD)
    with _watching(tmp_path, ".") as process:
        assert "0 errors" in _summary(process)
        (tmp_path / "a.yaml").write_text(ERROR)
        assert "1 error," in _summary(process)
        (tmp_path / "b.yaml").write_text(ERROR)
        assert "Checked 2 files, 2 ResourceGraphDefinitions: 2 errors" in _summary(process)
        (tmp_path / ".kro-ls.yaml").write_text("severity: {unresolved-reference: off}\n")
        assert "0 errors" in _summary(process)
        (tmp_path / "b.yaml").unlink()
        assert "Checked 1 file, 1 " in _summary(process)
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0
        assert process.stderr
        assert set(process.stderr.read().splitlines()) == {"Watching for changes; Ctrl-C ends this."}


def test_a_mistake_in_the_settings_does_not_end_it(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(GOOD)
    (tmp_path / ".kro-ls.yaml").write_text("kubernetesVersion: '1.20'\n")
    with _watching(tmp_path, ".") as process:
        assert process.stderr
        assert "Watching" in next(line for line in process.stderr if "Watching" in line)
        (tmp_path / ".kro-ls.yaml").unlink()
        assert "0 errors" in _summary(process)


def test_on_a_terminal_the_screen_is_cleared_and_an_interrupt_ends_its_line(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(ERROR)
    process, terminal = pty.fork()
    if process == 0:
        os.chdir(tmp_path)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        command = [sys.executable, "-m", "kro_ls", "check", "--watch", "a.yaml"]
        os.execvpe(command[0], command, environment())
    printed = b""
    timer = Timer(_SECONDS, os.kill, (process, signal.SIGKILL))
    timer.start()
    while b"Ctrl-C ends this." not in printed:
        printed += os.read(terminal, 65536)
    assert printed.startswith(b"\x1b[2J\x1b[1;1H")
    os.write(terminal, b"\x03")
    _, status = os.waitpid(process, 0)
    timer.cancel()
    rest = os.read(terminal, 65536)
    os.close(terminal)
    assert os.waitstatus_to_exitcode(status) == 0
    assert rest.endswith(b"^C\r\n")


def test_the_state_holds_what_a_check_looks_at(tmp_path: Path) -> None:
    for name in ("a.yaml", "text.txt", ".kro-ls.yaml", "crds/crd.yaml"):
        (tmp_path / "in" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "in" / name).touch()
    inside = tmp_path / "in"
    found = {os.path.relpath(name, inside) for name in state_of((inside / "a.yaml",), (str(inside / "crds"),))}
    assert found >= {"a.yaml", ".kro-ls.yaml", "crds/crd.yaml"}
    assert "text.txt" not in found
