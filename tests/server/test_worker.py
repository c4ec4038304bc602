"""A thread that works for a loop."""

from __future__ import annotations

import asyncio
import gc
import weakref

import pytest

from kro_ls.server.preview_worker import PreviewWorker
from kro_ls.server.worker import Worker


class _Large:
    """Stands for a document with all that is known of it."""


@pytest.mark.parametrize("kind", [Worker, PreviewWorker])
def test_what_failed_is_forgotten(kind: type[Worker] | type[PreviewWorker]) -> None:
    gc.disable()
    try:
        assert asyncio.run(_fail(kind))() is None
    finally:
        gc.enable()


async def _fail(kind: type[Worker] | type[PreviewWorker]) -> weakref.ref[_Large]:
    large = _Large()
    found = weakref.ref(large)

    def work(_budget: object = None, large: _Large = large) -> None:
        raise ValueError(large)

    worker = kind("test") if kind is Worker else kind()
    future = worker.submit(work) if isinstance(worker, Worker) else worker.submit("file:///a.yaml", work)
    del large, work
    try:
        await future
    except ValueError as error:
        error.args = ()
    del future
    if isinstance(worker, PreviewWorker):
        worker.close()
    await asyncio.sleep(0.1)
    return found
