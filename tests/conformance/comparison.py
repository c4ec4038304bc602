"""The result of comparing kro-ls with a recorded answer of kro, and the cases of a data file."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

Case: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Comparison:
    """One compared field of one case; `detail` describes the difference."""

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


def first_difference(ours: Any, wanted: Any, path: str = "") -> str | None:
    """Return where and how two JSON values differ, None if they are equal; 1 equals 1.0, but not true."""
    if isinstance(ours, dict) and isinstance(wanted, dict):
        for key in dict.fromkeys((*wanted, *ours)):
            if key not in ours or key not in wanted:
                return f"{path}.{key}: {'missing' if key not in ours else 'too much'}"
            found = first_difference(ours[key], wanted[key], f"{path}.{key}")
            if found:
                return found
        return None
    if isinstance(ours, list) and isinstance(wanted, list):
        if len(ours) != len(wanted):
            return f"{path}: {len(ours)} items, not {len(wanted)}"
        pairs = enumerate(zip(ours, wanted, strict=True))
        return next((found for index, pair in pairs if (found := first_difference(*pair, f"{path}[{index}]"))), None)
    same = ours == wanted and isinstance(ours, bool) is isinstance(wanted, bool)
    return None if same else f"{path}: ours {ours!r}, not {wanted!r}"
