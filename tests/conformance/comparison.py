"""What comparing kro-ls with one recorded answer of kro gives, and the cases of a data file."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

Case: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Comparison:
    """One compared field of one case; `detail` says in words how the two differ."""

    field: str
    case: str
    agrees: bool
    detail: str = ""


Comparator: TypeAlias = Callable[[Path, Path], Iterator[Comparison]]
"""Compares one data file (second) of a data folder (first)."""


def cases(file: Path) -> Iterator[Case]:
    """Yield the cases of a JSON-lines file."""
    with file.open(encoding="utf-8") as lines:
        for line in lines:
            if line.strip():
                yield json.loads(line)
