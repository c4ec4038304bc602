"""Checks files and collects what was found, for every format to print."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from kro_ls.analysis.analysis import may_hold_rgd
from kro_ls.cli.inputs import files_in, read_text, read_text_with_kinds
from kro_ls.cli.kinds import crd_files, known_kinds
from kro_ls.cli.progress import with_progress
from kro_ls.openapi.sources.disk_cache import user_cache
from kro_ls.rules.crd_files import check_crds, may_hold_crds
from kro_ls.rules.diagnosis import DEFAULT_SETTINGS, Diagnosis, diagnose_text
from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.kinds import unknown_kind
from kro_ls.rules.registry import RULES
from kro_ls.workspace.agreement import agreed
from kro_ls.workspace.described import check_described, described_documents
from kro_ls.workspace.files import UnreadableFileError
from kro_ls.workspace.kustomize import is_patch
from kro_ls.workspace.project_file import project_settings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kro_ls.openapi.sources.disk_cache import DiskCache
    from kro_ls.rules.diagnostics import Diagnostic
    from kro_ls.rules.settings import Settings
    from kro_ls.workspace.project_file import ProjectSettings
    from kro_ls.workspace.schemas import WorkspaceSchemas
    from kro_ls.yaml_positions.text import Text

FAILING = (Severity.ERROR, Severity.WARNING)
"""The severities that make a check fail."""


class CheckedFile(Struct, frozen=True):
    """A file that holds RGDs or CRDs, as it was named or found, and what is wrong with it."""

    path: str
    diagnosis: Diagnosis
    settings: Settings = DEFAULT_SETTINGS


class Report(Struct, frozen=True, dict=True):
    """What one run found: the files with RGDs or CRDs in the order they were named, and what could not be read."""

    files: tuple[CheckedFile, ...]
    unreadable: tuple[UnreadableFileError, ...]

    @property
    def definitions(self) -> int:
        """The number of ResourceGraphDefinitions."""
        return sum(len(file.diagnosis.analysis.rgds) for file in self.files)

    @cached_property
    def severities(self) -> Counter[Severity]:
        """The number of diagnostics of each severity."""
        return Counter(diagnostic.severity for file in self.files for diagnostic in file.diagnosis.diagnostics)

    @property
    def unknown_kinds(self) -> tuple[str, ...]:
        """The custom kinds that hints call unknown, sorted: `example.com/v1 Bucket`."""
        files = [file for file in self.files if any(map(is_unknown_kind_hint, file.diagnosis.diagnostics))]
        missing = [
            kind
            for file in files
            for rgd in file.diagnosis.analysis.frames
            for kind in rgd.surroundings.missing_kinds.values()
        ]
        return tuple(sorted({f"{kind.api_version} {kind.kind}" for kind in missing if not kind.is_kubernetes}))

    @property
    def failed(self) -> bool:
        """Whether there is an error or a warning."""
        return any(self.severities[severity] for severity in FAILING)

    @property
    def silenced(self) -> int:
        """The number of diagnostics that comments in the files turn off."""
        return sum(len(file.diagnosis.silenced) for file in self.files)

    @property
    def silenced_errors(self) -> int:
        """The number of silenced diagnostics for which kro refuses the definition all the same."""
        refusals = {rule.code for rule in RULES if rule.severity is Severity.ERROR}
        return sum(diagnostic.code in refusals for file in self.files for diagnostic in file.diagnosis.silenced)


def is_unknown_kind_hint(diagnostic: Diagnostic) -> bool:
    """Whether a diagnostic says no more than that a kind is unknown, which people read once for all files."""
    return diagnostic.code == unknown_kind.RULE.code and diagnostic.severity is Severity.HINT


def check_files(
    paths: Iterable[Path],
    settings: Settings,
    *,
    crds: Iterable[str] = (),
    kubernetes_version: str | None = None,
    names_version: bool = False,
) -> Report:
    """Return the report on files and folders (`-` is standard input); what cannot be read does not stop the others.

    Custom kinds are those that CRDs and RGDs in these files declare, and the CRDs that `crds` name: files, folders and
    globs. Raises InputError where one of them names nothing, and for a Kubernetes version that is not bundled.
    A `.kro-ls.yaml` says what the settings do not say; `names_version` tells that they say the version of kro.
    """
    unreadable: list[UnreadableFileError] = []
    texts = dict(_texts(files_in(paths, unreadable.append), unreadable))
    projects = _projects(texts, unreadable)
    known = list({project.folder: project for project in projects.values() if project}.values())
    named = [file for project in known for file in project.files("crds", unreadable.append)]
    openapi = [file for project in known for file in project.files("openapi", unreadable.append)]
    minors = (project.kubernetes_version for project in known if project.kubernetes_version)
    cache = user_cache()
    kinds = known_kinds(
        ((str(path), text.content) for path, text in texts.items()),
        kubernetes_version or next(minors, None),
        files=(path for path in dict.fromkeys((*crd_files(crds), *named)) if path not in texts),
        on_error=unreadable.append,
        cache=cache,
        openapi=() if kubernetes_version else dict.fromkeys(openapi),
    )
    checked: list[CheckedFile] = []
    for path, text in with_progress(list(texts.items())):
        try:
            project = projects.get(path.parent)
            chosen = project.under(settings, names_version=names_version) if project else settings
            if may_hold_rgd(text.content) and is_patch(path):
                chosen = replace(chosen, is_patch=True)
            diagnosis = _diagnose(path, text, chosen, kinds, cache)
        except UnreadableFileError as error:
            unreadable.append(error)
            continue
        if diagnosis.analysis.rgds or diagnosis.diagnostics or may_hold_crds(text):
            checked.append(CheckedFile(str(path), diagnosis, chosen))
    return Report(tuple(checked), tuple(unreadable))


def _projects(texts: Iterable[Path], unreadable: list[UnreadableFileError]) -> dict[Path, ProjectSettings | None]:
    """Return the settings of the folders that hold the files."""
    found: dict[Path, ProjectSettings | None] = {}
    refused: set[Path] = set()
    for path in texts:
        if path.parent not in found:
            try:
                found[path.parent] = project_settings(path)
            except UnreadableFileError as error:
                found[path.parent] = None
                if error.path not in refused:
                    refused.add(error.path)
                    unreadable.append(error)
    return found


def _texts(files: Iterable[tuple[Path, bool]], unreadable: list[UnreadableFileError]) -> Iterator[tuple[Path, Text]]:
    for path, named in files:
        try:
            text = read_text(path) if named else read_text_with_kinds(path)
        except UnreadableFileError as error:
            unreadable.append(error)
            continue
        if text:
            yield path, text


def _diagnose(path: Path, text: Text, settings: Settings, kinds: WorkspaceSchemas, cache: DiskCache) -> Diagnosis:
    """Return the diagnosis, the CRDs of the text included.

    A fault of ours with one file must not hide what is wrong with the others.
    """
    try:
        here = str(path)
        diagnosis = agreed(diagnose_text(text, settings, kinds.index_for(here)), settings, kinds.others_for(here))
        shown, silenced = check_crds(text, settings, cache)
        described = described_documents(diagnosis.analysis, path.name, kinds.index_for(here))
        more_shown, more_silenced = check_described(diagnosis.analysis, described, settings) if described else ((), ())
    except Exception as error:
        import traceback

        place = traceback.extract_tb(error.__traceback__)[-1]
        what = f"{type(error).__name__}: {error} ({Path(place.filename).name}:{place.lineno})"
        raise UnreadableFileError(path, f"kro-ls failed on this file, please report it: {what}") from error
    return Diagnosis(
        diagnosis.analysis,
        (*diagnosis.diagnostics, *shown, *more_shown),
        (*diagnosis.silenced, *silenced, *more_silenced),
        diagnosis.findings,
    )
