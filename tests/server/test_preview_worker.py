"""The thread that makes previews: turns, cancellation, the end."""

from __future__ import annotations

import asyncio
import threading
import time

import pytest

from kro_ls.runtime.budget import PreviewBudget
from kro_ls.server.preview_worker import PreviewWorker


def spin(budget: PreviewBudget) -> None:
    while True:
        budget.check()
        time.sleep(0.001)


@pytest.mark.asyncio
async def test_documents_take_turns() -> None:
    worker, gate, order = PreviewWorker(), threading.Event(), list[str]()

    def work(name: str) -> asyncio.Future[None]:
        return worker.submit(name[0], lambda _: order.append(name))

    first = worker.submit("a", lambda _: gate.wait(10))
    await asyncio.sleep(0)
    others = [work(name) for name in ("a1", "a2", "a3", "b1", "b2", "c1")]
    gate.set()
    await asyncio.gather(first, *others)
    assert [order.index(name) < order.index("a3") for name in ("b1", "b2", "c1")] == [True, True, True]
    assert order.index("b1") < order.index("a2")


@pytest.mark.asyncio
async def test_what_nobody_waits_for_stops() -> None:
    worker = PreviewWorker()
    endless = worker.submit("a", spin)
    await asyncio.sleep(0.01)
    endless.cancel()
    assert await asyncio.wait_for(worker.submit("b", lambda _: "next"), 10) == "next"


@pytest.mark.asyncio
async def test_a_failure_is_told() -> None:
    def fail(_: PreviewBudget) -> None:
        raise ValueError("no")

    worker = PreviewWorker()
    with pytest.raises(ValueError, match="no"):
        await worker.submit("a", fail)


@pytest.mark.asyncio
async def test_closing_stops_what_runs() -> None:
    worker = PreviewWorker()
    endless = worker.submit("a", spin)
    await asyncio.sleep(0.01)
    worker.close()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(endless, 10)
