"""Paths inside an object, in kro's notation: `spec.containers[0].env`, `metadata.labels["a.b/c"]`.

Source: kro `pkg/graph/fieldpath`.
"""

from __future__ import annotations

from typing import TypeAlias

Path: TypeAlias = tuple[str | int, ...]


def short_path(path: Path) -> str:
    """Return the last name of a path with the indexes after it, for messages at the place that it leads to."""
    last = next((number for number in reversed(range(len(path))) if isinstance(path[number], str)), 0)
    return format_path(path[last:])


def format_path(path: Path) -> str:
    """Return `path` as kro prints it."""
    text = ""
    for step in path:
        if isinstance(step, int):
            text += f"[{step}]"
        elif step == "" or "." in step:
            text += f'["{step}"]'
        else:
            text += f".{step}" if text else step
    return text
