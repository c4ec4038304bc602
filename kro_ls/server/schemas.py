"""Keeps the kinds of the workspace's files up to date, beside the editing.

The files are read in a thread, after the client has been answered and its open files have been looked at; until then
custom kinds are unknown. An open document counts as it is in the editor, not as it is on disk.
"""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from lsprotocol import types
from msgspec import Struct

from kro_ls.server.indexing import IndexingCancelledError
from kro_ls.uris import file_path, path_of

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence

    from kro_ls.server.indexing import IndexingProgress
    from kro_ls.workspace.documents import Document
    from kro_ls.workspace.schemas import SchemaSettings, WorkspaceSchemas

START_SECONDS = 0.2
"""How long loading waits after `initialized`, so that the first open file is answered before."""

FOLLOW_SECONDS = 0.3
"""How long an edit that may change a kind waits for the next one."""

_PATTERNS = ("**/*.yaml", "**/*.yml")

P = ParamSpec("P")
T = TypeVar("T")

logger = logging.getLogger(__name__)


class Session(Struct, frozen=True, eq=False):
    """What the keeper asks of the session with the client, and tells it.

    `folders` are those of the workspace. `kinds_changed` is called when `current` has other kinds, `instances_changed`
    where only instances in files are other ones; `warn` shows a sentence to the user. `indexing` gives the progress
    of a reading to show, None where the client shows none. `is_being_prepared` tells of an open document whether its
    text is being worked out.
    """

    folders: Callable[[], Iterable[Path]]
    settings: Callable[[], SchemaSettings]
    kinds_changed: Callable[[], None]
    instances_changed: Callable[[], None]
    warn: Callable[[str], None]
    indexing: Callable[[], IndexingProgress | None]
    is_being_prepared: Callable[[str], bool]


class SchemaKeeper:
    """Loads the kinds of a workspace and follows its files. `documents` are those that are open, by their URIs."""

    def __init__(self, documents: Mapping[str, Document], session: Session) -> None:
        self._documents = documents
        self._session = session
        self._schemas: WorkspaceSchemas | None = None
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="schemas")
        self._following: dict[str, asyncio.TimerHandle] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._changing = asyncio.Lock()
        self._has_failed = False

    @property
    def current(self) -> WorkspaceSchemas | None:
        """The kinds as far as they are known; None before they are loaded."""
        return self._schemas

    @property
    def is_loaded(self) -> bool:
        """Whether all is known that will be known while no file changes."""
        return self._schemas is not None or self._has_failed

    def start(self) -> None:
        """Load all files soon."""
        asyncio.get_running_loop().call_later(START_SECONDS, self.reload)

    def reload(self) -> None:
        """Load all files anew, as after a change of settings."""
        self._run(self._load(list(self._session.folders()), self._session.settings()))

    def follow(self, uri: str) -> None:
        """Take note of an open document's text, once its author pauses; only others that are open can tell."""
        if len(self._documents) < 2:
            return
        pending = self._following.pop(uri, None)
        if pending:
            pending.cancel()
        self._take_soon(uri)

    def files_changed(self, changes: Iterable[types.FileEvent]) -> None:
        """Read files again that changed on disk and are not open."""
        paths = [file_path(change.uri) for change in changes if change.uri not in self._documents]
        self._run(self._read([path for path in paths if path]))

    def close(self) -> None:
        """Stop reading."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _run(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _load(self, folders: list[Path], settings: SchemaSettings) -> None:
        from kro_ls.openapi.sources.bundled import UnknownMinorError
        from kro_ls.openapi.sources.disk_cache import user_cache
        from kro_ls.workspace.schemas import load

        progress = self._session.indexing()
        try:
            if progress:
                await progress.begin()
            loaded = await self._in_thread(
                load, folders, settings, user_cache(), progress.read if progress else _nothing
            )
            await self._take(loaded)
        except UnknownMinorError as error:
            self._session.warn(f"{error} The setting 'kro.kubernetesVersion' is ignored.")
            await self._load(folders, settings.with_newest_kubernetes())
        except IndexingCancelledError:
            logger.info("the user has called off the reading of files; kinds of open documents alone are known")
            await self._take(await self._in_thread(load, [], settings, user_cache()))
        except Exception:
            logger.exception("could not load the kinds of the workspace")
            self._has_failed = True
            self._session.kinds_changed()
        finally:
            if progress:
                progress.end()

    async def _take(self, loaded: WorkspaceSchemas) -> None:
        """Use kinds that were just loaded, with the open documents as they are."""
        logger.info("kinds listed: %s in CRDs, %s in RGDs", len(loaded.crds.names()), len(loaded.generated.names()))
        await self._change({path_of(uri): document for uri, document in self._documents.items()}, loaded)

    async def _read(self, paths: list[str]) -> None:
        folders = list(self._session.folders())
        await self._change({path: await self._in_thread(_text_of, path, folders, self._schemas) for path in paths})

    def _take_soon(self, uri: str) -> None:
        self._following[uri] = asyncio.get_running_loop().call_later(FOLLOW_SECONDS, self._take_document, uri)

    def _take_document(self, uri: str) -> None:
        self._following.pop(uri, None)
        if self._session.is_being_prepared(uri):
            self._take_soon(uri)  # what is parsed then need not be parsed again, beside the first time
            return
        document = self._documents.get(uri)
        if self._schemas and document:
            self._run(self._change({path_of(uri): document}))

    async def _change(self, files: Mapping[str, Document | str | None], loaded: WorkspaceSchemas | None = None) -> None:
        """Take files into the kinds as they are, or into those just loaded: open ones, texts, None for what is gone.

        One change after the other: each builds on what the one before it left.
        """
        async with self._changing:
            schemas = loaded or self._schemas
            if schemas:
                changed = await self._in_thread(_with_files, schemas, files)
                if loaded:  # else what open documents use is at hand
                    await self._in_thread(_work_out_kinds, changed, tuple(self._documents.values()))
                self._use(changed)

    async def _in_thread(self, work: Callable[P, T], *arguments: P.args, **keywords: P.kwargs) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, partial(work, *arguments, **keywords))

    def _use(self, schemas: WorkspaceSchemas) -> None:
        before = self._schemas
        self._schemas = schemas = before.followed_by(schemas) if before else schemas
        if before is None or schemas.index is not before.index:
            self._session.kinds_changed()
        elif schemas is not before:
            self._session.instances_changed()


def _text_of(path: str, folders: Sequence[Path], schemas: WorkspaceSchemas | None) -> str | None:
    """Return the text of a file of the workspace, or of one that the settings name; None for all others."""
    from kro_ls.workspace.files import may_read, read_file

    return read_file(Path(path)) if may_read(path, folders, schemas.crds.paths() if schemas else ()) else None


def _nothing() -> None:
    """Let the reading of files go on."""


def _with_files(schemas: WorkspaceSchemas, files: Mapping[str, Document | str | None]) -> WorkspaceSchemas:
    for path, file in files.items():
        if file is None or isinstance(file, str):
            schemas = schemas.with_file(path, file)
        else:
            schemas = schemas.with_file(path, file.text.content, file if file.is_analysed else None)
    return schemas


def _work_out_kinds(schemas: WorkspaceSchemas, documents: Iterable[Document]) -> None:
    """Have the kinds that open documents use worked out of the RGDs that declare them: nobody waits for that here."""
    from kro_ls.workspace.described import described_documents

    for document in [each for each in documents if each.is_analysed]:
        with suppress(Exception):  # which is told of when the document is diagnosed with these kinds
            index = schemas.index_for(path_of(document.uri))
            for rgd in document.analysis.frames:
                for kind in rgd.table.summary.kinds:
                    index.find_api_version(*kind)
            described_documents(document.analysis, "", index)  # the files of ours, known by name, have no kind


def watcher_registration() -> types.Registration:
    """Return the request to be told of changed YAML files."""
    watchers = [types.FileSystemWatcher(glob_pattern=pattern) for pattern in _PATTERNS]
    options = types.DidChangeWatchedFilesRegistrationOptions(watchers=watchers)
    return types.Registration("files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
