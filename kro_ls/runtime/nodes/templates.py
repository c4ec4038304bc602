"""Fills values into templates and statuses.

Source: kro `pkg/runtime/resolver`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kro_ls.kro.custom_values import OMIT
from kro_ls.openapi.json_values import copy_json

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kro_ls.analysis.model.paths import Path
    from kro_ls.openapi.json_values import JsonObject


def without_omitted(value: Any) -> Any:
    """Return a deep copy without the fields and elements that are `omit()`. A container that this empties stays."""
    if value.__class__ is dict:
        return {name: without_omitted(inner) for name, inner in value.items() if inner is not OMIT}
    if value.__class__ is list:
        return [without_omitted(inner) for inner in value if inner is not OMIT]
    return value


def fill(template: JsonObject, values: Iterable[tuple[Path, Any]]) -> JsonObject:
    """Return a copy of the template with values in place of what stands at their paths, `omit()` carried out."""
    filled: Any = copy_json(template)
    for path, value in values:
        parent = filled
        for step in path[:-1]:
            parent = parent[step]
        parent[path[-1]] = value
    result: JsonObject = without_omitted(filled)
    return result


def upsert(target: JsonObject, path: Path, value: Any) -> None:
    """Write a value, making the objects and lists on the way; a list grows with nulls up to the index."""
    parent: Any = target
    for depth, step in enumerate(path):
        if isinstance(step, int) and step >= len(parent):
            parent.extend([None] * (step + 1 - len(parent)))
        if depth == len(path) - 1:
            parent[step] = value
            return
        inner = parent[step] if isinstance(step, int) else parent.get(step)
        if inner is None:
            inner = parent[step] = [] if isinstance(path[depth + 1], int) else {}
        parent = inner


def merge(base: Any, changes: Any) -> Any:
    """Return a copy of `base` with the fields of `changes` in it; anything but objects is replaced as a whole."""
    if not (isinstance(base, dict) and isinstance(changes, dict)):
        return copy_json(changes)
    merged = copy_json(base)
    for name, value in changes.items():
        merged[name] = merge(merged.get(name), value)
    return merged
