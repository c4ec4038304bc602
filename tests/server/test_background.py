"""Work beside the event loop: turns, cancellation, the end; and that nobody else starts any."""

from __future__ import annotations

import ast
import asyncio
import gc
import threading
import time
import weakref
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from kro_ls.runtime.nodes.budget import PreviewBudget
from kro_ls.server import background, delays
from kro_ls.server.background import Lane, Tasks, Timers

SECONDS = 10
ROOM = Path(background.__file__).parent


class _Large:
    """Stands for a document with all that is known of it."""


def spin(budget: PreviewBudget) -> None:
    while True:
        budget.check()
        time.sleep(0.001)


@pytest.mark.asyncio
async def test_documents_take_turns() -> None:
    lane, gate, order = Lane("test"), threading.Event(), list[str]()

    def work(name: str) -> asyncio.Future[None]:
        return lane.submit(lambda: order.append(name), name[0])

    first = lane.submit(lambda: gate.wait(SECONDS), "a")
    await asyncio.sleep(0)
    others = [work(name) for name in ("a1", "a2", "a3", "b1", "b2", "c1")]
    gate.set()
    await asyncio.gather(first, *others)
    assert [order.index(name) < order.index("a3") for name in ("b1", "b2", "c1")] == [True, True, True]
    assert order.index("b1") < order.index("a2")


@pytest.mark.asyncio
async def test_without_keys_work_is_done_in_its_order() -> None:
    lane, order = Lane("test"), list[int]()
    await asyncio.gather(*(lane.submit(partial(order.append, number)) for number in range(20)))
    assert order == list(range(20))


@pytest.mark.asyncio
async def test_what_nobody_waits_for_stops() -> None:
    lane = Lane("test")
    endless = lane.submit_preview("a", spin)
    await asyncio.sleep(0.01)
    endless.cancel()
    assert await asyncio.wait_for(lane.submit(lambda: "next"), SECONDS) == "next"


@pytest.mark.asyncio
async def test_what_is_cancelled_before_its_turn_is_not_begun() -> None:
    lane, gate, done = Lane("test"), threading.Event(), list[str]()
    first = lane.submit(lambda: gate.wait(SECONDS))
    second = lane.submit(lambda: done.append("second"))
    second.cancel()
    gate.set()
    await first
    await lane.submit(lambda: done.append("third"))
    assert done == ["third"]


@pytest.mark.asyncio
async def test_a_failure_is_reported() -> None:
    def fail(_: PreviewBudget) -> None:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        await Lane("test").submit_preview("a", fail)


@pytest.mark.asyncio
async def test_closing_stops_what_runs_and_what_waits() -> None:
    lane = Lane("test")
    endless, waiting = lane.submit_preview("a", spin), lane.submit(lambda: None)
    await asyncio.sleep(0.01)
    lane.close()
    after = lane.submit(lambda: None)
    for each in (endless, waiting, after):
        with pytest.raises(asyncio.CancelledError):
            await asyncio.wait_for(each, SECONDS)


def test_what_failed_is_forgotten() -> None:
    gc.disable()
    try:
        found = asyncio.run(_fail())
        end = time.monotonic() + SECONDS  # for the thread to come to its end
        while found() is not None and time.monotonic() < end:
            time.sleep(0.01)
        assert found() is None
    finally:
        gc.enable()


async def _fail() -> weakref.ref[_Large]:
    large = _Large()
    found = weakref.ref(large)

    def work(*_: Any, large: _Large = large) -> None:
        raise ValueError

    future = Lane("test").submit(work)
    del large, work
    await asyncio.wait([future])
    assert isinstance(future.exception(), ValueError)
    return found


@pytest.mark.asyncio
async def test_a_newer_call_takes_the_place_of_one_that_waits() -> None:
    timers, called = Timers(), list[str]()
    timers.start("a", 0, lambda: called.append("first"))
    timers.start("a", 0, lambda: called.append("second"))
    timers.start("b", 0, lambda: called.append("stopped"))
    assert timers.stop("b")
    assert not timers.stop("b")
    assert "a" in timers
    while "a" in timers:
        await asyncio.sleep(0)
    assert called == ["second"]


@pytest.mark.asyncio
async def test_cancelled_tasks_end() -> None:
    tasks = Tasks()
    task = tasks.start(asyncio.sleep(SECONDS))
    assert tasks
    tasks.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.sleep(0)
    assert not tasks


def test_nothing_else_starts_threads_tasks_or_timers() -> None:
    forbidden = {"Thread", "ThreadPoolExecutor", "create_task", "call_later", "call_at", "run_in_executor", "Timer"}
    found = {
        (path.name, node.attr if isinstance(node, ast.Attribute) else node.id)
        for path in ROOM.rglob("*.py")
        if path.name != "background.py"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if (isinstance(node, ast.Attribute) and node.attr in forbidden)
        or (isinstance(node, ast.Name) and node.id in forbidden)
    }
    assert found == set()


def test_all_delays_stand_in_one_table() -> None:
    elsewhere = {
        (path.name, target.id)
        for path in ROOM.rglob("*.py")
        if path.name != "delays.py"
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        for target in (node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)])
        if isinstance(target, ast.Name) and "SECONDS" in target.id
    }
    assert elsewhere == set()
    assert len([name for name in vars(delays) if name.endswith("_SECONDS")]) <= 30
