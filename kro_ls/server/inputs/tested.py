"""Checks open test files against the definitions that they test, which may be open or on disk."""

from __future__ import annotations

import logging
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from kro_ls.server.background import Lane, Tasks, Timers
from kro_ls.server.delays import FOLLOW_SECONDS, REST_SECONDS, UNFINISHED_SECONDS
from kro_ls.server.documents.open_documents import What
from kro_ls.uris import file_path

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from lsprotocol import types

    from kro_ls.rules.files.failing_test import TestedDefinition
    from kro_ls.runtime.nodes.budget import PreviewBudget
    from kro_ls.server.documents.open_documents import DocumentChanged
    from kro_ls.workspace.documents import Document
    from kro_ls.workspace.files_of_tests import FilesOfTests
    from kro_ls.workspace.snapshot import AllDocuments
    from kro_ls.workspace.test_runs import TestRuns

logger = logging.getLogger(__name__)


class TestedKeeper:
    """Finds the definitions of open test files and runs the tests in a thread, since both may take long.

    `documents` are the open ones by URI, `others` gives all of the workspace. `changed` gets the URI of a test file and
    the state of its definitions when that changes.
    """

    __test__ = False  # pytest takes it for a test otherwise

    def __init__(
        self,
        documents: Mapping[str, Document],
        others: Callable[[], AllDocuments],
        changed: Callable[[str, tuple[TestedDefinition | None, ...]], None],
    ) -> None:
        self._documents = documents
        self._others = others
        self._changed = changed
        self._lane = Lane("tests", REST_SECONDS)
        self._open_tests: dict[str, None] = {}
        self.shown = (self._open_tests,)
        """Without an open test file, an edit need not be reported here."""
        self._definitions: dict[str, dict[str, Document]] = {}
        """The definitions of each test file by name, so that one on disk is analysed once."""
        self._runs: dict[str, TestRuns] = {}
        self._due = Timers()
        self._looks = Tasks()

    def document_changed(self, event: DocumentChanged) -> None:
        """Check test files again: the document is one, or may be the definition of one."""
        if event.what is What.OPENED and _is_test(event.uri):
            self._open_tests[event.uri] = None
        elif event.what is What.CLOSED:
            for cached in (self._open_tests, self._definitions, self._runs):
                cached.pop(event.uri, None)
        self.inputs_changed(at_once=event.what is What.OPENED)

    def inputs_changed(self, *, at_once: bool = False) -> None:
        """Cancel what runs and check open test files again, since a text or kinds changed."""
        self._cancel()
        if self._open_tests:
            self._follow_in(0 if at_once else FOLLOW_SECONDS)

    async def updates(self, document: Document, selected: types.Range, kinds: Sequence[str]) -> list[types.CodeAction]:
        """Return the actions of some kinds that update the tests in a range, which are run in the thread."""
        path = file_path(document.uri)
        if path is None or not _is_test(document.uri):
            return []
        from kro_ls.features.actions.test_updates import UPDATE_TEST, test_updates

        if not any(map(UPDATE_TEST.startswith, kinds)):
            return []
        files, runs = self._files(document, path, self._others()), self._runs_of(document.uri)
        found = await self._lane.submit_preview(document.uri, lambda _: test_updates(document, selected, files, runs))
        return [each for each in found if (each.kind or "").startswith(tuple(kinds))]

    def close(self) -> None:
        """Stop checking."""
        self._cancel()
        self._lane.close()

    def _cancel(self) -> None:
        self._due.stop(None)
        self._looks.cancel()

    def _follow_in(self, seconds: float, *, is_calm: bool = False) -> None:
        self._due.start(None, seconds, partial(self._follow, is_calm=is_calm))

    def _follow(self, *, is_calm: bool) -> None:
        for uri in self._open_tests:
            self._looks.start(self._look(uri, is_calm=is_calm))

    async def _look(self, uri: str, *, is_calm: bool) -> None:
        """Check one test file. A definition that kro refuses after an edit may be half typed, so that waits."""
        document, others = self._documents[uri], self._others()
        work = partial(self._found, document, others, self._runs_of(uri))
        try:
            found = await self._lane.submit_preview(uri, work)
        except Exception:
            logger.exception("could not look at the definition of %s", uri)
            return
        current = self._documents.get(uri)
        if not current or found == current.tested:
            return
        if not is_calm and any(map(_is_newly_refused, current.tested, found)):
            if None not in self._due:
                self._follow_in(UNFINISHED_SECONDS - FOLLOW_SECONDS, is_calm=True)
            return
        self._changed(uri, found)

    def _found(
        self, document: Document, others: AllDocuments, runs: TestRuns, budget: PreviewBudget
    ) -> tuple[TestedDefinition | None, ...]:
        from kro_ls.analysis.analysis import may_hold_rgd
        from kro_ls.workspace.test_runs import failures
        from kro_ls.workspace.tested import definitions_under_test

        def known() -> Iterator[str]:
            return (name for name, text in others.definition_texts() if may_hold_rgd(text))

        path = file_path(document.uri)
        if path is None:
            return ()
        files = self._files(document, path, others)
        return definitions_under_test(document.text, files, known, failures(document, files, runs, budget))

    def _runs_of(self, uri: str) -> TestRuns:
        from kro_ls.workspace.test_runs import TestRuns

        return self._runs.setdefault(uri, TestRuns())

    def _files(self, document: Document, path: str, others: AllDocuments) -> FilesOfTests:
        """Return the files that a test file names, with cached definitions while these are unchanged."""
        from kro_ls.analysis.analysis import may_hold_rgd
        from kro_ls.workspace.test_files import tested_files

        named, known = tested_files(document, path), self._definitions.get(document.uri, {})
        definitions = {name: each for name, each in known.items() if name in named}
        self._definitions[document.uri] = definitions

        def at(name: str) -> Document | None:
            found, kept = others.at(name), definitions.get(name)
            if found and kept and _is_same(found, kept):
                found = kept
            if found and may_hold_rgd(found.text.content):
                definitions[name] = found
            return found

        return replace(others.files_of_test(path), at=at)


def _is_newly_refused(before: TestedDefinition | None, now: TestedDefinition | None) -> bool:
    return bool(before and not before.problem and now and now.is_refused)


def _is_same(one: Document, other: Document) -> bool:
    kinds = one.schemas is other.schemas and one.settings == other.settings
    return kinds and one.uri == other.uri and one.text.content == other.text.content


def _is_test(uri: str) -> bool:
    from kro_ls.workspace.file_schemas import TEST_ENDINGS  # which brings the reader of YAML along

    return uri.endswith(TEST_ENDINGS)
