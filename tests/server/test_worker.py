"""Threads that work for a loop."""

from __future__ import annotations

import asyncio
import gc
import time
import weakref
from collections.abc import Callable
from typing import Any

import pytest

from kro_ls.server.preview_worker import PreviewWorker
from kro_ls.server.worker import Worker

Submit = Callable[[Callable[..., None]], asyncio.Future[None]]
SECONDS = 10


class _Large:
    """Stands for a document with all that is known of it."""


@pytest.mark.parametrize(
    "submit",
    [lambda work: Worker("test").submit(work), lambda work: PreviewWorker().submit("file:///a.yaml", work)],
    ids=["worker", "previews"],
)
def test_what_failed_is_forgotten(submit: Submit) -> None:
    gc.disable()
    try:
        found = asyncio.run(_fail(submit))
        end = time.monotonic() + SECONDS  # for the thread to come to its end
        while found() is not None and time.monotonic() < end:
            time.sleep(0.01)
        assert found() is None
    finally:
        gc.enable()


async def _fail(submit: Submit) -> weakref.ref[_Large]:
    large = _Large()
    found = weakref.ref(large)

    def work(*_: Any, large: _Large = large) -> None:
        raise ValueError

    future = submit(work)
    del large, work
    await asyncio.wait([future])
    assert isinstance(future.exception(), ValueError)
    return found
