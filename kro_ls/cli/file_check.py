"""Checks the files of a run one by one, in this process or, sent there, in another one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from kro_ls.analysis.analysis import may_hold_rgd
from kro_ls.cli.kinds import known_kinds
from kro_ls.cli.report import Checked, Failure, is_unknown_kind_hint
from kro_ls.openapi.sources.disk_cache import user_cache
from kro_ls.rules.crd_files import may_hold_crds
from kro_ls.rules.diagnostics import Severity
from kro_ls.workspace.check import check_text
from kro_ls.workspace.files import UnreadableFileError
from kro_ls.workspace.kustomize import is_patch
from kro_ls.yaml_positions.text import Text

if TYPE_CHECKING:
    from collections.abc import Callable

    from kro_ls.cli.selection import Selection
    from kro_ls.openapi.kinds import GroupVersionKind
    from kro_ls.rules.diagnosis import Diagnosis
    from kro_ls.rules.settings import Settings
    from kro_ls.workspace.schemas import WorkspaceSchemas

Item: TypeAlias = "tuple[str, Settings]"
"""The path of a file, and what the user and the folder set for it."""

_MOST_KEPT: Final = 25
_LARGEST_KEPT: Final = 200_000
"""Characters; what is known of a text takes some hundred times its size."""


class KindSources(Struct, frozen=True):
    """Where the kinds of a run come from: its texts by path, and further files with definitions of kinds.

    `openapi` are files that a cluster published. `declared` are the kinds that the texts declare, by path, if known.
    """

    texts: dict[str, str]
    files: tuple[str, ...] = ()
    kubernetes_version: str | None = None
    openapi: tuple[str, ...] = ()
    declared: dict[str, tuple[GroupVersionKind, ...]] = field(default_factory=dict)

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
        )


class FileCheck:
    """Checks the files of a run; what is found in one does not depend on the order."""

    def __init__(self, sources: KindSources, selection: Selection, kinds: WorkspaceSchemas | None = None) -> None:
        self.sources = sources
        self.selection = selection
        self.kinds = kinds or sources.read(lambda _: None)  # what cannot be read was reported by the first to read it
        self._cache = user_cache()
        self._kept: dict[str, Diagnosis] = {}

    def __reduce__(self) -> tuple[type[FileCheck], tuple[KindSources, Selection]]:
        return FileCheck, (self.sources, self.selection)

    def __call__(self, item: Item) -> Checked | None:
        """Return what was found in a file; None where that has nothing to do with kro.

        Raises UnreadableFileError where kro-ls itself fails on it.
        """
        path, settings = item
        text = Text(self.sources.texts[path])
        if may_hold_rgd(text.content) and is_patch(Path(path)):
            settings = replace(settings, is_patch=True)
        diagnosis = check_text(path, text, settings, self.kinds, self._cache)
        if not (diagnosis.analysis.rgds or diagnosis.diagnostics or may_hold_crds(text)):
            return None
        self._keep(path, diagnosis)
        shown = tuple(each for each in diagnosis.diagnostics if self.selection.shows(each.code))
        hidden = tuple(each for each in diagnosis.diagnostics if not self.selection.shows(each.code))
        kinds = _unknown_kinds(diagnosis) if any(map(is_unknown_kind_hint, shown)) else ()
        return Checked(settings, shown, (*diagnosis.silenced, *hidden), len(diagnosis.analysis.rgds), kinds)

    def reported(self, item: Item) -> Checked | Failure | None:
        """Return what was found in a file, or why kro-ls fails on it."""
        try:
            return self(item)
        except UnreadableFileError as error:
            return Failure(error.reason)

    def diagnosis(self, path: str, settings: Settings) -> Diagnosis:
        """Return the whole diagnosis of a file that was checked; it is made again where it was not kept."""
        kept = self._kept.get(path)
        return kept or check_text(path, Text(self.sources.texts[path]), settings, self.kinds, self._cache)

    def _keep(self, path: str, diagnosis: Diagnosis) -> None:
        """Keep some of the diagnoses that have errors, for those who look for fixes."""
        has_room = len(self._kept) < _MOST_KEPT and len(diagnosis.analysis.text.content) < _LARGEST_KEPT
        if has_room and any(each.severity is Severity.ERROR for each in diagnosis.diagnostics):
            self._kept[path] = diagnosis


def _unknown_kinds(diagnosis: Diagnosis) -> tuple[str, ...]:
    missing = [kind for rgd in diagnosis.analysis.frames for kind in rgd.surroundings.missing_kinds.values()]
    return tuple(f"{kind.api_version} {kind.kind}" for kind in missing if not kind.is_kubernetes)
