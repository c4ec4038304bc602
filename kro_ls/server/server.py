"""The language server: its documents, its settings, and the lifecycle that a client drives."""

from __future__ import annotations

import asyncio
import logging
import platform
import threading
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types
from msgspec.structs import replace

import kro_ls
from kro_ls.server.background import Lane, in_thread
from kro_ls.server.baselines import BaselineKeeper
from kro_ls.server.capabilities import ClientCapabilities
from kro_ls.server.closed_files import ClosedFiles
from kro_ls.server.definitions import definition_for
from kro_ls.server.delays import IDLE_SECONDS, LET_GO_SECONDS, RENEWAL_SECONDS
from kro_ls.server.graphs import GraphKeeper
from kro_ls.server.held_back import HeldBack
from kro_ls.server.indexing import IndexingProgress
from kro_ls.server.previews import PreviewKeeper, PreviewSession
from kro_ls.server.protocol import KroProtocol
from kro_ls.server.publishing import DiagnosticPublisher
from kro_ls.server.schemas import SchemaKeeper, Session
from kro_ls.server.sent_tokens import SentTokens
from kro_ls.server.slow_documents import SlowDocuments
from kro_ls.server.symbols import SymbolKeeper
from kro_ls.server.tested import TestedKeeper
from kro_ls.server.workspace_publishing import WorkspacePublisher
from kro_ls.uris import file_path, file_uri, path_of
from kro_ls.yaml_positions.positions import PositionEncoding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.rules.diagnosis import Diagnosis
    from kro_ls.rules.files.failing_test import TestedDefinition
    from kro_ls.rules.settings import Settings
    from kro_ls.server.configuration import UserSettings
    from kro_ls.server.pages.loopback import LoopbackServer
    from kro_ls.server.status import Status
    from kro_ls.workspace.all_documents import AllDocuments
    from kro_ls.workspace.documents import Document
    from kro_ls.workspace.evolution import Baseline
    from kro_ls.workspace.instance_files import InstanceFiles
    from kro_ls.workspace.snapshot import Snapshot

SECTION = "kro"
"""The section of the user's settings that is ours."""

REFRESH_PREVIEW = "kro/refreshPreview"
GRAPH_CHANGED = "kro-ls/graphChanged"

logger = logging.getLogger(__name__)


class KroLanguageServer(ClientCapabilities):
    """Holds what a session with one client knows."""

    protocol: KroProtocol

    def __init__(self) -> None:
        super().__init__(
            "kro-ls",
            kro_ls.__version__,
            text_document_sync_kind=types.TextDocumentSyncKind.Incremental,
            protocol_cls=KroProtocol,
        )
        self.documents: dict[str, Document] = {}
        self._settings: UserSettings | None = None
        self._initialization_options: object = None
        self._names_no_folders = True
        self._loop: asyncio.AbstractEventLoop | None = None
        self._loop_thread = threading.current_thread()
        self.slow_documents = SlowDocuments(self.documents)
        self.held_back = HeldBack(
            self._can_show_later, lambda: self.schema_keeper.is_loaded, self._show_again, self._refresh_lenses
        )
        self.publisher = DiagnosticPublisher(
            self.documents,
            self.slow_documents,
            self.held_back,
            self.protocol.written,
            partial(self.protocol.notify_written, types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS),
        )
        session = Session(
            self.folders,
            lambda: self.settings.schemas,
            self._kinds_changed,
            self._instances_changed,
            self.warn_user,
            self._indexing,
            self.slow_documents.is_being_prepared,
            self._texts_followed,
        )
        self.schema_keeper = SchemaKeeper(self.documents, session)
        preview_session = PreviewSession(
            self.folders,
            self._instances,
            self._refresh_values,
            self._refresh_preview,
            self._refresh_content,
            self._diagnosed,
            lambda *kind: definition_for(self.schema_keeper.current, *kind),
        )
        self.previews = PreviewKeeper(self.documents, preview_session)
        self.baselines = BaselineKeeper(self.documents, lambda: self.settings.compare_with, self._use_baseline)
        self.tested = TestedKeeper(self.documents, lambda: self.all_documents, self._use_tested)
        self.graphs = GraphKeeper(self.documents, self.previews, self._graph_changed)
        self.symbols = SymbolKeeper(lambda: self.all_documents)
        self.sent_tokens = SentTokens()
        self.closed_files = ClosedFiles(lambda: self.all_documents)
        self.reporting = Lane("workspace diagnostics")
        self.workspace_publisher = WorkspacePublisher(
            self.documents,
            self.closed_files,
            lambda: self.is_busy or self.is_being_edited,
            self.protocol.written,
            partial(self.protocol.notify_written, types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS),
        )
        self._edited_at = -IDLE_SECONDS
        self._renewed_at = -RENEWAL_SECONDS
        self._pages: LoopbackServer | None = None
        self._toggled_values: bool | None = None
        self._told_status: Status | None = None

    def report_server_error(self, error: Exception, source: object) -> None:  # noqa: ARG002 # pygls' signature
        """Log what went wrong; the user, who can do nothing about it, is not interrupted."""
        logger.error("%s", error)

    @property
    def pages(self) -> LoopbackServer:
        """The pages in the user's browser; the first one starts the web server."""
        if self._pages is None:
            from kro_ls.server.pages.loopback import LoopbackServer

            self._pages = LoopbackServer()
        return self._pages

    def close_pages(self) -> None:
        """Serve no page any more."""
        self.graphs.close()
        if self._pages:
            self._pages.close()

    @property
    def encoding(self) -> PositionEncoding:
        """The position encoding agreed with the client."""
        return PositionEncoding(self.server_capabilities.position_encoding or PositionEncoding.UTF16)

    def initialize(self, params: types.InitializeParams) -> None:
        """Take note of the client; what it offers decides how diagnostics travel."""
        client = params.client_info
        logger.info(
            "kro-ls %s, Python %s, %s; client %s %s, process %s",
            kro_ls.__version__,
            platform.python_version(),
            platform.platform(),
            client.name if client else "unknown",
            client.version if client else "",
            params.process_id,
        )
        self._loop, self._loop_thread = asyncio.get_running_loop(), threading.current_thread()
        self.client_name = client.name if client else ""
        self._initialization_options = params.initialization_options
        self._names_no_folders = not params.workspace_folders
        text_document = params.capabilities.text_document
        # A client that asks and cannot be told to ask again would never see what waits while somebody types.
        asks = text_document is not None and text_document.diagnostic is not None
        self.publisher.enabled = not (asks and self.client_refreshes_diagnostics)
        self.publisher.links = self.workspace_publisher.links = self.client_takes_content

    @property
    def settings(self) -> UserSettings:
        """The user's settings. Reading them loads every rule, so `initialize` is answered before that."""
        return self._settings or self.configure(self._initialization_options)

    @property
    def is_busy(self) -> bool:
        """Whether the files of the workspace are read, what they changed is looked at, or a large document is."""
        is_renewed = time.monotonic() - self._renewed_at < RENEWAL_SECONDS
        return is_renewed or self.slow_documents.is_preparing or not self.schema_keeper.is_loaded

    @property
    def is_being_edited(self) -> bool:
        """Whether somebody typed a moment ago."""
        return time.monotonic() - self._edited_at < IDLE_SECONDS

    def folders(self) -> Iterator[Path]:
        """Yield the folders of the workspace: what a client or a file names is read there and nowhere else."""
        root = [self.workspace.root_uri] if self._names_no_folders and self.workspace.root_uri else []
        uris = list(self.workspace.folders) or root
        paths = map(file_path, uris)
        return (Path(path) for path in paths if path)

    def warn_user(self, text: str) -> None:
        """Log and show a sentence that tells the user what to do. Any thread may call this."""
        logger.warning("%s", text)
        # VS Code makes links, also of commands, of `[text](address)`, and `text` may quote a file of the workspace.
        plain = text.replace("](", "] (")
        shown = types.ShowMessageParams(types.MessageType.Warning, f"kro-ls: {plain}")
        if threading.current_thread() is self._loop_thread:
            self.window_show_message(shown)
        elif self._loop:  # a message of another thread could come into the middle of a long one
            self._loop.call_soon_threadsafe(self.window_show_message, shown)

    def make_document(self, uri: str, version: int | None, content: str) -> Document:
        """Return a document with the current settings and kinds."""
        from kro_ls.workspace.documents import Document
        from kro_ls.yaml_positions.text import Text

        kinds = self._kinds_for(uri)
        return Document(uri, version, Text(content), self.encoding, self._settings_of(uri), *kinds)

    def _kinds_for(self, uri: str) -> tuple[SchemaIndex | None, tuple[SchemaIndex, ...]]:
        """Return the kinds for a document, and those with other definitions of what several files define."""
        schemas = self.schema_keeper.current
        if schemas is None:
            return None, ()
        path = path_of(uri)
        return schemas.index_for(path), schemas.others_for(path)

    def _settings_of(self, uri: str) -> Settings:
        """Return the settings for a document; the nearest `.kro-ls.yaml` tells what the user does not."""
        from kro_ls.workspace.files import UnreadableFileError
        from kro_ls.workspace.kustomize import is_patch
        from kro_ls.workspace.project_file import project_settings

        settings = self.settings
        path = file_path(uri)
        try:
            project = project_settings(Path(path), tuple(self.folders())) if path else None
        except UnreadableFileError as error:
            self.warn_user(str(error))
            project = None
        chosen = (
            project.under(settings.analysis, names_version=settings.names_version) if project else settings.analysis
        )
        return replace(chosen, is_patch=True) if path and is_patch(Path(path)) else chosen

    @property
    def all_documents(self) -> AllDocuments:
        """The documents of the workspace, open or on disk, as they are now."""
        from kro_ls.workspace.all_documents import AllDocuments

        opened = {path_of(uri): document for uri, document in list(self.documents.items())}

        def on_disk(path: str, content: str) -> Document:
            return self.make_document(file_uri(path), None, content)

        return AllDocuments(opened, self.schema_keeper.current, on_disk, tuple(self.folders()))

    def snapshot(self, document: Document) -> Snapshot:
        """Return a document beside all others as they are now."""
        from kro_ls.workspace.snapshot import Snapshot

        return Snapshot(document, self.all_documents)

    def open(self, document: Document) -> None:
        """Start to follow a document."""
        self.documents[document.uri] = document
        self.workspace_publisher.opened(document.uri)
        self.publisher.schedule(document.uri, at_once=True)
        self.previews.inputs_changed()
        self.graphs.changed(document.uri)
        for uri in self.documents:
            self.schema_keeper.follow(uri)
        self.baselines.follow(document.uri)
        self.tested.inputs_changed(at_once=True)

    def _use_baseline(self, uri: str, baseline: Baseline | None) -> None:
        self.documents[uri] = self.documents[uri].compared(baseline)
        self.publisher.schedule(uri, at_once=True)

    def _use_tested(self, uri: str, tested: tuple[TestedDefinition | None, ...]) -> None:
        self.documents[uri] = self.documents[uri].testing(tested)
        self.publisher.schedule(uri, at_once=True)
        if self.client_refreshes_diagnostics:
            self.workspace_diagnostic_refresh(None)

    def close(self, uri: str) -> None:
        """Stop to follow a document."""
        if uri in self.documents:
            self.slow_documents.let_go([self.documents.pop(uri)])
            shown = self.publisher.clear(uri, take_back=not self.workspace_publisher.enabled)
            if self.workspace_publisher.enabled:
                self.workspace_publisher.closed(uri, shown)
            self.held_back.closed(uri)
            self.previews.closed(uri)
            self.graphs.changed(uri)
            self.tested.closed(uri)
            self.tested.inputs_changed()
            # What counts from now on is the file on disk.
            self.schema_keeper.files_changed([types.FileEvent(uri, types.FileChangeType.Changed)])
            asyncio.get_running_loop().call_later(LET_GO_SECONDS, self.slow_documents.give_memory_back)

    def change(self, document: Document) -> None:
        """Follow a newer version of a document."""
        self.slow_documents.let_go([self.documents[document.uri]])
        self.documents[document.uri] = document
        self._edited_at = time.monotonic()
        self.held_back.edited(document)
        self.publisher.schedule(document.uri)
        self.previews.edited(document.uri)
        self.previews.inputs_changed()
        self.graphs.changed(document.uri)
        self.schema_keeper.follow(document.uri)
        self.tested.inputs_changed()

    def configure(self, value: object) -> UserSettings:
        """Take settings that the client sent, and tell the user what is wrong with them."""
        from kro_ls.rules.registry import RULES
        from kro_ls.server.configuration import read_settings

        settings, problems = read_settings(value, (rule.code for rule in RULES))
        for problem in problems:
            self.warn_user(problem)
        before = self._settings
        self._settings = settings
        if before and (settings.analysis, settings.names_version) != (before.analysis, before.names_version):
            self.renew()
            self._tell_status()
        if before and settings.compare_with != before.compare_with:
            self.baselines.follow_all()
        if before and settings.schemas != before.schemas:
            self.schema_keeper.reload()
        if before and settings != before and self.schema_keeper.is_loaded:
            self._texts_followed()
        if before and settings.inlay_hints != before.inlay_hints:
            self._toggled_values = None
            self._refresh_inlay_hints()
        return settings

    def _indexing(self) -> IndexingProgress | None:
        """Return the progress of reading the workspace's files, None for a client that shows none."""
        window = self.client_capabilities.window
        shows = window and window.work_done_progress
        return IndexingProgress(self.work_done_progress, asyncio.get_running_loop()) if shows else None

    def _can_show_later(self) -> bool:
        return self.publisher.enabled or self.client_refreshes_diagnostics

    def _show_again(self, uri: str) -> None:
        self.publisher.schedule(uri, at_once=True)
        if self.client_refreshes_diagnostics:
            self.workspace_diagnostic_refresh(None)

    def _instances(self) -> InstanceFiles | None:
        schemas = self.schema_keeper.current
        return schemas.instances if schemas else None

    def _refresh_preview(self, uri: str) -> None:
        if self.client_takes_refresh_notification:
            self.protocol.notify(REFRESH_PREVIEW, {"uri": uri})

    def _graph_changed(self, uri: str) -> None:
        if self.client_follows_graphs:
            self.protocol.notify(GRAPH_CHANGED, {"uri": uri})

    def _refresh_content(self, virtual_uri: str) -> None:
        if self.client_takes_content:
            self.workspace_text_document_content_refresh(types.TextDocumentContentRefreshParams(virtual_uri))

    async def _diagnosed(self, document: Document) -> Diagnosis:
        if document.uri not in self.documents:
            return await in_thread("a diagnosis", lambda: document.diagnosis)
        return await self.slow_documents.worked_out(document, lambda current: current.diagnosis)

    def _instances_changed(self) -> None:
        self.previews.inputs_changed()

    def _texts_followed(self) -> None:
        self.workspace_publisher.enable(enabled=self.publisher.enabled and self.settings.shows_closed_files)
        self.workspace_publisher.inputs_changed()

    def _kinds_changed(self) -> None:
        self.renew()
        self.baselines.follow_all()  # what a definition was may use those kinds, too
        self.tested.inputs_changed()
        self.symbols.prepare()
        self._tell_status()

    def _tell_status(self) -> None:
        """Tell a client that shows it what the server goes by, unless it knows."""
        schemas = self.schema_keeper.current
        if schemas is None or not self._client_wants("kroStatus"):
            return
        from kro_ls.server.status import METHOD, status_of
        from kro_ls.workspace.project_file import PROJECT_FILE

        # The status is one for all documents: the first folder's project file counts.
        folder = next(iter(self.workspace.folders), self.workspace.root_uri)
        settings = self._settings_of(f"{folder}/{PROJECT_FILE}") if folder else self.settings.analysis
        status = status_of(schemas, settings.version)
        if status != self._told_status:
            self._told_status = status
            self.protocol.notify(METHOD, status)

    def renew(self) -> None:
        """Look at all documents again with other settings or kinds, and have their diagnostics sent again."""
        self._renewed_at = time.monotonic()
        for uri, document in self.documents.items():
            schemas, others = self._kinds_for(uri)
            settings = self._settings_of(uri)
            self.slow_documents.let_go([document])
            self.documents[uri] = document.renewed(settings=settings, schemas=schemas, other_schemas=others)
            self.publisher.schedule(uri, at_once=True)
            self.graphs.changed(uri)
        if self.documents and self.client_refreshes_diagnostics:
            self.workspace_diagnostic_refresh(None)
        self._refresh_inlay_hints()
        self._refresh_lenses()
        self.previews.inputs_changed()

    @property
    def shows_values(self) -> bool:
        """Whether inlay hints show values: as the setting says, until the user toggles them."""
        return self.settings.inlay_hints.values if self._toggled_values is None else self._toggled_values

    def toggle_values(self) -> bool:
        """Show values in inlay hints if they were not shown, and the other way round; return whether they are now."""
        self._toggled_values = not self.shows_values
        self._refresh_inlay_hints()
        return self._toggled_values

    def _refresh_values(self) -> None:
        """Have values in code lenses, and in inlay hints where they are shown, asked for again."""
        self._refresh_lenses()
        if self.shows_values:
            self._refresh_inlay_hints()

    def _refresh_lenses(self) -> None:
        """Have clients that can do so ask for code lenses again."""
        if self.documents and self.client_refreshes_lenses:
            self.workspace_code_lens_refresh(None)

    def _refresh_inlay_hints(self) -> None:
        """Have clients that can do so ask for inlay hints again."""
        if self.documents and self.client_refreshes_hints:
            self.workspace_inlay_hint_refresh(None)
