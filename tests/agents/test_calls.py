"""Calls are answered in other processes, each in bounded time, whatever becomes of these."""

from __future__ import annotations

import asyncio
import os
import time
from pathlib import Path

import pytest

from kro_ls.agents.calls import Calls
from kro_ls.agents.tool_runner import Call, ToolRunner, Unanswered


def run(call: Call) -> object:
    match call.tool:
        case "hang":
            Path(str(call.arguments["file"])).write_text(str(os.getpid()))
            while True:
                time.sleep(60)
        case "die":
            os._exit(3)
    return call.tool.upper()


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    return True


async def ended(pid: int) -> None:
    while is_running(pid):
        await asyncio.sleep(0.01)


async def written(file: Path) -> int:
    while not (file.exists() and file.read_text()):
        await asyncio.sleep(0.01)
    return int(file.read_text())


def test_several_calls_at_once() -> None:
    async def ask() -> list[object]:
        calls = Calls(run, 60)
        found = await asyncio.gather(*(calls.answer(Call(f"item {number}", {})) for number in range(10)))
        calls.close()
        return list(found)

    assert asyncio.run(ask()) == [f"ITEM {number}" for number in range(10)]


def test_a_call_that_is_late_is_ended(tmp_path: Path) -> None:
    async def ask() -> tuple[object, int]:
        calls = Calls(run, 3)
        answer = await calls.answer(Call("hang", {"file": tmp_path / "pid"}))
        pid = await written(tmp_path / "pid")
        await ended(pid)
        calls.close()
        return answer, pid

    answer, _ = asyncio.run(ask())
    assert isinstance(answer, Unanswered)
    assert answer.reason.startswith("this took longer than 3 seconds and was ended; give a smaller text")


def test_a_cancelled_call_frees_its_place(tmp_path: Path) -> None:
    async def ask() -> list[object]:
        calls = Calls(run, 60)
        for number in range(3):  # more than there are processes
            file = tmp_path / str(number)
            task = asyncio.create_task(calls.answer(Call("hang", {"file": file})))
            pid = await written(file)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            await ended(pid)
        found = await asyncio.gather(calls.answer(Call("a", {})), calls.answer(Call("b", {})))
        calls.close()
        return list(found)

    assert asyncio.run(ask()) == ["A", "B"]


def test_a_process_that_ends_is_reported_and_replaced() -> None:
    async def ask() -> list[object]:
        calls = Calls(run, 60)
        found = [await calls.answer(Call(each, {})) for each in ("die", "next")]
        calls.close()
        return found

    reason = "this was not answered: its process ended with 3; please report it"
    assert asyncio.run(ask()) == [Unanswered(reason), "NEXT"]


def test_an_unexpected_failure_is_an_answer(tmp_path: Path) -> None:
    answer = ToolRunner(tmp_path, may_write=False)(Call("explain", {"code": 3}))
    assert isinstance(answer, Unanswered)
    assert answer.reason.startswith("kro-ls failed on this, please report it: ")
