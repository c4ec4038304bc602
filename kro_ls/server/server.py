"""The language server: its documents, its settings, and the lifecycle that a client drives."""

from __future__ import annotations

import logging
import platform
from dataclasses import replace
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.lsp.server import LanguageServer

import kro_ls
from kro_ls.server.protocol import KroProtocol
from kro_ls.server.publishing import DiagnosticPublisher
from kro_ls.yaml_positions.positions import PositionEncoding

if TYPE_CHECKING:
    from kro_ls.analysis.settings import Settings
    from kro_ls.workspace.documents import Document

logger = logging.getLogger(__name__)


class KroLanguageServer(LanguageServer):
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
        self.settings_version = 0
        self._settings: Settings | None = None
        self._initialization_options: object = None
        self.publisher = DiagnosticPublisher(self)

    def report_server_error(self, error: Exception, source: object) -> None:  # noqa: ARG002 # pygls' signature
        """Log what went wrong; the user, who can do nothing about it, is not interrupted."""
        logger.error("%s", error)

    @property
    def client_takes_snippets(self) -> bool:
        """Whether completion may insert text with a place for the cursor."""
        text_document = self.client_capabilities.text_document
        item = text_document.completion.completion_item if text_document and text_document.completion else None
        return bool(item and item.snippet_support)

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
        self._initialization_options = params.initialization_options
        text_document = params.capabilities.text_document
        self.publisher.enabled = text_document is None or text_document.diagnostic is None

    @property
    def settings(self) -> Settings:
        """The user's settings. Reading them loads every rule, so `initialize` is answered before that."""
        return self._settings or self.configure(self._initialization_options)

    def open(self, document: Document) -> None:
        """Start to follow a document."""
        self.documents[document.uri] = document
        self.publisher.schedule(document.uri, delay=0)

    def close(self, uri: str) -> None:
        """Stop to follow a document."""
        self.documents.pop(uri, None)
        self.publisher.clear(uri)

    def change(self, document: Document) -> None:
        """Follow a newer version of a document."""
        self.documents[document.uri] = document
        self.publisher.schedule(document.uri)

    def configure(self, value: object) -> Settings:
        """Take settings that the client sent, and tell the user what is wrong with them."""
        from kro_ls.analysis.rules import RULES
        from kro_ls.server.configuration import read_settings

        settings, problems = read_settings(value, (rule.code for rule in RULES))
        for problem in problems:
            logger.warning("%s", problem)
            self.window_show_message(types.ShowMessageParams(types.MessageType.Warning, f"kro-ls: {problem}"))
        if settings == self._settings:
            return settings
        self._settings = settings
        self.settings_version += 1
        for uri, document in self.documents.items():
            self.documents[uri] = replace(document, settings=settings)
            self.publisher.schedule(uri, delay=0)
        if self.documents and not self.publisher.enabled:
            self.workspace_diagnostic_refresh(None)
        return settings
