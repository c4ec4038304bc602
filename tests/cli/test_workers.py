"""Work on several processes: order, output, and workers that die or hang."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from contextlib import nullcontext
from pathlib import Path

import pytest

from kro_ls import processes as processes_module
from kro_ls.cli import checking, workers
from kro_ls.cli.report import Failure
from kro_ls.cli.workers import Work
from kro_ls.processes import WorkerProcess
from tests.cli.worked import do
from tests.fixtures.definitions import rgd_of_config_maps
from tests.fixtures.processes import CYCLE, ERROR, GOOD, SILENCED_ERROR, WARNING, Invoke, environment


def results(items: list[str], processes: int = 2, seconds: float = 60.0) -> list[str | Failure]:
    waiting: list[WorkerProcess] = []
    found = dict(Work(do, items, processes, lambda item: 1.0 if item == "hang" else seconds, waiting).results())
    for process in waiting:
        process.close()
    return [found[number] for number in range(len(items))]


def test_a_process_does_one_work_after_another() -> None:
    waiting: list[WorkerProcess] = []
    assert dict(Work(do, ["a"], 1, lambda _: 60.0, waiting).results()) == {0: "A"}
    (process,) = waiting
    assert dict(Work(len, ["a", "bcd"], 1, lambda _: 60.0, waiting).results()) == {0: 1, 1: 3}
    assert waiting == [process]
    process.close()


@pytest.mark.parametrize("processes", [1, 2, 5])
def test_every_item_gets_its_result(processes: int) -> None:
    items = [f"item {number}" for number in range(100)]
    assert results(items, processes) == [each.upper() for each in items]


@pytest.mark.parametrize(
    ("item", "reason"),
    [
        ("kill", "SIGKILL ended its process; is there enough memory?"),
        ("leave", "its process ended with 3; please report it"),
        ("raise", "its process ended with 1; please report it"),
        ("hang", "it took longer than 1 seconds; please report it"),
    ],
)
def test_what_a_worker_dies_of_is_reported_for_that_item_alone(item: str, reason: str) -> None:
    items = [*map(str, range(20)), item, *map(str, range(20, 40)), item]
    found = results(items)
    assert found == [Failure(f"not checked: {reason}") if each == item else each for each in items]


def test_where_no_process_can_be_started_this_one_works(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nothing/here")
    assert results(["a", "b"]) == ["A", "B"]
    monkeypatch.setattr(sys, "executable", "/bin/false")
    assert results(["a", "b"]) == ["A", "B"]


def test_a_worker_imports_nothing_from_the_working_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "pickle.py").write_text("raise SystemExit(9)")
    monkeypatch.chdir(tmp_path)
    assert results(["a"]) == ["A"]


def _write_files(folder: Path) -> None:
    folder.mkdir()
    for number in range(40):
        text = (GOOD, ERROR, WARNING, CYCLE, SILENCED_ERROR)[number % 5]
        (folder / f"{number:02}.yaml").write_text(text.replace("kind: App", f"kind: App{number // 10}"))
    (folder / "user.yaml").write_text(rgd_of_config_maps(("config", "${schema.spec.x}")))
    (folder / "latin.yaml").write_bytes(ERROR.encode() + b"# \xff")
    (folder / "instance.yaml").write_text(
        "apiVersion: kro.run/v1alpha1\nkind: App1\nmetadata: {name: x}\nspec: {no: 1}\n"
    )


def test_the_output_is_that_of_one_process(invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    _write_files(Path("files"))
    formats = ("text", "concise", "json", "sarif", "github", "gitlab", "junit")
    commands = [("check", "files", "--format", each, "--show", "hints") for each in formats]
    alone = [invoke(*each) for each in commands]
    with checking.waiting_processes() as waiting:
        monkeypatch.setattr(checking, "waiting_processes", lambda: nullcontext(waiting))
        monkeypatch.setattr(checking, "_processes", lambda _texts: 2)
        shared = [invoke(*each) for each in commands]
        assert waiting, "no process shared the work"
    assert {each.exit_code for each in alone} == {2}
    for one, two in zip(alone, shared, strict=True):
        assert (two.stdout, two.stderr, two.exit_code) == (one.stdout, one.stderr, one.exit_code)


def test_a_file_that_kills_its_worker_is_reported(invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    _write_files(Path("files"))
    killer = (
        "import sys; sys.path[:] = sys.argv[1:]; import os, kro_ls.cli.file_check as f; old = f.check_file; "
        "f.check_file = lambda path, *more: os.abort() if path.endswith('07.yaml') else old(path, *more); "
        "from kro_ls.processes import main; main()"
    )
    monkeypatch.setattr(processes_module, "_PROGRAM", killer)
    monkeypatch.setattr(checking, "_processes", lambda _texts: 2)
    result = invoke("check", "files", "--format", "concise")
    assert "error: files/07.yaml: not checked: SIGABRT ended its process" in result.stderr
    assert "files/07.yaml" not in result.stdout
    assert "Checked 40 files, 39 ResourceGraphDefinitions" not in result.stdout
    assert "files/06.yaml" in result.stdout
    assert "files/08.yaml" in result.stdout
    assert result.exit_code == 2


def test_small_runs_start_no_process(invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nothing/here")
    monkeypatch.setattr(workers, "Work", None)
    _write_files(Path("files"))
    assert invoke("check", "files").exit_code == 2


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_workers_end_with_the_command(tmp_path: Path, number: int) -> None:
    resource = "".join(
        f"    - id: map{each}\n      template: {{apiVersion: v1, kind: ConfigMap}}\n" for each in range(40)
    )
    for each in range(400):
        (tmp_path / f"{each}.yaml").write_text(f"{GOOD}{resource}# {each}\n")
    code = (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "import kro_ls.cli.checking as c; c.cores = lambda: 2; from kro_ls.cli.main import main; main()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, "check", "."],
        cwd=tmp_path,
        env=environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stderr
        while len(started := _children(process.pid)) < 2 and process.poll() is None:
            time.sleep(0.02)
        assert process.poll() is None, "it ended before it had two workers"
        process.send_signal(number)
        stderr = process.stderr.read()
        assert process.wait(60) == (130 if number == signal.SIGINT else -number)
        assert stderr.strip() == b""
    for _ in range(600):
        if not any(map(_is_running, started)):
            break
        time.sleep(0.1)
    assert not any(map(_is_running, started))


def _children(process: int) -> list[int]:
    tasks = Path(f"/proc/{process}/task").glob("*/children")
    return [int(child) for task in tasks for child in task.read_text().split()]


def _is_running(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
