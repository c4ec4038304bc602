"""The language server: what it consists of, and what each part has the others do."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.server.background import Lane
from kro_ls.server.connection.client import Client
from kro_ls.server.diagnostics.closed_files import ClosedFiles
from kro_ls.server.diagnostics.held_back import HeldBack
from kro_ls.server.diagnostics.publishing import DiagnosticPublisher
from kro_ls.server.diagnostics.workspace_publishing import WorkspacePublisher
from kro_ls.server.documents.open_documents import OpenDocuments
from kro_ls.server.documents.sent_tokens import SentTokens
from kro_ls.server.inputs.baselines import BaselineKeeper
from kro_ls.server.inputs.file_progress import FileProgress
from kro_ls.server.inputs.followed_cluster import ClusterKeeper
from kro_ls.server.inputs.schemas import SchemaKeeper, Session
from kro_ls.server.inputs.status import StatusTeller
from kro_ls.server.inputs.symbols import SymbolKeeper
from kro_ls.server.inputs.tested import TestedKeeper
from kro_ls.server.inputs.user_settings import SettingsKeeper
from kro_ls.server.previews.chosen_instances import InstanceSources
from kro_ls.server.previews.explorations import PreviewSession
from kro_ls.server.previews.graphs import GraphKeeper
from kro_ls.server.previews.keeper import PreviewKeeper

if TYPE_CHECKING:
    from kro_ls.rules.files.failing_test import TestedDefinition
    from kro_ls.server.connection.loopback import LoopbackServer
    from kro_ls.server.inputs.configuration import UserSettings
    from kro_ls.workspace.evolution import Baseline


class KroLanguageServer(Client):
    """Holds what a session with one client knows."""

    def __init__(self) -> None:
        super().__init__()
        self.settings = SettingsKeeper(self, self._settings_changed)
        self.open_documents = OpenDocuments(self, lambda: self.schema_keeper.current, self.settings.of)
        self.slow_documents = self.open_documents.slow
        self.held_back = HeldBack(
            lambda: self.publisher.enabled or self.client_refreshes_diagnostics,
            lambda: self.schema_keeper.is_loaded,
            self._show_again,
            self.refresh_lenses,
        )
        send = self.protocol.written, partial(self.protocol.notify_written, types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        all_documents = self.open_documents.all
        self.closed_files = ClosedFiles(all_documents)
        self.workspace_publisher = WorkspacePublisher(
            self.documents, self.closed_files, lambda: self.is_busy or self.open_documents.is_being_edited, *send
        )
        self.publisher = DiagnosticPublisher(
            self.documents, self.slow_documents, self.held_back, *send, self.workspace_publisher.takes_over
        )
        self.reporting = Lane("workspace diagnostics")
        self.previews = PreviewKeeper(self.documents, self._instance_sources(), self._preview_session())
        self.graphs = GraphKeeper(self.documents, self.previews, self.refresh_graph)
        self.schema_keeper = SchemaKeeper(self.documents, self._schema_session())
        self.baselines = BaselineKeeper(self.documents, lambda: self.settings.current.compare_with, self._use_baseline)
        self.tested = TestedKeeper(self.documents, all_documents, self._use_tested)
        told = self.agrees, self.warn_user, self.schema_keeper.reload
        self.cluster = ClusterKeeper(lambda: self.settings.current.cluster, *told)
        self.symbols = SymbolKeeper(all_documents)
        self.sent_tokens = SentTokens()
        self._pages: LoopbackServer | None = None
        self._status = StatusTeller(self, self.settings, lambda: self.schema_keeper.current)
        for follower in (
            self.held_back,
            self.publisher,
            self.workspace_publisher,
            self.previews,
            self.graphs,
            self.schema_keeper,
            self.baselines,
            self.tested,
        ):
            self.open_documents.events.subscribe(follower.document_changed)

    def _schema_session(self) -> Session:
        return Session(
            self.folders,
            lambda: self.settings.current.schemas,
            self._kinds_changed,
            self.previews.inputs_changed,
            self.warn_user,
            lambda: FileProgress(self.work_done_progress) if self.client_shows_progress else None,
            self.slow_documents.is_being_prepared,
            self._texts_followed,
        )

    def _instance_sources(self) -> InstanceSources:
        def definition_for(path: str, api_version: str, kind: str) -> str:
            schemas = self.schema_keeper.current
            return schemas.chosen_source(path, api_version, kind) if schemas else ""

        return InstanceSources(self.folders, lambda: self.schema_keeper.instances, definition_for)

    def _preview_session(self) -> PreviewSession:
        return PreviewSession(
            self._refresh_values,
            self.refresh_preview,
            self.refresh_content,
            self.open_documents.diagnosed,
        )

    @property
    def pages(self) -> LoopbackServer:
        """The pages in the user's browser; the first one starts the web server."""
        if self._pages is None:
            from kro_ls.server.connection.loopback import LoopbackServer

            self._pages = LoopbackServer()
        return self._pages

    def close_all(self) -> None:
        """Work on nothing any more, and serve no page."""
        keepers = self.schema_keeper, self.previews, self.baselines, self.tested, self.workspace_publisher, self.graphs
        for keeper in (*keepers, self.cluster):
            keeper.close()
        if self._pages:
            self._pages.close()

    def initialize(self, params: types.InitializeParams) -> None:
        """Take note of the client; what it offers decides how diagnostics travel."""
        self.introduce(params)
        self.settings.initial = params.initialization_options
        text_document = params.capabilities.text_document
        # A client that asks and cannot be told to ask again would never see what waits while somebody types.
        asks = text_document is not None and text_document.diagnostic is not None
        self.publisher.enabled = not (asks and self.client_refreshes_diagnostics)
        self.publisher.links = self.workspace_publisher.links = self.client_takes_content

    @property
    def is_busy(self) -> bool:
        """Whether the files of the workspace are read, what they changed is looked at, or a large document is."""
        is_working = self.open_documents.is_being_renewed or self.slow_documents.is_preparing
        return is_working or not self.schema_keeper.is_loaded

    def renew(self) -> None:
        """Look at all documents again with other settings or kinds, and have what is shown of them asked for again."""
        self.open_documents.renew()
        self.refresh_diagnostics()
        self.refresh_inlay_hints()
        self.refresh_lenses()

    def _settings_changed(self, before: UserSettings, now: UserSettings) -> None:
        if (now.analysis, now.names_version) != (before.analysis, before.names_version):
            self.renew()
            self._status.tell()
        if now.compare_with != before.compare_with:
            self.baselines.follow_all()
        if now.cluster != before.cluster:
            self.cluster.follow()
        if now.schemas != before.schemas:
            self.schema_keeper.reload()
        if now != before and self.schema_keeper.is_loaded:
            self._texts_followed()
        if now.inlay_hints != before.inlay_hints:
            self.refresh_inlay_hints()

    def _kinds_changed(self) -> None:
        self.renew()
        self.baselines.follow_all()  # what a definition was may use those kinds, too
        self.tested.inputs_changed()
        self.symbols.prepare()
        self._status.tell()

    def _texts_followed(self) -> None:
        self.open_documents.follow_files()
        shows = self.publisher.enabled and self.settings.current.shows_closed_files
        self.workspace_publisher.enable(enabled=shows)
        self.workspace_publisher.inputs_changed()

    def _show_again(self, uri: str) -> None:
        self.publisher.schedule(uri, at_once=True)
        self.refresh_diagnostics()

    def _use_baseline(self, uri: str, baseline: Baseline | None) -> None:
        self.open_documents.use_baseline(uri, baseline)
        self.publisher.schedule(uri, at_once=True)

    def _use_tested(self, uri: str, tested: tuple[TestedDefinition | None, ...]) -> None:
        self.open_documents.use_tested(uri, tested)
        self._show_again(uri)

    def _refresh_values(self) -> None:
        """Have values in code lenses, and in inlay hints where they are shown, asked for again."""
        self.refresh_lenses()
        if self.settings.shows_values:
            self.refresh_inlay_hints()
