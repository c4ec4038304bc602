"""The kinds of a workspace: Kubernetes' own, those of its CRD files, and those that its RGDs declare.

The files that may hold instances of them, or say how they are deployed, are stored with them.
"""

from __future__ import annotations

import os
import posixpath
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from kro_ls.analysis.analysis import may_hold_rgd
from kro_ls.kro.forms import KIND
from kro_ls.kro.schema_index import schema_index
from kro_ls.openapi.kind_schema import GroupVersionKind
from kro_ls.openapi.sources.bundled import kubernetes
from kro_ls.openapi.sources.crds.source import CrdFile, CrdSource
from kro_ls.openapi.sources.pack.policy import DEFAULT_POLICY
from kro_ls.openapi.sources.pack.reading import installed_pack
from kro_ls.openapi.sources.store import installed_store
from kro_ls.queries.cells import cached_attribute
from kro_ls.workspace.documents import Beside
from kro_ls.workspace.files import (
    MOST_BYTES,
    MOST_NAMED_BYTES,
    UnreadableFileError,
    decode,
    is_regular,
    read,
    read_file,
    reread,
    searchable,
    warn,
    yaml_files,
)
from kro_ls.workspace.flux import NO_FLUX_FILES, FluxFiles, may_substitute
from kro_ls.workspace.generated_kinds import NONE_OPEN, GeneratedKinds
from kro_ls.workspace.nearest import MOST_CANDIDATES, NearestKinds
from kro_ls.workspace.patterns import files_named
from kro_ls.workspace.related_definitions import circles_through, makers, takers
from kro_ls.workspace.substituting_scripts import script_substitution
from kro_ls.workspace.text_files import (
    NO_ROLE_FILES,
    InstanceFiles,
    RoleFiles,
    instance_files,
    may_hold_instance,
    may_hold_roles,
)
from kro_ls.yaml_positions.text import holds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from kro_ls.openapi.index import GeneralSource, KubernetesSource, SchemaIndex
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.openapi.sources.disk_cache import DiskCache
    from kro_ls.openapi.sources.pack.policy import PackPolicy
    from kro_ls.workspace.documents import Document
    from kro_ls.workspace.kustomize import Kustomizations


class SchemaSettings(Struct, frozen=True):
    """Where kinds come from. `crds` are files, folders and globs, relative ones to the workspace's folders.

    `kubernetes_version` is a bundled minor such as `1.36`, None for the newest. `openapi` names what a cluster
    published of itself, a `swagger.json` or documents of `/openapi/v3`, to be used instead. `well_known` says what is
    made of the kinds of well-known projects.
    """

    kubernetes_version: str | None = None
    crds: tuple[str, ...] = ()
    openapi: tuple[str, ...] = ()
    well_known: PackPolicy = DEFAULT_POLICY

    def with_newest_kubernetes(self) -> SchemaSettings:
        """Return the same settings for the newest bundled Kubernetes."""
        return replace(self, kubernetes_version=None)


class WorkspaceSchemas(Struct, frozen=True, dict=True):
    """The kinds of a workspace at one moment; a changed file gives a new value."""

    kubernetes: KubernetesSource
    crds: CrdSource
    generated: GeneratedKinds
    instances: InstanceFiles
    flux: FluxFiles = NO_FLUX_FILES
    roles: RoleFiles = NO_ROLE_FILES
    general: tuple[GeneralSource, ...] = ()
    """The sources outside of the workspace, in the order in which they are asked."""

    @cached_attribute
    def index(self) -> SchemaIndex:
        """The kinds of all sources, for texts that are in no file."""
        return self._nearest("", 0)

    @cached_attribute
    def ambiguous(self) -> frozenset[GroupVersionKind]:
        """The kinds that are defined several times, in several files or in one."""
        names = {*self.crds.names(), *self.generated.names()}
        return frozenset(name for name in names if len(self.crds.homes(name)) + len(self.generated.homes(name)) > 1)

    def index_for(self, path: str, rank: int = 0) -> SchemaIndex:
        """Return the kinds for a file: where several files define one, the nearest definition.

        With a `rank` it is the definition so many places farther away.
        """
        if not self.ambiguous:
            return self.index
        key = posixpath.dirname(path), rank, path if path in self._declaring else None
        if key not in self._indexes:
            self._indexes[key] = self._nearest(*key)
        return self._indexes[key]

    @cached_attribute
    def _indexes(self) -> dict[tuple[str, int, str | None], SchemaIndex]:
        return {}

    @cached_attribute
    def _most_candidates(self) -> int:
        """How many definitions of a kind are tried."""
        homes = (len(self.crds.homes(name)) + len(self.generated.homes(name)) for name in self.ambiguous)
        return min(max(homes, default=1), MOST_CANDIDATES)

    @cached_attribute
    def _declaring(self) -> frozenset[str]:
        """The files that declare a kind which others declare as well."""
        homes = (home for name in self.ambiguous for home in (*self.crds.homes(name), *self.generated.homes(name)))
        return frozenset(homes)

    def _nearest(self, folder: str, rank: int, own: str | None = None) -> SchemaIndex:
        nearest = NearestKinds(folder, self.crds, self.generated, rank, own)
        return schema_index(self.kubernetes, (nearest,), self.general)

    def others_for(self, path: str) -> tuple[SchemaIndex, ...]:
        """Return the kinds for a file with each of the other definitions of ambiguous kinds."""
        return tuple(self.index_for(path, rank) for rank in range(1, self._most_candidates))

    def chosen_source(self, path: str, api_version: str, kind: str) -> str:
        """Return the file whose definition of a kind counts for a path; empty where no two files declare it."""
        group, _, version = api_version.rpartition("/")
        is_ambiguous = GroupVersionKind(group, version, kind) in self.ambiguous
        found = self.index_for(path).find(group, version, kind) if is_ambiguous else None
        return found.source if found else ""

    def beside(self, path: str, kustomizations: Kustomizations) -> Beside:
        """Return what other files say about the definitions of one."""
        return Beside(
            self.flux.substitution_in(path, kustomizations)
            or (script_substitution(path, kustomizations) if self.generated.declared.get(path) else None),
            tuple(takers(path, self.generated, kustomizations)),
            tuple(circles_through(path, self.generated)),
            tuple(makers(path, self.generated, kustomizations)),
            self.roles.roles,
        )

    def with_file(self, path: str, text: str | None, opened: Document | None = None) -> WorkspaceSchemas:
        """Return the workspace after a file got this text, or was removed; itself where nothing changes.

        `opened` is the document with this text if it is open in an editor, whose cached results are used.
        """
        content = b"" if text is None else text.encode("utf-8", "surrogatepass")
        instances = self.instances.with_file(path, text if may_hold_instance(content) else None)
        flux = self.flux.with_file(path, text if may_substitute(content) else None)
        roles = self.roles.with_file(path, text if may_hold_roles(content) else None)
        is_crd = text is not None and _may_hold_crd(content)
        crds = self.crds.with_file(path, text if is_crd else None) if is_crd or path in self.crds.paths() else self.crds
        rgd = text if text is not None and may_hold_rgd(text) else None
        if crds is self.crds and rgd == self.generated.texts.get(path):
            return self._with_others(instances, flux, roles)
        rgds = {name: known for name, known in self.generated.texts.items() if name != path}
        if rgd is not None:
            rgds[path] = rgd
        generated = self.generated.changed(rgds, crds, {path: opened} if opened else NONE_OPEN)
        return replace(self, crds=crds, generated=generated, instances=instances, flux=flux, roles=roles)

    def followed_by(self, later: WorkspaceSchemas) -> WorkspaceSchemas:
        """Return a later state of the workspace, with the kinds of this one if they are equal."""
        is_same = (later.kubernetes, later.general) == (self.kubernetes, self.general) and self.generated.take_over(
            later.generated
        )
        return self._with_others(later.instances, later.flux, later.roles) if is_same else later

    def _with_others(self, instances: InstanceFiles, flux: FluxFiles, roles: RoleFiles) -> WorkspaceSchemas:
        if instances is self.instances and flux is self.flux and roles is self.roles:
            return self
        changed = replace(self, instances=instances, flux=flux, roles=roles)
        # The kinds are the same, and so is everything computed from them.
        changed.__dict__.update(index=self.index, ambiguous=self.ambiguous, _indexes=self._indexes)
        return changed


def _may_hold_crd(content: bytes) -> bool:
    return holds(content, b"CustomResourceDefinition")


def load(
    folders: Sequence[Path],
    settings: SchemaSettings,
    cache: DiskCache | None = None,
    on_file: Callable[[], None] = lambda: None,
) -> WorkspaceSchemas:
    """Read the CRDs and RGDs of the folders and of the configured places; `cache` stores what is slow to find in them.

    What cannot be read is logged and left out. Raises `UnknownMinorError` for a Kubernetes version that is not bundled.
    `on_file` is called before each file and can raise to stop the reading.
    """
    files = dict.fromkeys((path.absolute() for path in _in_folders(folders)), MOST_BYTES)
    named = _configured(folders, "kro.crds", settings.crds)
    files |= dict.fromkeys((path.absolute() for path in named), MOST_NAMED_BYTES)
    openapi = _configured(folders, "kro.openapi", settings.openapi)
    kinds = kubernetes_kinds(settings.kubernetes_version, openapi)
    general = general_sources(kinds, settings.well_known)
    return read_kinds(kinds, (), _each(files, on_file), _log, cache, general=general)


def _each(files: Mapping[Path, int], on_file: Callable[[], None]) -> Iterator[tuple[Path, int]]:
    for file in files.items():
        on_file()
        yield file


def read_kinds(
    kinds: KubernetesSource,
    texts: Iterable[tuple[str, str]],
    files: Iterable[tuple[Path, int]],
    on_error: Callable[[UnreadableFileError], None],
    cache: DiskCache | None = None,
    declared: Mapping[str, tuple[GroupVersionKind, ...]] = MappingProxyType({}),
    general: tuple[GeneralSource, ...] = (),
) -> WorkspaceSchemas:
    """Return the kinds of Kubernetes, of texts by path, and of files of at most so many bytes.

    Of a file with CRDs only the names are stored; it is read again when one of its kinds is used. `on_error` gets the
    error of each file that cannot be read. `declared` has the kinds that RGDs declare, by path, where these are known.
    `general` are the sources outside of these.
    """
    found = _Found(schema_index(kinds).object_meta, cache)
    for name, text in texts:
        encode = partial(text.encode, "utf-8", "surrogatepass")
        found.take(name, encode(), encode)
    for path, most in files:
        try:
            content = read(path, most)
            # What came through a pipe cannot be read again.
            found.take(str(path), content, partial(reread, path, most) if is_regular(path) else partial(bytes, content))
        except UnreadableFileError as error:
            on_error(error)
    source = CrdSource((), found.object_meta, found.crds.values())
    generated = GeneratedKinds(found.rgds, kinds, source, declared=declared)
    instances, flux, roles = instance_files(found.instances), FluxFiles(found.flux), RoleFiles(found.roles)
    return WorkspaceSchemas(kinds, source, generated, instances, flux, roles, general)


def general_sources(kinds: KubernetesSource, policy: PackPolicy) -> tuple[GeneralSource, ...]:
    """Return the user's store, and the pack if it is installed."""
    store, pack = installed_store(kinds), installed_pack(kinds, policy)
    return (store, pack) if pack else (store,)


class _Found(Struct, frozen=True):
    """The declarations found in files, by path."""

    object_meta: JsonObject
    cache: DiskCache | None
    crds: dict[str, CrdFile] = field(default_factory=dict)
    rgds: dict[str, str] = field(default_factory=dict)
    instances: dict[str, str] = field(default_factory=dict)
    flux: dict[str, str] = field(default_factory=dict)
    roles: dict[str, str] = field(default_factory=dict)

    def take(self, path: str, content: bytes, read_again: Callable[[], bytes | None]) -> None:
        """Add the declarations of a file. Raises UnreadableFileError for a file that is not UTF-8."""
        searched = searchable(content)
        is_crd, is_instance = _may_hold_crd(searched), may_hold_instance(content)
        is_rgd, is_flux, has_roles = KIND.encode() in searched, may_substitute(searched), may_hold_roles(searched)
        if is_crd and not content.isascii():
            decode(path, content)
        if is_rgd or is_instance or is_flux or has_roles:
            text = decode(path, content)
            found = (self.flux, is_flux), (self.roles, has_roles), (self.rgds, is_rgd), (self.instances, is_instance)
            for texts, is_found in found:
                if is_found:
                    texts[path] = text
        if is_crd:
            self.crds[path] = CrdFile(path, content, self.object_meta, read_again, cache=self.cache)


def _log(error: UnreadableFileError) -> None:
    warn("%s", error)


def kubernetes_kinds(version: str | None, openapi: Iterable[Path]) -> KubernetesSource:
    """Return Kubernetes' own kinds: those in the documents of a cluster if there are any, else of a bundled minor.

    Raises UnknownMinorError.
    """
    files = list(openapi)
    if files:
        from kro_ls.openapi.sources.dump import DumpedKubernetes

        dumped = DumpedKubernetes(_texts(files))
        for problem in dumped.problems:
            warn("%s: %s", problem.path, problem.message)
        if any(True for _ in dumped.names()):
            return dumped
        warn("the setting 'kro.openapi' names no description of a cluster; the bundled one is used")
    return kubernetes(version)


def _in_folders(folders: Sequence[Path]) -> Iterator[Path]:
    for folder in folders:
        yield from yaml_files(folder, _log, within=folders)


def _configured(folders: Sequence[Path], setting: str, patterns: tuple[str, ...]) -> Iterator[Path]:
    for pattern in patterns:
        places = [root / Path(pattern).expanduser() for root in folders or (Path.cwd(),)]
        files = [file for place in places for file in files_named(place, _log)]
        yield from files
        if not files and not any(map(os.path.exists, places)):
            warn("the setting '%s' names %s, but nothing is there; check the path", setting, pattern)


def _texts(paths: Iterable[Path]) -> Iterator[tuple[str, str]]:
    for path in dict.fromkeys(path.absolute() for path in paths):
        text = read_file(path)
        if text is not None:
            yield str(path), text
