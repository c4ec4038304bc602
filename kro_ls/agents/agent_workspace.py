"""The folder that an assistant works in: the texts that it names, the kinds known there, and what it writes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from kro_ls.agents.arguments import UnusableArgumentsError
from kro_ls.kro.versions.version import parse_version
from kro_ls.openapi.sources.bundled import UnknownMinorError
from kro_ls.openapi.sources.disk_cache import user_cache
from kro_ls.openapi.sources.pack.policy import DEFAULT_POLICY
from kro_ls.rules.diagnosis import DEFAULT_SETTINGS
from kro_ls.workspace.check import CheckedDocument, check_file, file_document
from kro_ls.workspace.files import UnreadableFileError, decode, named_inside, read, yaml_files
from kro_ls.workspace.kustomize import Kustomizations
from kro_ls.workspace.manifests_in_texts import LOCAL_GROUPS, Broken, manifests_in
from kro_ls.workspace.project_file import project_settings
from kro_ls.workspace.rewriting import UnwritableFileError, rewrite
from kro_ls.workspace.schemas import SchemaSettings, load
from kro_ls.yaml_positions.text import Text

if TYPE_CHECKING:
    from kro_ls.kro.versions.version import Version
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.rules.settings import Settings
    from kro_ls.workspace.documents import Document
    from kro_ls.workspace.schemas import WorkspaceSchemas


_MOST_TEXT: Final = 3 * 1024 * 1024
"""Characters. The API server takes no larger request, so no definition is longer."""
_TEXT_NAME: Final = "text.yaml"
_READ_ONLY: Final = "this server is read-only; write the file yourself, or start it with 'kro-ls mcp --write'"


class GivenText(Struct, frozen=True):
    """A text to work on: that of a file, or one that has none. `shown` is the name to speak of."""

    path: Path
    text: Text
    shown: str


class AgentWorkspace:
    """A folder, outside of which nothing is read that a request names, and nothing is written."""

    def __init__(self, root: Path, *, may_write: bool) -> None:
        self.root = Path(os.path.realpath(root))
        self._named_root = root.absolute()
        self._may_write = may_write
        self._stamps: tuple[object, ...] = ()
        self._cached_kinds: WorkspaceSchemas | None = None

    def path(self, name: str) -> Path:
        """Return the path that a request names; it need not exist. Raises UnusableArgumentsError for one outside."""
        if os.path.isabs(name) and Path(name).is_relative_to(self._named_root):
            name = os.path.relpath(name, self._named_root)
        try:
            found = named_inside(self.root, name, self.root)
        except (OSError, ValueError):  # a name that no file can have
            found = None
        if found is None:
            advice = "give the text itself, or start 'kro-ls mcp' with another --root"
            raise UnusableArgumentsError(f"{name} is outside of the workspace folder {self.root}; {advice}")
        return Path(os.path.normpath(found))

    def shown(self, path: Path) -> str:
        """Return a path relative to the folder."""
        return path.relative_to(self.root).as_posix() if path.is_relative_to(self.root) else path.as_posix()

    def given(self, path: str, text: str, what: str = "path or text") -> GivenText:
        """Return the text of a file, or a text: of both, the text that the file is to have.

        Raises UnusableArgumentsError where neither is given, and for what is outside or cannot be read.
        """
        if not path and not text:
            raise UnusableArgumentsError(f"give {what}")
        if len(text) > _MOST_TEXT:
            raise UnusableArgumentsError(f"the text has more than {_MOST_TEXT // 1024} KiB; no definition is that long")
        place = self.path(path) if path else self.root / _TEXT_NAME
        if not text:
            return self.file(place)
        return GivenText(place, Text(text), self.shown(place) if path else "the text")

    def file(self, path: Path) -> GivenText:
        """Return the text of a file. Raises UnusableArgumentsError where it cannot be read."""
        try:
            return GivenText(path, Text(decode(path, read(path))), self.shown(path))
        except UnreadableFileError as error:
            raise UnusableArgumentsError(f"{self.shown(path)}: {error.reason}") from error

    def files(self, folder: Path) -> list[Path]:
        """Return the YAML files below a folder, as `git` would see them."""
        return list(yaml_files(folder, within=(self.root,)))

    def kinds(self, given: GivenText | None = None) -> WorkspaceSchemas:
        """Return the kinds that the files of the folder, and a text, declare beside those of Kubernetes."""
        stamps = tuple(_stamp(path) for path in self.files(self.root))
        if self._cached_kinds is None or stamps != self._stamps:
            self._cached_kinds, self._stamps = self._read_kinds(), stamps
        return self._cached_kinds.with_file(str(given.path), given.text.content) if given else self._cached_kinds

    def _read_kinds(self) -> WorkspaceSchemas:
        try:
            project = project_settings(self.root / _TEXT_NAME, (self.root,))
            crds = tuple(map(str, project.files("crds", _ignore))) if project else ()
            openapi = tuple(map(str, project.files("openapi", _ignore))) if project else ()
            settings = SchemaSettings(
                project.kubernetes_version if project else None,
                crds,
                openapi,
                project.well_known if project else DEFAULT_POLICY,
            )
            return load((self.root,), settings, user_cache())
        except (UnreadableFileError, UnknownMinorError) as error:
            raise UnusableArgumentsError(str(error)) from error

    def settings(self, path: Path, kro_version: str = "") -> Settings:
        """Return the settings of a file's folder, for a version of kro where one is named."""
        settings = DEFAULT_SETTINGS
        if kro_version:
            settings = replace(settings, version=version_named(kro_version))
        try:
            project = project_settings(path, (self.root,))
        except UnreadableFileError as error:
            raise UnusableArgumentsError(str(error)) from error
        if Kustomizations().list_as_patch(str(path)):
            settings = replace(settings, is_patch=True)
        return project.under(settings, names_version=bool(kro_version)) if project else settings

    def document(self, given: GivenText, kro_version: str = "") -> Document:
        """Return a text with its kinds and settings."""
        return file_document(str(given.path), given.text, self.settings(given.path, kro_version), self.kinds(given))

    def checked(self, given: GivenText, kro_version: str = "") -> CheckedDocument:
        """Return a text with all that is wrong with it."""
        settings, kinds = self.settings(given.path, kro_version), self.kinds(given)
        try:
            return check_file(str(given.path), given.text, settings, kinds, user_cache(), None, Kustomizations())
        except UnreadableFileError as error:
            raise UnusableArgumentsError(f"{given.shown}: {error.reason}") from error

    def require_write(self) -> None:
        """Raise UnusableArgumentsError if nothing may be written."""
        if not self._may_write:
            raise UnusableArgumentsError(_READ_ONLY)

    def rewrite(self, given: GivenText, new_text: str) -> None:
        """Replace the text of a file. Raises UnusableArgumentsError, and leaves the file as it is then."""
        self.require_write()
        try:
            rewrite(given.path, given.text.content, new_text, (self.root,))
        except UnwritableFileError as error:
            raise UnusableArgumentsError(f"{given.shown}: {error.reason}") from error

    def create(self, path: Path, text: str) -> None:
        """Write a new file. Raises UnusableArgumentsError where there is one, or it cannot be written."""
        self.require_write()
        try:
            with path.open("x", encoding="utf-8", newline="\n") as file:
                file.write(text)
        except FileExistsError:
            raise UnusableArgumentsError(f"{self.shown(path)} exists already; name another file") from None
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise UnusableArgumentsError(f"{self.shown(path)} cannot be written: {reason}") from error


def version_named(text: str) -> Version:
    """Return a version of kro. Raises UnusableArgumentsError."""
    try:
        return parse_version(text)
    except ValueError as error:
        raise UnusableArgumentsError(f"kro_version: {error}") from error


def _stamp(path: Path) -> tuple[str, int, int]:
    try:
        found = path.stat()
    except OSError:  # gone since the folder was read
        return str(path), 0, 0
    return str(path), found.st_mtime_ns, found.st_size


def _ignore(_error: UnreadableFileError) -> None:
    """Leave a file out; `kro-ls check` reports it."""


def objects_in(given: GivenText) -> list[JsonObject]:
    """Return the objects of manifests. Raises UnusableArgumentsError for broken YAML, with the place."""
    found: list[JsonObject] = []
    for each in manifests_in(given.text):
        if isinstance(each, Broken):
            if given.text.contains("{{"):
                raise UnusableArgumentsError(f"{given.shown} is a template: let Helm render it first (helm template)")
            place = given.text.position(each.span.start)
            where = f"{given.shown}:{place.line + 1}:{place.column + 1}"
            raise UnusableArgumentsError(f"{where}: YAML cannot read this: {each.message}")
        if each.name[0] not in LOCAL_GROUPS:
            found.append(each.value)
    return found
