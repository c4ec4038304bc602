"""Edits of an instance that may affect an expression: each changes one field of `spec`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.cluster.client import Object


def edits(spec: Object) -> Iterator[tuple[str, Object]]:
    """Yield changed copies of a `spec`, each with the path of its change: booleans first, strings last."""
    leaves = sorted(_leaves(spec), key=lambda each: (_rank(each[1]), each[0]))
    for path, value in leaves:
        yield ".".join(path), _with(spec, path, _changed(value))


def _leaves(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    if isinstance(value, dict):
        for key, each in value.items():
            yield from _leaves(each, (*path, key))
    elif value is not None:
        yield path, value


def _rank(value: Any) -> int:
    kinds = (bool, int, list, str)
    return next((rank for rank, kind in enumerate(kinds) if isinstance(value, kind)), len(kinds))


def _changed(value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, list):
        return value[:-1]
    return f"{value}2" if isinstance(value, str) else value + 1


def _with(spec: Any, path: tuple[str, ...], value: Any) -> Any:
    first, *rest = path
    return {**spec, first: _with(spec[first], tuple(rest), value) if rest else value}
