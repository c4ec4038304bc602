"""Keeps the kinds of the workspace up to date.

Files are read in a thread, after the client has its answers and its open files are checked; until then custom kinds are
unknown. Open documents count as they are in the editor, not as they are on disk.
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
    from collections.abc import Callable, Container, Iterable, Mapping
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
    """What the keeper needs from the session with the client.

    `folders` are those of the workspace. `kinds_changed` is called when the kinds changed, `instances_changed` when
    only instances in files did; `warn` shows a sentence to the user. `indexing` gives the progress to show while
    reading, None if the client shows none. `being_prepared` has the URIs of documents that are being prepared.
    `texts_followed` is called after each change of files.
    """

    folders: Callable[[], Iterable[Path]]
    settings: Callable[[], SchemaSettings]
    kinds_changed: Callable[[], None]
    instances_changed: Callable[[], None]
    warn: Callable[[str], None]
    indexing: Callable[[], FileProgress | None]
    being_prepared: Container[str]
    texts_followed: Callable[[], None] = lambda: None


class _SupersededError(Exception):
    """A later load was requested."""


class SchemaKeeper:
    """Loads the kinds of a workspace and follows its files. `documents` are the open ones by URI.

    The path of a changed file is only recorded. Recorded paths are processed in batches, with the texts in effect when
    a batch starts.
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
        """The paths whose text may differ from that in the kinds."""
        self._since_load: set[str] = set()
        """The paths recorded since the last load started, which may have read them before their change."""
        self._is_loading = False
        self._loads = 0
        self._is_closed = False

    def start(self) -> None:
        """Load all files soon."""
        self._due.start(None, START_SECONDS, self.reload)

    def reload(self) -> None:
        """Load all files again, as after a change of settings, and abandon a load that runs."""
        if self._is_closed:  # the client may leave before the first load starts
            return
        self._loads += 1
        self._is_loading = True
        self._since_load.clear()  # the files are read after this
        self._tasks.start(self._load(self._loads, list(self._session.folders()), self._session.settings()))

    def document_changed(self, event: DocumentChanged) -> None:
        """Follow the texts in effect."""
        if event.what is What.PAUSED:
            self._take_document(event.uri)
        elif event.what is What.OPENED:
            for uri in self._documents:
                self.follow(uri)
        elif event.what is What.CLOSED:  # from now on the file on disk counts
            self.files_changed([types.FileEvent(event.uri, types.FileChangeType.Changed)])

    def follow(self, uri: str) -> None:
        """Use an open document's text once its author pauses."""
        self._due.start(uri, FOLLOW_SECONDS, partial(self._take_document, uri))

    def files_changed(self, changes: Iterable[types.FileEvent]) -> None:
        """Read closed files and folders that changed on disk again."""
        opened = set(map(path_of, self._documents))
        paths = [path for change in changes if (path := file_path(change.uri)) and path not in opened]
        if paths:
            self._note(paths)

    def close(self) -> None:
        """Stop reading."""
        self._is_closed = True
        self._lane.close()

    async def _load(self, number: int, folders: list[Path], settings: SchemaSettings) -> None:
        """Load all files and use their kinds, unless a later load was requested."""
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
        if uri in self._session.being_prepared:
            self.follow(uri)  # so that its text is parsed only once
        elif uri in self._documents:
            self._note([path_of(uri)])

    def _note(self, paths: Iterable[str]) -> None:
        """Record paths whose text may have changed, until the kinds have it."""
        self._outdated.update(paths)
        if self._is_loading:
            self._since_load.update(paths)
        if self.current:
            self._tasks.start(self._update())

    async def _update(self, load: int | None = None, loaded: WorkspaceSchemas | None = None) -> None:
        """Update the kinds, or those of a load, with the texts in effect, until none is outdated."""
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
                    if loaded:  # else the kinds that open documents use are cached
                        await self._in_thread(_compute_kinds, changed, tuple(opened.values()))
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


def _compute_kinds(schemas: WorkspaceSchemas, documents: Iterable[Document]) -> None:
    """Compute the kinds that open documents use, here where no answer waits for them."""
    from kro_ls.graphs import frames_in
    from kro_ls.workspace.documents import described_documents

    for document in [each for each in documents if each.is_analysed]:
        with suppress(Exception):  # it is logged when the document is checked with these kinds
            index = schemas.index_for(path_of(document.uri))
            for rgd in frames_in(document.analysis):
                for kind in rgd.table.kinds:
                    index.find_api_version(*kind)
            described_documents(document.analysis, "", index)  # files of ours, which go by name, have no kind


def watcher_registration() -> types.Registration:
    """Return the registration for changes of YAML files, and for all deletions, which may be of folders."""
    watchers = [types.FileSystemWatcher(glob_pattern=pattern) for pattern in _PATTERNS]
    watchers.append(types.FileSystemWatcher(glob_pattern="**/*", kind=types.WatchKind.Delete))
    options = types.DidChangeWatchedFilesRegistrationOptions(watchers=watchers)
    return types.Registration("files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
