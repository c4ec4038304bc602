"""Where in the user's program something was written: the frame nearest to it that is not of this package."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import Struct

if TYPE_CHECKING:
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
