"""The kinds that a program in Python can use: those that `kro-ls check` knows in the working folder."""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from kro_ls.openapi.sources.disk_cache import user_cache
from kro_ls.openapi.sources.pack.policy import DEFAULT_POLICY
from kro_ls.workspace.files import MOST_BYTES, MOST_NAMED_BYTES, yaml_files
from kro_ls.workspace.log import warn
from kro_ls.workspace.project_file import PROJECT_FILE, project_settings
from kro_ls.workspace.schemas import general_sources, kubernetes_kinds, read_kinds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.workspace.files import UnreadableFileError

_in_use: ContextVar[SchemaIndex | None] = ContextVar("kinds in use", default=None)


def known_kinds() -> SchemaIndex:
    """Return Kubernetes' kinds, what files below the working folder and the nearest settings declare, store and pack.

    Raises UnreadableFileError where the settings cannot be understood.
    """
    return _in_use.get() or kinds_below(Path.cwd())


@contextmanager
def using_kinds(kinds: SchemaIndex) -> Iterator[None]:
    """Let programs know other kinds for a while."""
    token = _in_use.set(kinds)
    try:
        yield
    finally:
        _in_use.reset(token)


@lru_cache(maxsize=4)  # of folders that a process works in
def kinds_below(folder: Path, crds: tuple[Path, ...] = ()) -> SchemaIndex:
    """Return what programs in a folder know, and the kinds of some further files. Raises UnreadableFileError."""
    project = project_settings(folder / PROJECT_FILE)
    openapi = project.files("openapi", _log) if project else ()
    kubernetes = kubernetes_kinds(project.kubernetes_version if project else None, openapi)
    files = dict.fromkeys(yaml_files(folder, _log), MOST_BYTES)
    files |= dict.fromkeys((*(project.files("crds", _log) if project else ()), *crds), MOST_NAMED_BYTES)
    general = general_sources(kubernetes, project.well_known if project else DEFAULT_POLICY)
    return read_kinds(kubernetes, (), files.items(), _log, user_cache(), general=general).index


def _log(error: UnreadableFileError) -> None:
    warn("%s", error)
