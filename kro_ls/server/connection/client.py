"""The client: what it has open, and what it is told besides answers and diagnostics."""

from __future__ import annotations

import asyncio
import logging
import platform
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types

import kro_ls
from kro_ls.server.background import in_loop
from kro_ls.server.connection.capabilities import ClientCapabilities
from kro_ls.server.connection.protocol import KroProtocol
from kro_ls.uris import file_path
from kro_ls.yaml_positions.positions import PositionEncoding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.workspace.documents import Document

SECTION = "kro"
"""The section of the user's settings that is ours."""

REFRESH_PREVIEW = "kro/refreshPreview"
GRAPH_CHANGED = "kro-ls/graphChanged"

logger = logging.getLogger(__name__)


class Client(ClientCapabilities):
    """The one client of a server. What it cannot take it is not sent."""

    protocol: KroProtocol

    def __init__(self) -> None:
        super().__init__(
            "kro-ls",
            kro_ls.__version__,
            text_document_sync_kind=types.TextDocumentSyncKind.Incremental,
            protocol_cls=KroProtocol,
        )
        self.documents: dict[str, Document] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._loop_thread = threading.current_thread()
        self._names_no_folders = True

    def introduce(self, params: types.InitializeParams) -> None:
        """Take note of who the client is."""
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
        self._names_no_folders = not params.workspace_folders

    def report_server_error(self, error: Exception, source: object) -> None:  # noqa: ARG002 # pygls' signature
        """Log what went wrong; the user, who can do nothing about it, is not interrupted."""
        logger.error("%s", error)

    @property
    def encoding(self) -> PositionEncoding:
        """The position encoding agreed with the client."""
        return PositionEncoding(self.server_capabilities.position_encoding or PositionEncoding.UTF16)

    @property
    def root_uri(self) -> str | None:
        """The URI of the first folder of the workspace."""
        uri: str | None = next(iter(self.workspace.folders), self.workspace.root_uri)
        return uri

    def folders(self) -> Iterator[Path]:
        """Yield the folders of the workspace: what a client or a file names is read there and nowhere else."""
        root = [self.workspace.root_uri] if self._names_no_folders and self.workspace.root_uri else []
        uris = list(self.workspace.folders) or root
        paths = map(file_path, uris)
        return (Path(path) for path in paths if path)

    async def agrees(self, question: str, yes: str) -> bool:
        """Ask the user a question that can be answered by one button; anything else is no."""
        buttons = [types.MessageActionItem(yes), types.MessageActionItem("Cancel")]
        asked = types.ShowMessageRequestParams(types.MessageType.Info, question, buttons)
        answer = await self.window_show_message_request_async(asked)
        return answer is not None and answer.title == yes

    def warn_user(self, text: str) -> None:
        """Log and show a sentence that tells the user what to do. Any thread may call this."""
        logger.warning("%s", text)
        # VS Code makes links, also of commands, of `[text](address)`, and `text` may quote a file of the workspace.
        plain = text.replace("](", "] (")
        shown = types.ShowMessageParams(types.MessageType.Warning, f"kro-ls: {plain}")
        if threading.current_thread() is self._loop_thread:
            self.window_show_message(shown)
        elif self._loop:  # a message of another thread could come into the middle of a long one
            in_loop(self._loop, self.window_show_message, shown)

    def refresh_diagnostics(self) -> None:
        """Have a client that asks for diagnostics, and can do so, ask for them again."""
        if self.documents and self.client_refreshes_diagnostics:
            self.workspace_diagnostic_refresh(None)

    def refresh_lenses(self) -> None:
        """Have clients that can do so ask for code lenses again."""
        if self.documents and self.client_refreshes_lenses:
            self.workspace_code_lens_refresh(None)

    def refresh_inlay_hints(self) -> None:
        """Have clients that can do so ask for inlay hints again."""
        if self.documents and self.client_refreshes_hints:
            self.workspace_inlay_hint_refresh(None)

    def refresh_preview(self, uri: str) -> None:
        """Tell of a definition whose preview is out of date."""
        if self.client_takes_refresh_notification:
            self.protocol.notify(REFRESH_PREVIEW, {"uri": uri})

    def refresh_graph(self, uri: str) -> None:
        """Tell of a document whose graph may be another one."""
        if self.client_follows_graphs:
            self.protocol.notify(GRAPH_CHANGED, {"uri": uri})

    def refresh_content(self, virtual_uri: str) -> None:
        """Have a virtual document asked for again."""
        if self.client_takes_content:
            self.workspace_text_document_content_refresh(types.TextDocumentContentRefreshParams(virtual_uri))
