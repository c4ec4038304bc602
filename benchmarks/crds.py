"""1,000 large CustomResourceDefinitions in the workspace: until they are listed and one is used, and their cost."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.client import KRO_LS, Client
from benchmarks.connection import ROOT
from benchmarks.crd_files import group_version, kind, write_crds
from benchmarks.edits import Slot, position_of
from benchmarks.folders import is_known, user_of
from benchmarks.process import resident_megabytes
from benchmarks.report import Row, row_of

if TYPE_CHECKING:
    from collections.abc import Iterator

FILES, QUICK_FILES = 1000, 20
LISTED_BAR, USED_BAR, CHECK_BAR = 2.0, 50.0, 1.0  # seconds, milliseconds, seconds
USED = 20
GIVE_UP_SECONDS = 60.0
POLL_SECONDS = 0.1


def _is_listed(client: Client, uri: str, last: int, place: tuple[int, int]) -> bool:
    """Whether completion of `kind:` offers the kind of the last file."""
    answer, _ = client.answer(client.at("completion", uri, place))
    items = answer["items"] if isinstance(answer, dict) else answer or []
    return any(item["label"] == kind(last) for item in items)


def _listed(client: Client, uri: str, text: str, last: int) -> float | None:
    """Return the seconds from opening a file until the kinds are listed; None if that takes too long."""
    place = position_of(text, text.index("Widget") + len("Widg"))
    started = client.open(uri, text)
    with suppress(TimeoutError):
        while time.perf_counter() - started < GIVE_UP_SECONDS:
            if _is_listed(client, uri, last, place):
                return time.perf_counter() - started
            client.pause(POLL_SECONDS)
    return None


def _used(client: Client, uri: str, text: str, files: int) -> list[float]:
    """Return the milliseconds from the first edit that names a kind to a fault that its schema reveals."""
    start = text.index(group_version(files - 1))
    slot = Slot(text, start, text.index("\n        metadata", start))
    times = []
    for version in range(1, USED + 1):
        number = (version * files // USED) - 1
        change = slot.replace(f"{group_version(number)}\n        kind: {kind(number)}")
        sent = client.change(uri, version, change)

        def is_used(version: int = version) -> bool:
            return any(each.version == version and is_known(each.diagnostics) for each in client.published)

        client.wait(is_used)
        times.append((client.published[-1].at - sent) * 1000)
        client.settle()
    return times


def _server(folder: Path, files: int) -> Iterator[Row]:
    opened = user_of(group_version(files - 1), kind(files - 1)).text
    uri = (folder / "user.yaml").as_uri()
    listed = f"until {files:,} CRDs are listed"
    with Client(KRO_LS, folder) as client:
        client.initialize()
        seconds = _listed(client, uri, opened, files - 1)
        cpu = client.cpu_seconds * 1000
        if seconds is None:
            yield Row(
                "crds", listed, "s", GIVE_UP_SECONDS, cpu_ms=cpu, bar=LISTED_BAR, judged=GIVE_UP_SECONDS, limit=True
            )
            yield Row("crds", "memory of the server then", "MB", resident_megabytes(client.process.pid))
            client.process.kill()
            return
        yield Row("crds", listed, "s", seconds, cpu_ms=cpu, bar=LISTED_BAR, judged=seconds)
        client.settle()
        before = resident_megabytes(client.process.pid)
        yield Row("crds", "memory of the server then", "MB", before)
        yield row_of(
            "crds",
            "a kind used for the first time, edit to diagnostics",
            _used(client, uri, opened, files),
            bar=USED_BAR,
        )
        after = resident_megabytes(client.process.pid)
        yield Row("crds", f"memory for each of {USED} kinds used", "MB", (after - before) / USED)


def _check(folder: Path, files: int) -> Iterator[Row]:
    """Measure a whole run of `kro-ls check` on one file beside the definitions."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "user.yaml"
        path.write_text(user_of(group_version(files - 1), kind(files - 1)).text, encoding="utf-8")
        command = [sys.executable, "-m", "kro_ls", "check", str(path), "--crds", str(folder)]
        started = time.perf_counter()
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as process:
            status, usage = 0, None
            while not status and time.perf_counter() - started < GIVE_UP_SECONDS:
                status, _, usage = os.wait4(process.pid, os.WNOHANG)
                time.sleep(0.005)
            seconds = time.perf_counter() - started
            if not status:
                process.kill()
                _, _, usage = os.wait4(process.pid, 0)
            process.returncode = 0
            assert usage is not None
            assert process.stdout is not None
            if status and b"missingField" not in process.stdout.read():
                raise RuntimeError("kro-ls check did not use the CRD")
    cpu = (usage.ru_utime + usage.ru_stime) * 1000
    yield Row(
        "crds",
        f"kro-ls check beside {files:,}, whole process",
        "s",
        seconds,
        cpu_ms=cpu,
        bar=CHECK_BAR,
        judged=seconds,
        limit=not status,
    )
    yield Row("crds", "its peak memory", "MB", usage.ru_maxrss * 1024 / 1_000_000)


def measure(*, quick: bool) -> Iterator[Row]:
    """Yield the rows of the table."""
    files = QUICK_FILES if quick else FILES
    folder = ROOT / ".cache" / "benchmarks" / f"crds-{files}"
    size = write_crds(folder, files)
    yield Row("crds", f"YAML of {files:,} generated CRDs", "MB", size / 1_000_000)
    yield from _server(folder, files)
    yield from _check(folder, files)
