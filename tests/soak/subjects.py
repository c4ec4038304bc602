"""All kinds of attacks within a process, and how one is run."""

from __future__ import annotations

import logging
import signal
import traceback
from typing import TYPE_CHECKING

from pygls.exceptions import JsonRpcException, JsonRpcInternalError

from tests.soak.bombs import BOMBS
from tests.soak.definitions import PREVIEWS, TEXTS
from tests.soak.edits import EDITS, REQUESTS
from tests.soak.expressions import CEL, CEL_IN_PLACE, REGEXES
from tests.soak.frames import FRAMES
from tests.soak.kinds import CRDS, SWAGGER_FILES
from tests.soak.testfiles import TEST_FILES

if TYPE_CHECKING:
    from types import FrameType

SUBJECTS = {
    "edits": EDITS,
    "requests": REQUESTS,
    "yaml": TEXTS,
    "cel": CEL,
    "cel-in-place": CEL_IN_PLACE,
    "regexes": REGEXES,
    "crds": CRDS,
    "swagger": SWAGGER_FILES,
    "tests": TEST_FILES,
    "frames": FRAMES,
    "previews": PREVIEWS,
    "bombs": BOMBS,
}


LONGEST_SECONDS = 1.0
"""Seconds of processor time for each input, because a process of low priority waits for others."""


class HangError(Exception):
    """An input took longer than allowed."""


def attack(kind: str, given: str, longest_seconds: float = LONGEST_SECONDS) -> int:
    """Return how many inputs a text had. Raises any failure, even if the server contained and logged it."""
    errors, hung = _Errors(), HangError("this took too much processor time")
    has_hung = False

    def hang(_number: int, _frame: FrameType | None) -> None:
        nonlocal has_hung
        has_hung = True
        raise hung

    logging.getLogger().addHandler(errors)
    signal.signal(signal.SIGPROF, hang)
    signal.setitimer(signal.ITIMER_PROF, longest_seconds, longest_seconds)
    try:
        count = SUBJECTS[kind].run(given)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        logging.getLogger().removeHandler(errors)
    if has_hung:
        raise hung  # even if the server contained it
    if errors.records:
        record = errors.records[0]
        raise AssertionError(record.getMessage()) from (record.exc_info[1] if record.exc_info else None)
    return count


class _Errors(logging.Handler):
    """Stores logged errors of ours; pygls also logs the client's errors, which it has answered."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        given = record.args[0] if isinstance(record.args, tuple) and record.args else None
        error = record.exc_info[1] if record.exc_info else given
        if isinstance(error, JsonRpcException) and error.code != JsonRpcInternalError.CODE:
            return
        frames = traceback.extract_tb(error.__traceback__) if isinstance(error, BaseException) else []
        is_ours = any("/kro_ls/" in each.filename and "/protocol.py" not in each.filename for each in frames)
        if is_ours or (not frames and record.name.startswith("kro_ls")) or record.name == "asyncio":
            self.records.append(record)
