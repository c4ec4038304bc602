"""Asks Go: runs the program in tests/golang/oracle."""

import json
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

SOURCES = Path(__file__).parent / "oracle"

needs_go = pytest.mark.skipif(shutil.which("go") is None, reason="there is no Go here")


def built(folder: Path) -> Path:
    """Return the oracle, compiled into a folder."""
    downloaded = subprocess.run(["go", "mod", "download"], cwd=SOURCES, capture_output=True, text=True, check=False)
    if downloaded.returncode:
        pytest.skip(f"the modules of the oracle cannot be had: {downloaded.stderr[:200]}")
    oracle = folder / "oracle"
    subprocess.run(["go", "build", "-o", str(oracle), "."], cwd=SOURCES, check=True)
    return oracle


def ask(oracle: Path, function: str, questions: Iterable[list[str]]) -> list[Any]:
    """Return Go's answer to each list of arguments."""
    lines = (json.dumps({"function": function, "arguments": arguments}) for arguments in questions)
    answered = subprocess.run([str(oracle)], input="\n".join(lines), capture_output=True, text=True, check=True)
    return [json.loads(line) for line in answered.stdout.rstrip("\n").split("\n")]
