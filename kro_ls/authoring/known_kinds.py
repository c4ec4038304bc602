"""The kinds that a program in Python can use: those that `kro-ls check` knows in the working folder."""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from kro_ls.authoring.compositions.problems import CompositionError
from kro_ls.openapi.sources.disk_cache import user_cache
from kro_ls.openapi.sources.pack.policy import DEFAULT_POLICY
from kro_ls.workspace.files import MOST_BYTES, MOST_NAMED_BYTES, UnreadableFileError, warn, yaml_files
from kro_ls.workspace.project_file import PROJECT_FILE, project_settings
from kro_ls.workspace.schemas import general_sources, kubernetes_kinds, read_kinds

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.workspace.schemas import WorkspaceSchemas

_in_use: ContextVar[SchemaIndex | None] = ContextVar("kinds in use", default=None)


def known_kinds() -> SchemaIndex:
    """Return Kubernetes' kinds, what files below the working folder and the nearest settings declare, store and pack.

    Raises CompositionError where the settings cannot be understood.
    """
    try:
        return _in_use.get() or kinds_below(Path.cwd())
    except UnreadableFileError as error:
        raise CompositionError(str(error)) from error


@contextmanager
def using_kinds(kinds: SchemaIndex) -> Iterator[None]:
    """Use other kinds in programs for a while."""
    token = _in_use.set(kinds)
    try:
        yield
    finally:
        _in_use.reset(token)


def kinds_beside(texts: Mapping[str, str]) -> SchemaIndex:
    """Return the known kinds with those of some definitions, by their names. Raises UnreadableFileError."""
    if _in_use.get() is not None:  # their files are unknown
        schemas = read_kinds(kubernetes_kinds(None, ()), (), (), _log)
    else:
        schemas = schemas_below(Path.cwd())
    for name, text in texts.items():
        schemas = schemas.with_file(name, text)
    return schemas.index


def kinds_below(folder: Path, crds: tuple[Path, ...] = ()) -> SchemaIndex:
    """Return what programs in a folder know, and the kinds of some further files. Raises UnreadableFileError."""
    return schemas_below(folder, crds).index


@lru_cache(maxsize=4)  # of folders that a process works in
def schemas_below(folder: Path, crds: tuple[Path, ...] = ()) -> WorkspaceSchemas:
    """Return what declares the kinds that programs in a folder know. Raises UnreadableFileError."""
    project = project_settings(folder / PROJECT_FILE)
    openapi = project.files("openapi", _log) if project else ()
    kubernetes = kubernetes_kinds(project.kubernetes_version if project else None, openapi)
    files = dict.fromkeys(yaml_files(folder, _log), MOST_BYTES)
    files |= dict.fromkeys((*(project.files("crds", _log) if project else ()), *crds), MOST_NAMED_BYTES)
    general = general_sources(kubernetes, project.well_known if project else DEFAULT_POLICY)
    return read_kinds(kubernetes, (), files.items(), _log, user_cache(), general=general)


def _log(error: UnreadableFileError) -> None:
    warn("%s", error)
