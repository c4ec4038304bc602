"""How reviews are shared among processes, and what bounds them; the processes here are played."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from threading import Event
from typing import Any, cast

from kro_ls.admission.review_pool import EndedError, LateError, Limits, ReviewingProcess, ReviewPool, Stamps
from kro_ls.admission.reviewer import Reviewed
from tests.fixtures.webhook import review

BODY = json.dumps(review({"kind": "A"})).encode()
DONE = Reviewed(200, b"{}", "other", "allowed")


class Played:
    """A process that does what a test says."""

    def __init__(self, act: Callable[[], Reviewed], *, is_ready: bool = True) -> None:
        self.is_ready = is_ready
        self.is_ended = False
        self.seen: list[Stamps] = []
        self._act = act

    def wait_until_ready(self, seconds: float) -> None:
        if not self.is_ready:
            raise LateError

    def review(self, body: bytes, files: Stamps, seconds: float) -> Reviewed:
        self.seen.append(files)
        return self._act()

    def end(self) -> None:
        self.is_ended = True


def pool_of(
    *processes: Played | None, waiting: int = 10, seconds: float = 5.0, files: Stamps | None = None
) -> ReviewPool:
    """Return a pool of one process, replaced by the next; None means one that cannot be started."""
    left = iter(processes)

    def begin(_: Stamps) -> ReviewingProcess:
        process = next(left)
        if process is None:
            raise OSError("no memory")
        return cast("ReviewingProcess", process)

    return ReviewPool(begin, 1, Limits(seconds, waiting), files or {})


def warning(reviewed: Reviewed) -> str:
    response: Any = json.loads(reviewed.body)["response"]
    assert (response["uid"], response["allowed"], reviewed.outcome) == ("705ab4f5", True, "failed")
    (reported,) = response["warnings"]
    assert isinstance(reported, str)
    return reported.removeprefix("kro-ls did not review this: ")


def ends() -> Reviewed:
    raise EndedError


def late() -> Reviewed:
    raise LateError


def test_the_answer_of_a_process_is_returned() -> None:
    pool = pool_of(Played(lambda: DONE))
    assert asyncio.run(pool.review(BODY)) is DONE
    assert pool.waiting == 0


def test_a_process_that_ends_is_replaced() -> None:
    first, second = Played(ends), Played(lambda: DONE)
    pool = pool_of(first, second)
    assert warning(asyncio.run(pool.review(BODY))) == "the process that reviewed it has ended; is there enough memory?"
    assert (first.is_ended, pool.restarts) == (True, 1)
    assert asyncio.run(pool.review(BODY)) is DONE


def test_a_process_that_takes_too_long_is_replaced() -> None:
    first, second = Played(late), Played(lambda: DONE)
    pool = pool_of(first, second)
    assert warning(asyncio.run(pool.review(BODY))) == "it took too long"
    assert first.is_ended
    assert asyncio.run(pool.review(BODY)) is DONE


def test_a_process_that_is_still_reading_is_not_replaced() -> None:
    only = Played(lambda: DONE, is_ready=False)
    pool = pool_of(only)
    assert warning(asyncio.run(pool.review(BODY))) == "it took too long"
    assert not only.is_ended
    only.is_ready = True
    assert asyncio.run(pool.review(BODY)) is DONE


def test_a_process_that_cannot_be_started_is_tried_again() -> None:
    pool = pool_of(Played(ends), None, Played(lambda: DONE))
    asyncio.run(pool.review(BODY))
    assert "has ended" in warning(asyncio.run(pool.review(BODY)))
    assert asyncio.run(pool.review(BODY)) is DONE


def test_too_many_reviews_are_let_through() -> None:
    may_end = Event()

    def wait() -> Reviewed:
        may_end.wait(10)
        return DONE

    async def ask() -> list[Reviewed]:
        pool = pool_of(Played(wait), waiting=2)
        under_way = [asyncio.create_task(pool.review(BODY)) for _ in range(2)]
        await asyncio.sleep(0)
        refused = await pool.review(BODY)
        may_end.set()
        return [refused, *await asyncio.gather(*under_way)]

    refused, *others = asyncio.run(ask())
    assert warning(refused) == "too many reviews are waiting"
    assert others == [DONE, DONE]


def test_a_review_whose_time_is_over_is_not_begun() -> None:
    process = Played(lambda: DONE)
    assert warning(asyncio.run(pool_of(process, seconds=-1.0).review(BODY))) == "it took too long"
    assert process.seen == []


def test_processes_get_the_current_files() -> None:
    process = Played(lambda: DONE)
    pool = pool_of(process, files={"a": (1, 1)})
    asyncio.run(pool.review(BODY))
    pool.files = {"a": (2, 1)}
    asyncio.run(pool.review(BODY))
    assert process.seen == [{"a": (1, 1)}, {"a": (2, 1)}]
