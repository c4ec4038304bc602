"""Caches the symbols of the workspace's files, so that a search does not read a file twice."""

from __future__ import annotations

import asyncio
import time
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from kro_ls.server.background import Lane, Tasks
from kro_ls.server.delays import BREATH_SECONDS, SLICE_SECONDS

if TYPE_CHECKING:
    from collections.abc import Callable

    from kro_ls.features.navigation.workspace_symbols import FileSymbols
    from kro_ls.workspace.snapshot import AllDocuments

_MOST_IN_TREES = 300_000
"""Characters of instances whose trees are cached; a tree takes some 30 bytes for each."""


class SymbolKeeper:
    """The current symbols of the files; `documents` gives the files."""

    def __init__(self, documents: Callable[[], AllDocuments]) -> None:
        self._documents = documents
        self._cached: dict[str, FileSymbols] = {}
        self._lane = Lane("symbols")
        self._preparing = Tasks()

    def prepare(self) -> None:
        """Read the files in idle time, except open ones, which change soon."""
        if not self._preparing:
            self._preparing.start(self._prepare())

    async def _prepare(self) -> None:
        await asyncio.sleep(BREATH_SECONDS)
        await self._in_slices(BREATH_SECONDS, with_open=False)

    async def files(self) -> list[FileSymbols]:
        """Return the symbols of all files, the open ones first; other requests are answered in between."""
        return await self._in_slices(0, with_open=True)

    async def _in_slices(self, rest: float, *, with_open: bool) -> list[FileSymbols]:
        started = time.perf_counter()
        found = []
        left = _MOST_IN_TREES
        documents = self._documents()
        instances = dict(documents.instance_texts())
        for path, text in {**dict(documents.definition_texts()), **instances}.items():
            cached = self._cached.get(path)
            if not with_open and path in documents.opened:
                found += [cached] if cached else []
                continue
            if cached is None or cached.text != text or cached.has_instances != (path in instances):
                cached = await self._read(path, text, documents, has_instances=path in instances)
            left -= len(text) if cached.tree else 0
            if left < 0:
                cached = replace(cached, tree=None)
            self._cached[path] = cached
            found.append(cached)
            if time.perf_counter() - started > SLICE_SECONDS:
                await asyncio.sleep(rest)
                started = time.perf_counter()
        self._cached = {each.path: each for each in found}
        return found

    def _read(
        self, path: str, text: str, documents: AllDocuments, *, has_instances: bool
    ) -> asyncio.Future[FileSymbols]:
        """Read a file in a thread, since it may be long or use a kind from a long one."""
        from kro_ls.features.navigation.workspace_symbols import file_symbols

        return self._lane.submit(partial(file_symbols, path, text, documents.of_text, has_instances=has_instances))
