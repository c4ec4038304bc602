"""`kro-ls plan` of 1,000 instances of edited definitions against a commit, on all cores. No text occurs twice."""

from __future__ import annotations

import compileall
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.connection import ROOT
from benchmarks.definitions import READERS, definition
from benchmarks.report import Row

if TYPE_CHECKING:
    from collections.abc import Iterator

INSTANCES, QUICK_INSTANCES = 1_000, 60
SIZES = (4, 7, 10, 14, 18)
"""How many resources the definitions have."""
BAR = 10.0  # seconds on two cores


def measure(*, quick: bool) -> Iterator[Row]:
    """Yield the rows of the table."""
    instances = QUICK_INSTANCES if quick else INSTANCES
    compileall.compile_dir(ROOT / "kro_ls", quiet=1)  # an installation has compiled modules
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        seed = time.time_ns() % 1_000_000
        _write(folder, instances, seed)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        started = time.perf_counter()
        command = [sys.executable, "-m", "kro_ls", "plan", ".", "--format", "json"]
        environment = {**os.environ, "XDG_CACHE_HOME": str(folder / "cache"), "PYTHONPATH": str(ROOT)}
        ran = subprocess.run(command, cwd=folder, capture_output=True, env=environment, check=False)
        seconds = time.perf_counter() - started
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    plan = json.loads(ran.stdout)
    changed = [each for each in plan["instances"] if each["objects"] and each["after"] == "ACTIVE"]
    if len(changed) != instances:
        raise RuntimeError(f"{len(changed)} of {instances} instances were planned: {ran.stderr.decode()[:200]}")
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    what = f"kro-ls plan of {instances:,} instances of {len(SIZES)} edited definitions, {os.cpu_count()} cores"
    share = instances / INSTANCES
    yield Row("plans", what, "s", seconds, cpu_ms=cpu * 1000, bar=max(BAR * share, 1.5), judged=seconds)


def _write(folder: Path, instances: int, seed: int) -> None:
    """Write a repository with definitions and instances of them, and edit each definition after the commit."""
    names = [seed + number for number in range(len(SIZES))]
    texts = [definition(size, name).text for size, name in zip(SIZES, names, strict=True)]
    for name, text in zip(names, texts, strict=True):
        (folder / f"rgd-{name}.yaml").write_text(text)
    for number in range(instances):
        fields = "".join(f"  {each}: [a{number}]\n" for each in READERS)
        text = (
            f"apiVersion: kro.run/v1alpha1\nkind: Generated{names[number % len(SIZES)]}\n"
            f"metadata: {{name: i{number}, namespace: team}}\n"
            f"spec:\n  name: i{seed}x{number}\n  replicas: {number % 5 + 1}\n{fields}"
        )
        (folder / f"instance-{number}.yaml").write_text(text)
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.com"]
    for arguments in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "before"]):
        subprocess.run([*git, *arguments], cwd=folder, check=True, capture_output=True)
    for name, text in zip(names, texts, strict=True):
        edited = text.replace("tier: web", f"tier: web{seed}").replace('-0"', '-first"')
        (folder / f"rgd-{name}.yaml").write_text(edited)
