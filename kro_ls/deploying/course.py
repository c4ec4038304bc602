"""The course of one deployment: its events with their times, phases, log and deadline."""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from kro_ls.deploying.deployment_error import DeploymentError
from kro_ls.deploying.deployment_events import Event, EventKind, Progress, Result, Timing
from kro_ls.deploying.evaluation_log import EvaluationLog
from kro_ls.runtime.passes.reasons import object_name, short_reason
from kro_ls.runtime.passes.results import NodeState

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.runtime.passes.results import NodeResult


class Course:
    """The state that a strategy records while it works."""

    def __init__(self, timeout: float, log: EvaluationLog | None = None) -> None:
        self.timeout = timeout
        self.log = log or EvaluationLog()
        self.result = Result()
        """The result; a strategy sets it before it ends. Timings and log are filled in."""
        self.undo: Callable[[], Iterator[Event]] = lambda: iter(())
        """Rolls back a failed deployment; a strategy sets it."""
        self.progress = Progress(0, 0)
        self.timings: list[Timing] = []
        self.start()
        self._reported: dict[str, tuple[EventKind, str]] = {}

    def start(self) -> None:
        """Begin to count the time."""
        self._start = time.monotonic()

    @property
    def seconds(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self._start

    @property
    def is_late(self) -> bool:
        """Whether the time is up."""
        return self.seconds > self.timeout

    def event(self, kind: EventKind, node: str = "", value: JsonObject | str | None = None, message: str = "") -> Event:
        """Return an event that happens now, about a node and an object, or something that is named."""
        named = value if isinstance(value, str) else object_name(value) if value else ""
        return Event(kind, node, named, message, self.progress, round(self.seconds, 3))

    def news(self, kind: EventKind, node: str, value: JsonObject | str | None, message: str = "") -> Iterator[Event]:
        """Yield an event, unless it repeats the last event of the node."""
        if self._reported.get(node) != (kind, message):
            self._reported[node] = kind, message
            yield self.event(kind, node, value, message)

    def news_of(self, nodes: Sequence[NodeResult], total: int) -> Iterator[Event]:
        """Yield the changes of nodes after a pass; `total` is the number of all nodes."""
        self.progress = Progress(sum(map(is_done, nodes)), total)
        for node in nodes:
            many = f"{len(node.desired)} objects" if node.desired else None
            value = node.desired[0] if len(node.desired) == 1 else many
            if node.state is NodeState.IGNORED:
                yield from self.news(EventKind.LEFT_OUT, node.id, None, short_reason(node))
            elif node.is_ready:
                yield from self.news(EventKind.READY, node.id, value)
            else:
                yield from self.news(EventKind.WAITING, node.id, value, short_reason(node))

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Measure the time of a phase, even if it fails."""
        start = time.monotonic()
        try:
            yield
        finally:
            self.timings.append(Timing(name, round(time.monotonic() - start, 3)))

    def pause(self, seconds: float) -> None:
        """Wait for the cluster. Raises DeploymentError where the time is up."""
        if self.is_late:
            raise DeploymentError(f"the time is up: {self.timeout:g} seconds")
        time.sleep(max(0.0, min(seconds, self.timeout - self.seconds)))


def is_done(node: NodeResult) -> bool:
    """Whether a node is ready or left out."""
    return node.is_ready or node.state is NodeState.IGNORED
