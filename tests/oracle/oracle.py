"""Asks the oracle: `ask("0.9.4", cases)` gives kro's answers to cases, in their order."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, TypeAlias

ROOT = Path(__file__).parents[2]

Case: TypeAlias = dict[str, Any]


def ask(version: str, cases: Iterable[Case], options: Sequence[str] = ()) -> list[Case]:
    """Return kro's answers to cases; raises subprocess.CalledProcessError if the oracle cannot be built or run."""
    command = [str(ROOT / "scripts" / "oracle"), version, *options]
    questions = "".join(f"{json.dumps(each)}\n" for each in cases)
    answers = subprocess.run(command, input=questions, stdout=subprocess.PIPE, check=True, encoding="utf-8").stdout
    return [json.loads(line) for line in answers.split("\n") if line]  # a text may contain other line breaks
