"""The language server: its parts, and how they depend on each other."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.server.background import Lane
from kro_ls.server.connection.client import Client
from kro_ls.server.diagnostics.closed_files import ClosedFiles
from kro_ls.server.diagnostics.publishing import DiagnosticPublisher, HeldBack
from kro_ls.server.diagnostics.workspace_publishing import WorkspacePublisher
from kro_ls.server.documents.open_documents import OpenDocuments, SentTokens, What
from kro_ls.server.documents.slow_documents import SlowDocuments
from kro_ls.server.inputs.commits import BaselineKeeper
from kro_ls.server.inputs.file_progress import FileProgress
from kro_ls.server.inputs.followed_cluster import ClusterKeeper
from kro_ls.server.inputs.schemas import SchemaKeeper, Session
from kro_ls.server.inputs.symbols import SymbolKeeper
from kro_ls.server.inputs.tested import TestedKeeper
from kro_ls.server.inputs.user_settings import SettingsKeeper, StatusReporter
from kro_ls.server.previews.chosen_instances import InstanceSources
from kro_ls.server.previews.graphs import GraphKeeper
from kro_ls.server.previews.keeper import PreviewKeeper, PreviewSession

if TYPE_CHECKING:
    from kro_ls.rules.files.failing_test import TestedDefinition
    from kro_ls.server.connection.loopback import LoopbackServer
    from kro_ls.server.inputs.configuration import UserSettings
    from kro_ls.workspace.evolution import Baseline


class KroLanguageServer(Client):
    """The state of a session with one client."""

    def __init__(self) -> None:
        super().__init__()
        self.settings = SettingsKeeper(self, self._settings_changed)
        self.slow_documents = SlowDocuments(self.documents)
        self.schema_keeper = kinds = SchemaKeeper(self.documents, self._schema_session())
        self.open_documents = OpenDocuments(self, self.slow_documents, kinds, self.settings.of)
        all_documents = self.open_documents.all
        self.held_back = HeldBack(kinds, self._show_again, self.refresh_lenses)
        send = self.protocol.written, partial(self.protocol.notify_written, types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        self.closed_files = ClosedFiles(all_documents)
        self.workspace_publisher = WorkspacePublisher(self.open_documents, self.documents, self.closed_files, *send)
        self.publisher = DiagnosticPublisher(
            self.documents, self.slow_documents, self.held_back, *send, self.workspace_publisher.takes_over
        )
        self.reporting = Lane("workspace diagnostics")
        sources = InstanceSources(lambda: self.folders, kinds)
        self.previews = PreviewKeeper(self.documents, sources, self._preview_session())
        self.graphs = GraphKeeper(self.documents, self.previews, self.refresh_graph)
        self.baselines = BaselineKeeper(self.documents, lambda: self.settings.current.compare_with, self._use_baseline)
        self.tested = TestedKeeper(self.documents, all_documents, self._use_tested)
        reports = self.agrees, self.warn_user, kinds.reload
        self.cluster = ClusterKeeper(lambda: self.settings.current.cluster, *reports)
        self.symbols = SymbolKeeper(all_documents)
        self.sent_tokens = SentTokens()
        self._pages: LoopbackServer | None = None
        self._status = StatusReporter(self, self.settings, kinds)
        subscribe = self.open_documents.events.subscribe
        subscribe(self.publisher.document_changed)
        subscribe(self.workspace_publisher.document_opened, (What.OPENED,))
        subscribe(self.previews.document_changed, shown=self.previews.shown)
        subscribe(self.graphs.document_changed, shown=self.graphs.shown)
        subscribe(kinds.document_changed, (What.OPENED, What.PAUSED, What.CLOSED))
        subscribe(self.baselines.document_opened, (What.OPENED,))
        # A change of kinds or settings is reported once for all documents.
        subscribe(self.tested.document_changed, (What.OPENED, What.EDITED, What.CLOSED), self.tested.shown)

    def _schema_session(self) -> Session:
        return Session(
            lambda: self.folders,
            lambda: self.settings.current.schemas,
            self._kinds_changed,
            self._instances_changed,
            self.warn_user,
            lambda: FileProgress(self.work_done_progress) if self.client_shows_progress else None,
            self.slow_documents.being_prepared,
            self._texts_followed,
        )

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
        """Stop all work, and serve no page."""
        keepers = self.schema_keeper, self.previews, self.baselines, self.tested, self.workspace_publisher, self.graphs
        for keeper in (*keepers, self.cluster):
            keeper.close()
        if self._pages:
            self._pages.close()

    def initialize(self, params: types.InitializeParams) -> None:
        """Read the client's capabilities, which decide whether diagnostics are pushed or pulled."""
        self.introduce(params)
        self.settings.initial = params.initialization_options
        text_document = params.capabilities.text_document
        # A client that pulls but does not refresh would never see what is held back while the user types.
        pulls = text_document is not None and text_document.diagnostic is not None
        self.publisher.enabled = not (pulls and self.client_refreshes_diagnostics)
        self.publisher.links = self.workspace_publisher.links = self.client_takes_content

    def renew(self) -> None:
        """Give all documents the current settings and kinds, and refresh what the client shows of them."""
        self.open_documents.renew()
        self.refresh_diagnostics()
        self.refresh_inlay_hints()
        self.refresh_lenses()

    def _settings_changed(self, before: UserSettings, now: UserSettings) -> None:
        if (now.analysis, now.names_version) != (before.analysis, before.names_version):
            self.renew()
            self._status.report()
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
        self.baselines.follow_all()  # previous definitions may use those kinds, too
        self.tested.inputs_changed()
        self.symbols.prepare()
        self._status.report()

    def _instances_changed(self) -> None:
        self.previews.inputs_changed()

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
        """Refresh values in code lenses, and in inlay hints where they are shown."""
        self.refresh_lenses()
        if self.settings.shows_values:
            self.refresh_inlay_hints()
