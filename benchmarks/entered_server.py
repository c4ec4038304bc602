"""Runs the server and writes which functions of kro-ls it enters: from one SIGUSR1 to the next SIGUSR2, in all threads.

The first argument is the file to write, with a line for each function: its module's path, and its name.
"""

from __future__ import annotations

import signal
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import CodeType, FrameType

entered: set[CodeType] = set()
is_watching = False


def watch(frame: FrameType, event: str, _argument: object) -> None:
    """Record a call."""
    if is_watching and event == "call":
        entered.add(frame.f_code)


def begin(_signal: int, _frame: FrameType | None) -> None:
    """Begin to record calls."""
    global is_watching  # noqa: PLW0603 - a signal handler has nothing else
    entered.clear()
    is_watching = True


def end(_signal: int, _frame: FrameType | None) -> None:
    """Write the recorded functions."""
    global is_watching  # noqa: PLW0603 - a signal handler has nothing else
    is_watching = False
    lines = [f"{code.co_filename}\t{code.co_qualname}" for code in entered]
    Path(written).write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    written = sys.argv[1]
    sys.argv = ["kro-ls", "serve"]
    sys.path.pop(0)  # this folder, whose modules share names with others
    signal.signal(signal.SIGUSR1, begin)
    signal.signal(signal.SIGUSR2, end)
    threading.setprofile(watch)
    sys.setprofile(watch)

    from kro_ls.cli.main import main

    main()
