"""The diagnostics of files that are not open, computed again only if something that they depend on changed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.openapi.kind_schema import KindSchema
    from kro_ls.rules.diagnostics import Diagnostic
    from kro_ls.rules.settings import Settings
    from kro_ls.workspace.documents import Beside, Document
    from kro_ls.workspace.snapshot import AllDocuments

MOST_FILES = 10_000
"""Of definitions, instances and tests; in a larger workspace only the first are checked."""

LARGEST_FILE = 1_500_000
"""In characters. etcd takes no larger object."""


class _Cached(Struct, frozen=True):
    """The diagnostics of a file, and everything that they depend on.

    That is its text, the settings, what other files say about it, and the kinds that it names; for a test file also the
    texts of its definition and instances, with all kinds, since tests may use any.
    """

    text: int
    settings: Settings
    beside: Beside
    names: tuple[tuple[str, str], ...]
    kinds: tuple[KindSchema | None, ...]
    tested: tuple[tuple[str, bool, int, SchemaIndex | None], ...]
    found: tuple[Diagnostic, ...]


class ClosedFiles:
    """The closed definitions, instances and tests of a workspace. Only one thread may use it at a time.

    `others` gives all documents of the workspace.
    """

    def __init__(self, others: Callable[[], AllDocuments]) -> None:
        self._others = others
        self._tests: tuple[str, ...] | None = None
        self._cached: dict[str, _Cached] = {}

    def files_changed(self) -> None:
        """Search for test files again, since files were created or deleted."""
        self._tests = None

    def paths(self) -> list[str]:
        """Return the files to check, sorted, and forget all others."""
        from kro_ls.analysis.analysis import may_hold_rgd
        from kro_ls.workspace.snapshot import test_files

        others = self._others()
        if self._tests is None:
            self._tests = tuple(test_files(others.folders))
        texts = others.schemas.generated.texts if others.schemas else {}
        found = {path for path, text in texts.items() if may_hold_rgd(text)}
        found |= {path for path, _ in others.instance_texts()}
        found.update(self._tests)
        shown = sorted(path for path in found - others.opened.keys() if _is_inside(path, others.folders))[:MOST_FILES]
        for path in self._cached.keys() - set(shown):
            del self._cached[path]
        return shown

    def found(self, path: str) -> tuple[Document, tuple[Diagnostic, ...]] | None:
        """Return a file with its diagnostics except hints, which no editor shows in a closed file.

        None if the file is gone or too large.
        """
        from kro_ls.rules.diagnostics import Severity
        from kro_ls.runtime.nodes.budget import PreviewBudget
        from kro_ls.workspace.check import check_document
        from kro_ls.workspace.test_files import named_files, tested_files
        from kro_ls.workspace.test_runs import TestRuns, failures
        from kro_ls.workspace.tested import definitions_under_test

        others = self._others()
        document = None if path in others.opened else others.at(path)
        if document is None or len(document.text.content) > LARGEST_FILE:
            return None
        cached = self._cached.get(path)
        if cached and _is_valid(cached, document, others):
            return document, cached.found
        named = named_files(document, path)
        if named:
            files = others.files_of_test(path)
            # Only tests whose definition the user works on are run.
            is_open = any(each in others.opened for each in tested_files(document, path))
            run = failures(document, files, TestRuns(), PreviewBudget()) if is_open else None
            document = document.testing(definitions_under_test(document.text, files, lambda: (), run))
        found = tuple(each for each in check_document(document).diagnostics if each.severity is not Severity.HINT)
        names = tuple(dict.fromkeys(_names(document)))
        self._cached[path] = _Cached(
            hash(document.text.content),
            document.settings,
            document.beside,
            names,
            _kinds(document, names),
            _state(named, document, others),
            found,
        )
        return document, found


def _is_valid(cached: _Cached, document: Document, others: AllDocuments) -> bool:
    return (
        cached.text == hash(document.text.content)
        and cached.settings == document.settings
        and cached.beside == document.beside
        and cached.kinds == _kinds(document, cached.names)
        and cached.tested == _state(tuple(path for path, *_ in cached.tested), document, others)
    )


def _state(
    named: tuple[str, ...], test: Document, others: AllDocuments
) -> tuple[tuple[str, bool, int, SchemaIndex | None], ...]:
    """Return for each file that a test file names whether it is open, a hash of its text, and the kinds."""
    documents = ((path, others.at(path)) for path in named)
    return tuple(
        (path, path in others.opened, hash(document.text.content) if document else 0, test.schemas)
        for path, document in documents
    )


def _is_inside(path: str, folders: tuple[Path, ...]) -> bool:
    """Whether a file is in the workspace; the settings may name others, which the user does not maintain."""
    return any(Path(path).is_relative_to(folder) for folder in folders)


def _names(document: Document) -> Iterator[tuple[str, str]]:
    """Yield the kinds that a document names."""
    from kro_ls.graphs import frames_in

    for frame in frames_in(document.analysis):
        yield from frame.table.kinds
    for described in document.described:
        if described.kind:
            yield described.kind.name.api_version, described.kind.name.kind


def _kinds(document: Document, names: tuple[tuple[str, str], ...]) -> tuple[KindSchema | None, ...]:
    schemas = document.schemas
    return tuple(schemas.find_api_version(*name) if schemas else None for name in names)
