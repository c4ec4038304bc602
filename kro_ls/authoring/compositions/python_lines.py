"""The lines of the user's program: the one that runs now, and those of the arguments of the call that runs.

The user's frame is the nearest that is not of this package.
"""

from __future__ import annotations

import ast
import linecache
import sys
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from msgspec import Struct

from kro_ls.authoring.python_fields import schema_field

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from types import FrameType


_OURS: Final = str(Path(__file__).parents[1])


class PythonLine(Struct, frozen=True):
    """A line of a program; lines count from 1."""

    path: str
    line: int


def user_frame() -> FrameType | None:
    """Return the frame of the user's program that runs now, None where there is none."""
    frame: FrameType | None = sys._getframe(1)  # noqa: SLF001 # the only way to ask for one frame without the others
    while frame is not None and frame.f_code.co_filename.startswith(_OURS):
        frame = frame.f_back
    return frame


def current_line() -> PythonLine | None:
    """Return the line of the user's program that runs now, None where there is none."""
    frame = user_frame()
    return PythonLine(frame.f_code.co_filename, frame.f_lineno) if frame is not None else None


_Place: TypeAlias = "tuple[int | None, int | None, int | None, int | None]"
_INSTRUCTION: Final = 2


def call_lines() -> dict[tuple[str | int, ...], PythonLine]:
    """Return the lines of the arguments of the call that runs in the user's program, by their paths."""
    frame = user_frame()
    if frame is None:
        return {}
    path = frame.f_code.co_filename
    place = next(islice(frame.f_code.co_positions(), frame.f_lasti // _INSTRUCTION, None), None)
    source = "".join(linecache.getlines(path, frame.f_globals))
    call = _calls(source).get(place) if place else None
    if call is None:
        return {}
    return {names: PythonLine(path, line) for names, line in _arguments(call, ())}


@lru_cache(maxsize=16)  # of the files of a program
def _calls(source: str) -> Mapping[_Place, ast.Call]:
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return {}
    calls = (each for each in ast.walk(tree) if isinstance(each, ast.Call))
    return {(each.lineno, each.end_lineno, each.col_offset, each.end_col_offset): each for each in calls}


def _arguments(call: ast.Call, above: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], int]]:
    for keyword in call.keywords:
        if keyword.arg is not None:
            path = (*above, schema_field(keyword.arg))
            yield path, keyword.lineno
            yield from _inside(keyword.value, path)


def _inside(value: ast.expr, above: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], int]]:
    if isinstance(value, ast.Call):
        yield from _arguments(value, above)
    elif isinstance(value, ast.Dict):
        for key, inner in zip(value.keys, value.values, strict=True):
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                yield (*above, key.value), key.lineno
                yield from _inside(inner, (*above, key.value))
    elif isinstance(value, ast.List | ast.Tuple) and not any(isinstance(each, ast.Starred) for each in value.elts):
        for number, item in enumerate(value.elts):
            yield (*above, number), item.lineno
            yield from _inside(item, (*above, number))
