"""Keeps what open test files say in step with the definitions that they test, which may be open or on disk."""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING

from kro_ls.uris import file_path

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from lsprotocol import types

    from kro_ls.rules.tested import TestedDefinition
    from kro_ls.workspace.all_documents import AllDocuments
    from kro_ls.workspace.documents import Document

FOLLOW_SECONDS = 0.3
"""How long an edit of a definition or of the test file waits for the next one."""

logger = logging.getLogger(__name__)


class TestedKeeper:
    """Finds the definitions of open test files, in a thread: they may be large.

    `documents` are those that are open, by their URIs, `others` gives all of the workspace. `changed` is called with
    the URI of a test file and what is known of its definition, when that is something else than before.
    """

    def __init__(
        self,
        documents: Mapping[str, Document],
        others: Callable[[], AllDocuments],
        changed: Callable[[str, TestedDefinition | None], None],
    ) -> None:
        self._documents = documents
        self._others = others
        self._changed = changed
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="tested")
        self._definitions: dict[str, Document] = {}
        """By the URI of a test file its definition, so that one on disk is analysed once."""
        self._pending: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def inputs_changed(self, *, at_once: bool = False) -> None:
        """Take note of a text or of kinds that changed, if a test file is open."""
        if self._pending:
            self._pending.cancel()
            self._pending = None
        if self._test_files():
            delay = 0 if at_once else FOLLOW_SECONDS
            self._pending = asyncio.get_running_loop().call_later(delay, self._follow)

    def closed(self, uri: str) -> None:
        """Forget what is known for a test file."""
        self._definitions.pop(uri, None)

    async def updates(self, document: Document, selected: types.Range, kinds: Sequence[str]) -> list[types.CodeAction]:
        """Return the actions of some kinds that update the tests in a range; they are run for that in the thread."""
        path = file_path(document.uri)
        if path is None or not _is_test(document.uri):
            return []
        from kro_ls.features.actions.test_updates import UPDATE_TEST, test_updates

        if not any(map(UPDATE_TEST.startswith, kinds)):
            return []
        others = self._others()
        work = partial(test_updates, document, selected, path, self._reader(document, others), others.refusal)
        found = await asyncio.get_running_loop().run_in_executor(self._thread, work)
        return [each for each in found if (each.kind or "").startswith(tuple(kinds))]

    def close(self) -> None:
        """Stop looking."""
        if self._pending:
            self._pending.cancel()
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _follow(self) -> None:
        self._pending = None
        loop = asyncio.get_running_loop()
        for uri in self._test_files():
            self._tasks.add(task := loop.create_task(self._look(uri)))
            task.add_done_callback(self._tasks.discard)

    def _test_files(self) -> list[str]:
        return [uri for uri in self._documents if _is_test(uri)]

    async def _look(self, uri: str) -> None:
        document, others = self._documents[uri], self._others()
        try:
            found = await asyncio.get_running_loop().run_in_executor(self._thread, self._found, document, others)
        except Exception:
            logger.exception("could not look at the definition of %s", uri)
            return
        current = self._documents.get(uri)
        if current and found != current.tested:
            self._changed(uri, found)

    def _found(self, document: Document, others: AllDocuments) -> TestedDefinition | None:
        from kro_ls.analysis.analysis import may_hold_rgd
        from kro_ls.workspace.tested import definition_under_test

        path = file_path(document.uri)
        if path is None:
            return None

        known = (name for name, text in others.definition_texts() if may_hold_rgd(text))
        return definition_under_test(document.text, path, self._reader(document, others), known, others.refusal)

    def _reader(self, document: Document, others: AllDocuments) -> Callable[[str], Document | None]:
        """Return what gives a test file the document of a path, its definition the same one while that is the same."""
        from kro_ls.analysis.analysis import may_hold_rgd

        def at(name: str) -> Document | None:
            found, kept = others.at(name), self._definitions.get(document.uri)
            if found and kept and _is_same(found, kept):
                return kept
            if found and may_hold_rgd(found.text.content):
                self._definitions[document.uri] = found
            return found

        return at


def _is_same(one: Document, other: Document) -> bool:
    kinds = one.schemas is other.schemas and one.settings == other.settings
    return kinds and one.uri == other.uri and one.text.content == other.text.content


def _is_test(uri: str) -> bool:
    from kro_ls.workspace.file_schemas import TEST_ENDINGS  # which brings the reader of YAML along

    return uri.endswith(TEST_ENDINGS)
