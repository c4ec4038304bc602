"""The kinds that a workspace knows: Kubernetes' own, its CRD files, and what its RGDs will generate."""

from __future__ import annotations

import glob
import logging
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from kro_ls.analysis.analysis import may_hold_rgd
from kro_ls.analysis.generated_kinds import GeneratedKinds
from kro_ls.openapi.bundled import kubernetes
from kro_ls.openapi.crds import CrdSource
from kro_ls.openapi.index import SchemaIndex
from kro_ls.workspace.files import UnreadableFileError, decode, read, yaml_files

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from kro_ls.openapi.crds import CrdProblem

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SchemaSettings:
    """Where kinds come from. `crds` are files, folders and globs, relative ones to the workspace's folders.

    `kubernetes_version` is a bundled minor such as `1.36`, None for the newest.
    """

    kubernetes_version: str | None = None
    crds: tuple[str, ...] = ()

    def with_newest_kubernetes(self) -> SchemaSettings:
        """Return the same settings for the newest bundled Kubernetes."""
        return SchemaSettings(None, self.crds)


@dataclass(frozen=True)
class WorkspaceSchemas:
    """The kinds of one state of a workspace; a changed file gives another one."""

    kubernetes_version: str | None
    crds: CrdSource
    rgds: Mapping[str, str]

    @cached_property
    def index(self) -> SchemaIndex:
        """The kinds of all sources."""
        kinds = kubernetes(self.kubernetes_version)
        return SchemaIndex(kinds, (self.crds, GeneratedKinds(self.rgds, kinds, self.crds)))

    def with_file(self, path: str, text: str | None) -> WorkspaceSchemas:
        """Return the workspace after a file got this text, or was removed; itself where that changes no kind."""
        is_crd = text is not None and may_hold_crd(text)
        crds = self.crds.with_file(path, text if is_crd else None) if is_crd or path in self.crds.paths() else self.crds
        rgds = {name: known for name, known in self.rgds.items() if name != path}
        if text is not None and may_hold_rgd(text):
            rgds[path] = text
        if crds is self.crds and rgds == self.rgds:
            return self
        return WorkspaceSchemas(self.kubernetes_version, crds, rgds)

    def problems(self, path: str) -> tuple[CrdProblem, ...]:
        """Return what is wrong with the CRDs in a file."""
        return self.crds.problems(path)


def may_hold_crd(text: str) -> bool:
    """Whether a text is worth reading for CRDs."""
    return "CustomResourceDefinition" in text


def load(folders: Iterable[Path], settings: SchemaSettings) -> WorkspaceSchemas:
    """Read the CRDs and RGDs of the folders and of the configured places.

    What cannot be read is logged and left out. Raises `UnknownMinorError` for a Kubernetes version that is not bundled.
    """
    kinds = kubernetes(settings.kubernetes_version)
    object_meta = SchemaIndex(kinds).object_meta
    crds: dict[str, str] = {}
    rgds: dict[str, str] = {}
    for path, text in _texts((*_in_folders(folders), *_configured(folders, settings.crds))):
        if may_hold_crd(text):
            crds[path] = text
        if may_hold_rgd(text):
            rgds[path] = text
    return WorkspaceSchemas(settings.kubernetes_version, CrdSource(crds.items(), object_meta), rgds)


def read_file(path: Path) -> str | None:
    """Return the text of a file, None where it is gone or cannot be read, which is logged."""
    if not path.exists():
        return None
    try:
        return decode(path, read(path))
    except UnreadableFileError as error:
        logger.warning("%s", error)
        return None


def _in_folders(folders: Iterable[Path]) -> Iterator[Path]:
    for folder in folders:
        yield from yaml_files(folder, lambda error: logger.warning("%s", error))


def _configured(folders: Iterable[Path], patterns: tuple[str, ...]) -> Iterator[Path]:
    for pattern in patterns:
        found = False
        for root in folders:
            for name in sorted(glob.glob(str(root / Path(pattern).expanduser()), recursive=True)):
                found = True
                path = Path(name)
                yield from yaml_files(path) if path.is_dir() else (path,)
        if not found:
            logger.warning("the setting 'kro.crds' names %s, but nothing is there; check the path", pattern)


def _texts(paths: Iterable[Path]) -> Iterator[tuple[str, str]]:
    for path in dict.fromkeys(path.absolute() for path in paths):
        text = read_file(path)
        if text is not None:
            yield str(path), text
