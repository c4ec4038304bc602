"""Works large documents out beside the editing: in slices of the event loop, so that every request gets its turn."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kro_ls.rules.diagnosis import Diagnosis
    from kro_ls.workspace.documents import Document

_SLICE_SECONDS = 0.008
"""How long the event loop is taken at once."""


class Preparer:
    """Prepares the newest version of each large document; that of an older version is given up."""

    def __init__(self) -> None:
        self._running: dict[str, asyncio.Task[None]] = {}
        self._given_up: dict[str, Iterator[Diagnosis | None]] = {}

    def start(self, document: Document, show: Callable[[Diagnosis], None]) -> asyncio.Task[None]:
        """Prepare a document, and show what is known of it on the way; when this is done, its diagnosis is at hand."""
        self.cancel(document.uri)
        task = asyncio.get_running_loop().create_task(self._prepare(document, show))
        self._running[document.uri] = task
        return task

    def cancel(self, uri: str) -> None:
        """Give up the preparation of a document, if there is one."""
        task = self._running.pop(uri, None)
        if task:
            task.cancel()

    def forget(self, uri: str) -> None:
        """Let go of a document that was closed."""
        self.cancel(uri)
        self._given_up.pop(uri, None)

    async def _prepare(self, document: Document, show: Callable[[Diagnosis], None]) -> None:
        steps = document.prepared()
        before = self._given_up.pop(document.uri, None)
        self._given_up[document.uri] = steps  # what it holds is of use for the next version, too
        started = time.perf_counter()
        for diagnosis in steps:
            if diagnosis is not None:
                show(diagnosis)
            if time.perf_counter() - started > _SLICE_SECONDS:
                await asyncio.sleep(0)
                started = time.perf_counter()
        del before
        self._given_up.pop(document.uri, None)
        self._running.pop(document.uri, None)
