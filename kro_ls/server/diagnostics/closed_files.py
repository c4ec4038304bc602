"""What is wrong in the files of the workspace that are not open, found anew only where what it rests on changed."""

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
"""A workspace with more definitions, instances and tests shows what is wrong in the first of them."""

LARGEST_FILE = 1_500_000
"""In characters. etcd takes no larger object."""


class _Known(Struct, frozen=True):
    """What was found in a file, and what that rests on.

    That is its text, the settings, what other files say of it, the kinds that it names, and of a test file the texts of
    its definition and of its instances, with all kinds: what tests can name is not compared.
    """

    text: int
    settings: Settings
    beside: Beside
    names: tuple[tuple[str, str], ...]
    kinds: tuple[KindSchema | None, ...]
    tested: tuple[tuple[str, bool, int, SchemaIndex | None], ...]
    found: tuple[Diagnostic, ...]


class ClosedFiles:
    """The definitions, instances and tests of a workspace that are not open. Only one thread may use it at a time.

    `others` gives all documents of the workspace.
    """

    def __init__(self, others: Callable[[], AllDocuments]) -> None:
        self._others = others
        self._tests: tuple[str, ...] | None = None
        self._known: dict[str, _Known] = {}

    def files_changed(self) -> None:
        """Take note that files came or went."""
        self._tests = None

    def paths(self) -> list[str]:
        """Return the files to look at, sorted, and forget all others."""
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
        for path in self._known.keys() - set(shown):
            del self._known[path]
        return shown

    def found(self, path: str) -> tuple[Document, tuple[Diagnostic, ...]] | None:
        """Return a file with what is wrong in it, hints aside, which nobody sees in a closed file.

        None where there is no such file any more, or one that is too large.
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
        known = self._known.get(path)
        if known and self._still_holds(known, document, others):
            return document, known.found
        named = named_files(document, path)
        if named:
            files = others.files_of_test(path)
            # Of all tests in the workspace those are of interest whose definition somebody works at.
            is_open = any(each in others.opened for each in tested_files(document, path))
            run = failures(document, files, TestRuns(), PreviewBudget()) if is_open else None
            document = document.testing(definitions_under_test(document.text, files, lambda: (), run))
        found = tuple(each for each in check_document(document).diagnostics if each.severity is not Severity.HINT)
        names = tuple(dict.fromkeys(_names(document)))
        self._known[path] = _Known(
            hash(document.text.content),
            document.settings,
            document.beside,
            names,
            _kinds(document, names),
            _state(named, document, others),
            found,
        )
        return document, found

    def _still_holds(self, known: _Known, document: Document, others: AllDocuments) -> bool:
        return (
            known.text == hash(document.text.content)
            and known.settings == document.settings
            and known.beside == document.beside
            and known.kinds == _kinds(document, known.names)
            and known.tested == _state(tuple(path for path, *_ in known.tested), document, others)
        )


def _state(
    named: tuple[str, ...], test: Document, others: AllDocuments
) -> tuple[tuple[str, bool, int, SchemaIndex | None], ...]:
    """Return for each file that a test file names whether it is open, its text, and the kinds that are known."""
    documents = ((path, others.at(path)) for path in named)
    return tuple(
        (path, path in others.opened, hash(document.text.content) if document else 0, test.schemas)
        for path, document in documents
    )


def _is_inside(path: str, folders: tuple[Path, ...]) -> bool:
    """Whether a file is the workspace's; the settings may name others, with which the user has nothing to do."""
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
