"""The kinds that a workspace knows: Kubernetes' own, its CRD files, and what its RGDs will generate.

The files that may hold instances of them are remembered as well.
"""

from __future__ import annotations

import glob
import logging
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from kro_ls.analysis.analysis import may_hold_rgd
from kro_ls.kro.kinds import schema_index
from kro_ls.openapi.sources.bundled import kubernetes
from kro_ls.openapi.sources.crds.source import CrdSource
from kro_ls.workspace.files import UnreadableFileError, decode, read, yaml_files
from kro_ls.workspace.generated_kinds import GeneratedKinds
from kro_ls.workspace.instances import InstanceFiles, may_hold_instance

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from kro_ls.openapi.index import KubernetesSource, SchemaIndex
    from kro_ls.openapi.sources.crds import CrdProblem

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SchemaSettings:
    """Where kinds come from. `crds` are files, folders and globs, relative ones to the workspace's folders.

    `kubernetes_version` is a bundled minor such as `1.36`, None for the newest. `openapi` names what a cluster
    published of itself, a `swagger.json` or documents of `/openapi/v3`, to be used instead.
    """

    kubernetes_version: str | None = None
    crds: tuple[str, ...] = ()
    openapi: tuple[str, ...] = ()

    def with_newest_kubernetes(self) -> SchemaSettings:
        """Return the same settings for the newest bundled Kubernetes."""
        return SchemaSettings(None, self.crds, self.openapi)


@dataclass(frozen=True)
class WorkspaceSchemas:
    """The kinds of one state of a workspace; a changed file gives another one."""

    kubernetes: KubernetesSource
    crds: CrdSource
    rgds: Mapping[str, str]
    instances: InstanceFiles = field(default_factory=InstanceFiles)

    @cached_property
    def index(self) -> SchemaIndex:
        """The kinds of all sources."""
        generated = GeneratedKinds(self.rgds, self.kubernetes, self.crds)
        return schema_index(self.kubernetes, (self.crds, generated))

    def with_file(self, path: str, text: str | None) -> WorkspaceSchemas:
        """Return the workspace after a file got this text, or was removed; itself where that changes nothing here."""
        instances = self.instances.with_file(path, text if text is not None and may_hold_instance(text) else None)
        is_crd = text is not None and may_hold_crd(text)
        crds = self.crds.with_file(path, text if is_crd else None) if is_crd or path in self.crds.paths() else self.crds
        rgds = {name: known for name, known in self.rgds.items() if name != path}
        if text is not None and may_hold_rgd(text):
            rgds[path] = text
        if crds is self.crds and rgds == self.rgds:
            return self if instances is self.instances else self._with_instances(instances)
        return WorkspaceSchemas(self.kubernetes, crds, rgds, instances)

    def _with_instances(self, instances: InstanceFiles) -> WorkspaceSchemas:
        changed = replace(self, instances=instances)
        changed.__dict__["index"] = self.index  # The kinds are the same, and so is what was worked out of them.
        return changed

    def problems(self, path: str) -> tuple[CrdProblem, ...]:
        """Return what is wrong with the CRDs in a file."""
        return self.crds.problems(path)


def may_hold_crd(text: str) -> bool:
    """Whether a text is worth reading for CRDs."""
    return "CustomResourceDefinition" in text


def load(folders: Sequence[Path], settings: SchemaSettings) -> WorkspaceSchemas:
    """Read the CRDs and RGDs of the folders and of the configured places.

    What cannot be read is logged and left out. Raises `UnknownMinorError` for a Kubernetes version that is not bundled.
    """
    return read_texts(
        _kubernetes(folders, settings),
        _texts((*_in_folders(folders), *_configured(folders, "kro.crds", settings.crds))),
    )


def read_texts(kinds: KubernetesSource, texts: Iterable[tuple[str, str]]) -> WorkspaceSchemas:
    """Return what Kubernetes has and what some texts, by their paths, declare."""
    crds: dict[str, str] = {}
    rgds: dict[str, str] = {}
    instances: dict[str, str] = {}
    for path, text in texts:
        if may_hold_crd(text):
            crds[path] = text
        if may_hold_rgd(text):
            rgds[path] = text
        if may_hold_instance(text):
            instances[path] = text
    source = CrdSource(crds.items(), schema_index(kinds).object_meta)
    return WorkspaceSchemas(kinds, source, rgds, InstanceFiles(instances))


def _kubernetes(folders: Sequence[Path], settings: SchemaSettings) -> KubernetesSource:
    if settings.openapi:
        from kro_ls.openapi.sources.dump import DumpedKubernetes

        dumped = DumpedKubernetes(_texts(_configured(folders, "kro.openapi", settings.openapi)))
        for problem in dumped.problems:
            logger.warning("%s: %s", problem.path, problem.message)
        if any(True for _ in dumped.names()):
            return dumped
        logger.warning("the setting 'kro.openapi' names no description of a cluster; the bundled one is used")
    return kubernetes(settings.kubernetes_version)


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


def _configured(folders: Sequence[Path], setting: str, patterns: tuple[str, ...]) -> Iterator[Path]:
    for pattern in patterns:
        found = False
        for root in folders or (Path.cwd(),):
            for name in sorted(glob.glob(str(root / Path(pattern).expanduser()), recursive=True)):
                found = True
                path = Path(name)
                yield from (*yaml_files(path), *sorted(path.glob("*.json"))) if path.is_dir() else (path,)
        if not found:
            logger.warning("the setting '%s' names %s, but nothing is there; check the path", setting, pattern)


def _texts(paths: Iterable[Path]) -> Iterator[tuple[str, str]]:
    for path in dict.fromkeys(path.absolute() for path in paths):
        text = read_file(path)
        if text is not None:
            yield str(path), text
