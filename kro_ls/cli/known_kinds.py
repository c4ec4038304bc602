"""The kinds that a command knows: those of Kubernetes, and what the named files declare."""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from kro_ls.cli.input_error import InputError
from kro_ls.openapi.sources.pack.policy import DEFAULT_POLICY, PackPolicy
from kro_ls.workspace.files import MOST_NAMED_BYTES, UnreadableFileError
from kro_ls.workspace.patterns import files_named
from kro_ls.workspace.project_file import project_settings
from kro_ls.workspace.schemas import general_sources, kubernetes_kinds, read_kinds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.openapi.kind_schema import GroupVersionKind
    from kro_ls.openapi.sources.disk_cache import DiskCache
    from kro_ls.workspace.schemas import WorkspaceSchemas


def known_kinds(
    texts: Iterable[tuple[str, str]],
    kubernetes_version: str | None = None,
    *,
    files: Iterable[Path],
    on_error: Callable[[UnreadableFileError], None],
    cache: DiskCache | None = None,
    openapi: Iterable[Path] = (),
    declared: Mapping[str, tuple[GroupVersionKind, ...]] = MappingProxyType({}),
    policy: PackPolicy = DEFAULT_POLICY,
) -> WorkspaceSchemas:
    """Return the kinds of a bundled Kubernetes minor, the newest by default, and what CRDs and RGDs declare.

    The declarations are in `texts`, paths with texts, and in `files`; `on_error` is called for each unreadable file,
    `cache` stores slow results. `openapi` are files that a cluster published, to use instead of the minor.
    `declared` are the kinds that RGDs declare, by path, for the texts that were searched already. `policy` decides
    how kinds of well-known projects are used.
    Raises InputError for a Kubernetes version that is not bundled.
    """
    kinds = kubernetes_kinds(kubernetes_version, openapi)
    named = ((path, MOST_NAMED_BYTES) for path in files)
    return read_kinds(kinds, texts, named, on_error, cache, declared, general_sources(kinds, policy))


def folder_kinds(
    file: Path, crds: Iterable[str], texts: Iterable[tuple[str, str]] = (), cache: DiskCache | None = None
) -> SchemaIndex:
    """Return all the kinds of `folder_schemas`. Raises InputError or UnreadableFileError."""
    return folder_schemas(file, crds, texts, cache).index


def folder_schemas(
    file: Path, crds: Iterable[str], texts: Iterable[tuple[str, str]] = (), cache: DiskCache | None = None
) -> WorkspaceSchemas:
    """Return the kinds that a command knows of a file: those that --crds and the settings of its folder name.

    Raises InputError or UnreadableFileError for what cannot be read.
    """
    unreadable: list[UnreadableFileError] = []
    project = project_settings(file)
    files = [*crd_files(crds), *(project.files("crds", unreadable.append) if project else ())]
    openapi = project.files("openapi", unreadable.append) if project else ()
    minor = project.kubernetes_version if project else None
    policy = project.well_known if project else DEFAULT_POLICY
    schemas = known_kinds(
        texts, minor, files=files, on_error=unreadable.append, cache=cache, openapi=openapi, policy=policy
    )
    if unreadable:
        raise InputError("\n".join(map(str, unreadable)), shown=True)
    return schemas


def crd_files(patterns: Iterable[str]) -> Iterator[Path]:
    """Yield the files that paths of files, folders and globs name. Raises InputError where one names nothing."""

    def refuse(error: UnreadableFileError) -> None:
        raise InputError(f"--crds {error}")

    for pattern in patterns:
        named = Path(pattern).expanduser()
        files = list(files_named(named, refuse))
        yield from files
        if not files and not named.exists():
            raise InputError(f"--crds {pattern}: nothing is there; check the path")
