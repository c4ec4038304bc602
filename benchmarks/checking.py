"""`kro-ls check` of 10,000 published definitions on all cores. No text occurs twice."""

from __future__ import annotations

import compileall
import os
import resource
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.connection import ROOT
from benchmarks.process import resident_megabytes
from benchmarks.published import write_definitions
from benchmarks.report import Row

if TYPE_CHECKING:
    from collections.abc import Iterator

FILES, QUICK_FILES = 10_000, 200
BAR, CPU_BAR = 30.0, 50.0  # seconds of wall time on two cores, and of processor time
POLL_SECONDS = 0.25


def measure(*, quick: bool) -> Iterator[Row]:
    """Yield the rows of the table."""
    files = QUICK_FILES if quick else FILES
    compileall.compile_dir(ROOT / "kro_ls", quiet=1)  # an installation has compiled modules
    with tempfile.TemporaryDirectory() as name:
        size = write_definitions(Path(name), files)
        yield Row("checking", f"YAML of {files:,} definitions", "MB", size / 1_000_000)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [sys.executable, "-m", "kro_ls", "check", name, "--format", "concise"]
        started = time.perf_counter()
        environment = {**os.environ, "XDG_CACHE_HOME": str(Path(name) / "cache")}
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, env=environment) as process:
            assert process.stdout is not None
            os.set_blocking(process.stdout.fileno(), False)
            output, peak = b"", 0.0
            while process.poll() is None:
                output += process.stdout.read() or b""
                with suppress(OSError, StopIteration):  # one of the processes has just ended
                    peak = max(peak, resident_megabytes(process.pid))
                time.sleep(POLL_SECONDS)
            output += process.stdout.read() or b""
    seconds = time.perf_counter() - started
    if f"Checked {files} files".encode() not in output:
        raise RuntimeError("not all files were checked")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    share = files / FILES
    what = f"kro-ls check of them, {os.cpu_count()} cores"
    yield Row("checking", what, "s", seconds, cpu_ms=cpu * 1000, bar=BAR * share, judged=seconds)
    yield Row("checking", "the same, processor time of all its processes", "s", cpu, bar=CPU_BAR * share, judged=cpu)
    yield Row("checking", "memory of all its processes together", "MB", peak)
