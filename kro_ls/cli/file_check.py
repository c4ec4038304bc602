"""Checks the files of a run one by one, in this process or in a worker."""

from __future__ import annotations

import os
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from kro_ls.analysis.analysis import may_hold_rgd
from kro_ls.cli.known_kinds import known_kinds
from kro_ls.cli.report import Checked, Failure, is_unknown_kind_hint
from kro_ls.cli.selection import Selection
from kro_ls.graphs import frames_in
from kro_ls.openapi.sources.disk_cache import user_cache
from kro_ls.openapi.sources.pack.policy import DEFAULT_POLICY, PackPolicy
from kro_ls.rules.diagnostics import Severity
from kro_ls.workspace.check import check_file, file_document
from kro_ls.workspace.file_schemas import TEST_ENDINGS
from kro_ls.workspace.files import UnreadableFileError
from kro_ls.workspace.kustomize import Kustomizations
from kro_ls.workspace.project_file import project_settings
from kro_ls.yaml_positions.text import Text

if TYPE_CHECKING:
    from collections.abc import Callable

    from kro_ls.analysis.analysis import Analysis
    from kro_ls.openapi.kind_schema import GroupVersionKind
    from kro_ls.rules.settings import Settings
    from kro_ls.workspace.check import CheckedDocument
    from kro_ls.workspace.documents import Document
    from kro_ls.workspace.files_of_tests import NamedFiles
    from kro_ls.workspace.project_file import ProjectSettings
    from kro_ls.workspace.schemas import WorkspaceSchemas

Item: TypeAlias = "tuple[str, Settings]"
"""The path of a file and its settings."""

_MOST_CACHED: Final = 25
_LARGEST_CACHED: Final = 200_000
"""Characters; an analysis takes some hundred times the size of its text."""


class Options(Struct, frozen=True):
    """What a user asks of a check. `crds` are files, folders and globs; `settings` are those of the command's options.

    `names_version`: these set the version of kro. `stdin_name` is the path that standard input stands for.
    `shard` is the number of the part to check, from 1, and the number of equal parts.
    """

    settings: Settings
    crds: tuple[str, ...] = ()
    kubernetes_version: str | None = None
    names_version: bool = False
    selection: Selection = field(default_factory=Selection)
    stdin_name: Path | None = None
    is_quiet: bool = False
    well_known: PackPolicy = DEFAULT_POLICY
    shard: tuple[int, int] = (1, 1)

    def settings_in(self, project: ProjectSettings | None) -> Settings:
        """Return the settings for the files of a folder with these settings of its own."""
        settings = project.under(self.settings, names_version=self.names_version) if project else self.settings
        return self.selection.applied(settings, self.settings)

    def settings_of(self, path: str) -> Settings:
        """Return the settings for a file, without those of a project file that cannot be read, which is reported."""
        with suppress(UnreadableFileError):
            return self.settings_in(project_settings(Path(path)))
        return self.settings_in(None)


class KindSources(Struct, frozen=True):
    """Where the kinds of a run come from: its texts by path, and further files with definitions of kinds.

    `openapi` are files that a cluster published. `declared` are the kinds that the texts declare, by path, if known.
    `folders` are those in which test files may name files.
    """

    texts: dict[str, str]
    files: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    kubernetes_version: str | None = None
    openapi: tuple[str, ...] = ()
    declared: dict[str, tuple[GroupVersionKind, ...]] = field(default_factory=dict)
    well_known: PackPolicy = DEFAULT_POLICY

    def read(self, on_error: Callable[[UnreadableFileError], None]) -> WorkspaceSchemas:
        """Return the kinds. Raises InputError for a Kubernetes version that is not bundled."""
        return known_kinds(
            self.texts.items(),
            self.kubernetes_version,
            files=map(Path, self.files),
            on_error=on_error,
            cache=user_cache(),
            openapi=map(Path, self.openapi),
            declared=self.declared,
            policy=self.well_known,
        )


class FileCheck:
    """Checks the files of a run; the result for a file does not depend on the order."""

    def __init__(self, sources: KindSources, options: Options, kinds: WorkspaceSchemas | None = None) -> None:
        self.sources = sources
        self.selection = options.selection
        self.kinds = kinds or sources.read(
            lambda _: None
        )  # unreadable files were reported by the first process that read them
        self._options = options
        self._cache = user_cache()
        self._cached: dict[str, Document] = {}
        self._kustomizations = Kustomizations()

    def __reduce__(self) -> tuple[type[FileCheck], tuple[KindSources, Options]]:
        return FileCheck, (self.sources, self._options)

    def __call__(self, item: Item) -> Checked | None:
        """Return the diagnostics of a file; None if the file has nothing to do with kro.

        Raises UnreadableFileError if kro-ls itself fails on it.
        """
        path, settings = item
        text = Text(self.sources.texts[path])
        if may_hold_rgd(text.content) and self._kustomizations.list_as_patch(path):
            settings = replace(settings, is_patch=True)
        checked = self._check(path, text, settings)
        if not checked.is_checked:
            return None
        document, found = checked.document, checked.found
        self._cache_document(path, checked)
        shown = tuple(each for each in found.diagnostics if self.selection.shows(each.code))
        hidden = tuple(each for each in found.diagnostics if not self.selection.shows(each.code))
        kinds = _unknown_kinds(document.analysis) if any(map(is_unknown_kind_hint, shown)) else ()
        return Checked(settings, shown, (*found.silenced, *hidden), len(document.analysis.rgds), kinds)

    @cached_property
    def _named(self) -> NamedFiles:
        """The files that test files may name."""
        from kro_ls.workspace.files_of_tests import NamedFiles

        texts = {os.path.abspath(path): text for path, text in self.sources.texts.items()}
        folders = tuple(map(Path, self.sources.folders))
        outside = "outside of the folders that are checked, so it is not read"
        return NamedFiles(folders, outside, texts, self._document)

    def _document(self, path: str, text: Text) -> Document:
        """Return the document of a definition that a test file names."""
        return file_document(path, text, self._options.settings_of(path), self.kinds)

    def reported(self, item: Item) -> Checked | Failure | None:
        """Return what was found in a file, or why kro-ls fails on it."""
        try:
            return self(item)
        except UnreadableFileError as error:
            return Failure(error.reason)

    def document(self, path: str, settings: Settings) -> Document:
        """Return the document of a checked file; it is checked again if its document was not cached."""
        cached = self._cached.get(path)
        return cached or self._check(path, Text(self.sources.texts[path]), settings).document

    def _check(self, path: str, text: Text, settings: Settings) -> CheckedDocument:
        named = self._named if path.endswith(TEST_ENDINGS) else None
        return check_file(path, text, settings, self.kinds, self._cache, named, self._kustomizations)

    def _cache_document(self, path: str, checked: CheckedDocument) -> None:
        """Cache some of the documents that have errors, for the search for fixes."""
        has_room = len(self._cached) < _MOST_CACHED and len(checked.document.text.content) < _LARGEST_CACHED
        if has_room and any(each.severity is Severity.ERROR for each in checked.found.diagnostics):
            self._cached[path] = checked.document


def _unknown_kinds(analysis: Analysis) -> tuple[str, ...]:
    missing = [kind for rgd in frames_in(analysis) for kind in rgd.missing_kinds.values()]
    return tuple(f"{kind.api_version} {kind.kind}" for kind in missing if not kind.is_kubernetes)
