"""Keeps the kinds of the workspace's files up to date, beside the editing.

The files are read in a thread, after the client has been answered and its open files have been looked at; until then
custom kinds are unknown. An open document counts as it is in the editor, not as it is on disk.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from lsprotocol import types
from msgspec import Struct

from kro_ls.server.background import Lane, Tasks, Timers
from kro_ls.server.delays import FOLLOW_SECONDS, REST_SECONDS, START_SECONDS
from kro_ls.server.documents.open_documents import What
from kro_ls.server.inputs.file_progress import CalledOffError
from kro_ls.uris import file_path, path_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from kro_ls.server.documents.open_documents import DocumentChanged
    from kro_ls.server.inputs.file_progress import FileProgress
    from kro_ls.workspace.documents import Document
    from kro_ls.workspace.schemas import SchemaSettings, WorkspaceSchemas

_PATTERNS = ("**/*.yaml", "**/*.yml")

P = ParamSpec("P")
T = TypeVar("T")

logger = logging.getLogger(__name__)


class Session(Struct, frozen=True, eq=False):
    """What the keeper asks of the session with the client, and tells it.

    `folders` are those of the workspace. `kinds_changed` is called when `current` has other kinds, `instances_changed`
    where only instances in files are other ones; `warn` shows a sentence to the user. `indexing` gives the progress
    of a reading to show, None where the client shows none. `is_being_prepared` tells of an open document whether its
    text is being worked out. `texts_followed` is called after each change of files.
    """

    folders: Callable[[], Iterable[Path]]
    settings: Callable[[], SchemaSettings]
    kinds_changed: Callable[[], None]
    instances_changed: Callable[[], None]
    warn: Callable[[str], None]
    indexing: Callable[[], FileProgress | None]
    is_being_prepared: Callable[[str], bool]
    texts_followed: Callable[[], None] = lambda: None


class _SupersededError(Exception):
    """A later load has been asked for."""


class SchemaKeeper:
    """Loads the kinds of a workspace and follows its files. `documents` are those that are open, by their URIs.

    A change of a file is only noted, whatever is going on. The notes are worked off one batch after the other, and what
    counts then is the text that is in effect when its batch begins.
    """

    def __init__(self, documents: Mapping[str, Document], session: Session) -> None:
        self._documents = documents
        self._session = session
        self.current: WorkspaceSchemas | None = None
        """The kinds as far as they are known; None until they are loaded."""
        self.is_loaded = False
        """Whether loading has ended, with kinds or with an error."""
        self._lane = Lane("schemas", REST_SECONDS)
        self._due = Timers()
        self._tasks = Tasks()
        self._updating = asyncio.Lock()
        self._outdated: set[str] = set()
        """The paths whose text may be another one than in the kinds."""
        self._since_load: set[str] = set()
        """The paths that were noted since the last load began, which may have read them before."""
        self._is_loading = False
        self._loads = 0
        self._is_closed = False

    def start(self) -> None:
        """Load all files soon."""
        self._due.start(None, START_SECONDS, self.reload)

    def reload(self) -> None:
        """Load all files anew, as after a change of settings; a load that goes on is of no use any more."""
        if self._is_closed:  # the client may leave before the first load begins
            return
        self._loads += 1
        self._is_loading = True
        self._since_load.clear()  # the files are read after this
        self._tasks.start(self._load(self._loads, list(self._session.folders()), self._session.settings()))

    def document_changed(self, event: DocumentChanged) -> None:
        """Follow the texts that are in effect."""
        if event.what is What.EDITED:
            self.follow(event.uri)
        elif event.what is What.OPENED:
            for uri in self._documents:
                self.follow(uri)
        elif event.what is What.CLOSED:  # what counts from now on is the file on disk
            self.files_changed([types.FileEvent(event.uri, types.FileChangeType.Changed)])

    def follow(self, uri: str) -> None:
        """Take note of an open document's text, once its author pauses."""
        self._due.start(uri, FOLLOW_SECONDS, partial(self._take_document, uri))

    def files_changed(self, changes: Iterable[types.FileEvent]) -> None:
        """Read files, and what is in folders, again that changed on disk and are not open."""
        opened = set(map(path_of, self._documents))
        paths = [path for change in changes if (path := file_path(change.uri)) and path not in opened]
        if paths:
            self._note(paths)

    def close(self) -> None:
        """Stop reading."""
        self._is_closed = True
        self._lane.close()

    async def _load(self, number: int, folders: list[Path], settings: SchemaSettings) -> None:
        """Load all files and use their kinds, unless a later load has been asked for."""
        from kro_ls.openapi.sources.bundled import UnknownMinorError
        from kro_ls.openapi.sources.disk_cache import user_cache
        from kro_ls.workspace.schemas import load

        progress = self._session.indexing()

        def on_file() -> None:
            if number != self._loads:
                raise _SupersededError
            if progress:
                progress.read()

        try:
            if progress and not await progress.begin():
                progress = None
            await self._update(number, await self._in_thread(load, folders, settings, user_cache(), on_file))
        except _SupersededError:
            return
        except UnknownMinorError as error:
            self._session.warn(f"{error} The setting 'kro.kubernetesVersion' is ignored.")
            await self._load(number, folders, settings.with_newest_kubernetes())
        except CalledOffError:
            logger.info("the user has called off the reading of files; kinds of open documents alone are known")
            await self._update(number, await self._in_thread(load, [], settings, user_cache()))
        except Exception:
            logger.exception("could not load the kinds of the workspace")
            self.is_loaded = True
            self._is_loading = self._is_loading and number != self._loads
            self._session.kinds_changed()
        finally:
            if progress:
                progress.end()

    def _take_document(self, uri: str) -> None:
        if self._session.is_being_prepared(uri):
            self.follow(uri)  # what is parsed then need not be parsed again, beside the first time
        elif uri in self._documents:
            self._note([path_of(uri)])

    def _note(self, paths: Iterable[str]) -> None:
        """Take note of paths whose text may be another one, until the kinds have it."""
        self._outdated.update(paths)
        if self._is_loading:
            self._since_load.update(paths)
        if self.current:
            self._tasks.start(self._update())

    async def _update(self, load: int | None = None, loaded: WorkspaceSchemas | None = None) -> None:
        """Have the kinds, or those that a load has given, follow the texts in effect, until none is outdated."""
        from kro_ls.workspace.effective_texts import with_texts_in_effect

        async with self._updating:
            if loaded:
                if load != self._loads:
                    return
                self._outdated |= self._since_load | set(map(path_of, self._documents))
                self._is_loading = False
            while not self._is_closed and (schemas := loaded or self.current) and (loaded or self._outdated):
                paths, self._outdated = self._outdated, set()
                opened = {path_of(uri): document for uri, document in self._documents.items()}
                folders = list(self._session.folders())
                try:
                    changed = await self._in_thread(with_texts_in_effect, schemas, paths, opened, folders)
                    if loaded:  # else what open documents use is at hand
                        await self._in_thread(_work_out_kinds, changed, tuple(opened.values()))
                except Exception:
                    logger.exception("could not take the kinds of %s", ", ".join(sorted(paths)))
                    changed = schemas
                if loaded:
                    names = changed.crds.names(), changed.generated.names()
                    logger.info("kinds listed: %s in CRDs, %s in RGDs", *map(len, names))
                loaded = None
                self._use(changed)

    async def _in_thread(self, work: Callable[P, T], *arguments: P.args, **keywords: P.kwargs) -> T:
        return await self._lane.submit(partial(work, *arguments, **keywords))

    def _use(self, schemas: WorkspaceSchemas) -> None:
        before = self.current
        self.current = schemas = before.followed_by(schemas) if before else schemas
        self.is_loaded = True
        if before is None or schemas.index is not before.index:
            self._session.kinds_changed()
        elif schemas is not before:
            self._session.instances_changed()
        self._session.texts_followed()


def _work_out_kinds(schemas: WorkspaceSchemas, documents: Iterable[Document]) -> None:
    """Have the kinds that open documents use worked out of the RGDs that declare them: nobody waits for that here."""
    from kro_ls.graphs import frames_in
    from kro_ls.workspace.described import described_documents

    for document in [each for each in documents if each.is_analysed]:
        with suppress(Exception):  # which is told of when the document is diagnosed with these kinds
            index = schemas.index_for(path_of(document.uri))
            for rgd in frames_in(document.analysis):
                for kind in rgd.table.kinds:
                    index.find_api_version(*kind)
            described_documents(document.analysis, "", index)  # the files of ours, known by name, have no kind


def watcher_registration() -> types.Registration:
    """Return the request to be told of changed YAML files, and of all that is deleted: it may be a folder of them."""
    watchers = [types.FileSystemWatcher(glob_pattern=pattern) for pattern in _PATTERNS]
    watchers.append(types.FileSystemWatcher(glob_pattern="**/*", kind=types.WatchKind.Delete))
    options = types.DidChangeWatchedFilesRegistrationOptions(watchers=watchers)
    return types.Registration("files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
