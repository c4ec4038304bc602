"""The file `.kro-ls.yaml`, which has the settings of a folder for all its users."""

from __future__ import annotations

import os
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from msgspec import Struct
from msgspec.structs import replace

from kro_ls.kro.controller import FEATURE_GATES
from kro_ls.kro.versions.version import Version, parse_version
from kro_ls.openapi.json_values import as_list, as_object, as_text
from kro_ls.openapi.sources.pack.policy import DEFAULT_POLICY, PackPolicy
from kro_ls.rules.diagnostics import Severity
from kro_ls.workspace.file_schemas import PROJECT_FILE, value_by
from kro_ls.workspace.files import UnreadableFileError, decode, is_inside, limits_of, named_inside, read
from kro_ls.workspace.patterns import files_named
from kro_ls.yaml_positions.documents.stream import parse_stream
from kro_ls.yaml_positions.errors import ExcessiveAliasingError
from kro_ls.yaml_positions.text import Text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.rules.settings import Settings

__all__ = ["PROJECT_FILE", "ProjectSettings", "project_settings"]


class ProjectSettings(Struct, frozen=True):
    """The settings in a file; missing ones are None or empty. `folder` is that of the file.

    `crds` and `openapi` are paths relative to `folder`.
    """

    folder: Path
    version: Version | None = None
    severities: tuple[tuple[str, Severity | None], ...] = ()
    feature_gates: frozenset[str] = frozenset()
    kubernetes_version: str | None = None
    crds: tuple[str, ...] = ()
    openapi: tuple[str, ...] = ()
    well_known: PackPolicy = DEFAULT_POLICY

    def under(self, settings: Settings, *, names_version: bool) -> Settings:
        """Return a user's settings, with those of the file where the user has none."""
        version = settings.version if names_version or self.version is None else self.version
        severities = dict(self.severities) | dict(settings.severities)
        gates = settings.feature_gates | self.feature_gates
        return replace(settings, version=version, severities=tuple(sorted(severities.items())), feature_gates=gates)

    def files(self, setting: Literal["crds", "openapi"], on_error: Callable[[UnreadableFileError], None]) -> list[Path]:
        """Return the files that a setting names; `on_error` gets errors about missing and forbidden ones.

        The settings may come from a stranger, so they may only name files below their folder.
        """
        found: list[Path] = []
        for pattern in self.crds if setting == "crds" else self.openapi:
            place = named_inside(self.folder, pattern, self.folder)
            files = list(files_named(place, on_error, within=(self.folder,))) if place else []
            found += files
            if place is None:
                advice = "copy it into that folder" + (", or name it with --crds" if setting == "crds" else "")
                on_error(self._error(f"'{setting}' names {pattern}, which is outside of its folder; {advice}"))
            elif not files and not os.path.exists(place):
                on_error(self._error(f"'{setting}' names {pattern}, but nothing is there; check the path"))
        return found

    def _error(self, reason: str) -> UnreadableFileError:
        return UnreadableFileError(self.folder / PROJECT_FILE, reason)


def project_settings(file: Path, within: Sequence[Path] | None = None) -> ProjectSettings | None:
    """Return the settings in the nearest `.kro-ls.yaml` above a file, None if there is none.

    One that is a link out of the folders `within`, by default `limits_of` its folder, counts as absent. Raises
    UnreadableFileError, with the line and what to do, if the file is invalid.
    """
    for folder in file.absolute().parents:
        if not os.path.isfile(os.path.join(folder, PROJECT_FILE)):
            continue
        project = folder / PROJECT_FILE
        if not project.is_symlink() or is_inside(project, within or limits_of(folder)):
            return _read(project, read(project))
    return None


@lru_cache(maxsize=16)  # of files that people write, for each file that they are about
def _read(project: Path, content: bytes) -> ProjectSettings:
    from kro_ls.openapi.validation.json_schema import schema_problems
    from kro_ls.rules.files.reported_places import span_at
    from kro_ls.workspace.settings_schema import settings_schema

    text = Text(decode(project, content))
    documents = parse_stream(text).documents
    if not documents:
        return ProjectSettings(project.parent)

    def refused(offset: int, message: str) -> UnreadableFileError:
        return UnreadableFileError(project, f"line {text.position(offset).line + 1}: {message}")

    document = documents[0]
    for error in document.errors:
        raise refused(error.start, error.message)
    try:
        value = value_by(document, settings_schema())
    except ExcessiveAliasingError as error:
        raise refused(0, str(error)) from error
    if value is None:
        return ProjectSettings(project.parent)
    for problem in schema_problems(value, settings_schema()):
        raise refused(span_at(document, problem.path, in_key=problem.in_key).start, problem.message)
    section = as_object(value)
    try:
        return _settings(project.parent, section)
    except ValueError as error:
        raise refused(span_at(document, ("version",)).start, str(error)) from error


def _settings(folder: Path, section: JsonObject) -> ProjectSettings:
    """Return the settings in a valid section. Raises ValueError for an unknown version of kro."""
    version = as_text(section.get("version"))
    severities = as_object(section.get("severity")).items()
    gates = as_object(section.get("featureGates"))
    return ProjectSettings(
        folder,
        parse_version(version) if version else None,
        tuple((code, None if level == "off" else Severity(str(level))) for code, level in severities if level),
        frozenset(name for name in FEATURE_GATES if gates.get(name) is True),
        as_text(section.get("kubernetesVersion")) or None,
        tuple(map(str, as_list(section.get("crds")))),
        tuple(map(str, as_list(section.get("openapi")))),
        PackPolicy.of({group: as_text(choice) for group, choice in as_object(section.get("kinds")).items()}),
    )
