"""The client: its capabilities, its folders and documents, and messages to it other than answers and diagnostics."""

from __future__ import annotations

import asyncio
import logging
import platform
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer

import kro_ls
from kro_ls.server.background import in_loop
from kro_ls.server.connection.protocol import KroProtocol
from kro_ls.uris import file_path
from kro_ls.yaml_positions.positions import PositionEncoding

if TYPE_CHECKING:
    from kro_ls.workspace.documents import Document


SECTION = "kro"
"""The section of the user's settings that is ours."""

REFRESH_PREVIEW = "kro/refreshPreview"
GRAPH_CHANGED = "kro-ls/graphChanged"

logger = logging.getLogger(__name__)


class ClientCapabilities(LanguageServer):
    """A server that reads the capabilities of its client."""

    has_shown_document = False
    client_name = ""

    @property
    def client_takes_snippets(self) -> bool:
        """Whether completion may insert snippets."""
        return self._supports("text_document.completion.completion_item.snippet_support")

    @property
    def client_takes_shared_range(self) -> bool:
        """Whether a completion list may have one range for all its items."""
        return "editRange" in (self._capability("text_document.completion.completion_list.item_defaults") or ())

    @property
    def client_inserts_or_replaces(self) -> bool:
        """Whether users choose if completion replaces the rest of a word. In other clients it does."""
        return self._supports("text_document.completion.completion_item.insert_replace_support")

    @property
    def client_takes_label_offsets(self) -> bool:
        """Whether signature help may give parameters as offsets in the signature."""
        information = "text_document.signature_help.signature_information.parameter_information"
        return self._supports(f"{information}.label_offset_support")

    def client_takes_links(self, feature: str) -> bool:
        """Whether a feature such as `definition` may answer with links, which have a range where they start."""
        return self._supports(f"text_document.{feature}.link_support")

    @property
    def client_takes_content(self) -> bool:
        """Whether virtual documents can be offered (`workspace/textDocumentContent`, LSP 3.18)."""
        return self._supports("workspace.text_document_content")

    @property
    def client_shows_documents(self) -> bool:
        """Whether the client can open a document: it says so, or it has done it before, as Helix does."""
        return self.has_shown_document or self._supports("window.show_document.support")

    @property
    def client_refreshes_diagnostics(self) -> bool:
        """Whether a client that pulls diagnostics can be asked to pull them again.

        Neovim 0.12 then pulls those of the workspace and ignores the open files.
        """
        return self._supports("workspace.diagnostics.refresh_support") and self.client_name != "Neovim"

    @property
    def client_refreshes_lenses(self) -> bool:
        """Whether the client can be asked to request code lenses again."""
        return self._supports("workspace.code_lens.refresh_support")

    @property
    def client_refreshes_hints(self) -> bool:
        """Whether the client can be asked to request inlay hints again."""
        return self._supports("workspace.inlay_hint.refresh_support")

    @property
    def client_shows_lenses(self) -> bool:
        """Whether the client shows code lenses."""
        return self._supports("text_document.code_lens")

    @property
    def client_takes_refresh_notification(self) -> bool:
        """Whether the client wants `kro/refreshPreview`, which is not part of LSP."""
        return self._client_wants("kroRefreshPreview")

    @property
    def client_follows_graphs(self) -> bool:
        """Whether the client wants `kro-ls/graphChanged`."""
        return self._client_wants("kroGraphChanged")

    @property
    def client_shows_status(self) -> bool:
        """Whether the client wants `kro/status`."""
        return self._client_wants("kroStatus")

    @property
    def client_shows_progress(self) -> bool:
        """Whether the client shows the progress of work."""
        return self._supports("window.work_done_progress")

    def _supports(self, path: str) -> bool:
        return bool(self._capability(path))

    def _capability(self, path: str) -> Any:
        """Return the value at a path of the client's capabilities, None where it gives none."""
        found: Any = self.client_capabilities
        for name in path.split("."):
            found = getattr(found, name, None)
        return found

    def _client_wants(self, name: str) -> bool:
        """Whether the client set one of our own capabilities."""
        experimental = self.client_capabilities.experimental
        # LSP does not type these, so lsprotocol makes objects of them.
        found = experimental.get(name) if isinstance(experimental, dict) else None
        return bool(found or getattr(experimental, name, False))


class Client(ClientCapabilities):
    """The one client of a server. It is sent nothing that it does not support."""

    protocol: KroProtocol

    def __init__(self) -> None:
        super().__init__(
            "kro-ls",
            kro_ls.__version__,
            text_document_sync_kind=types.TextDocumentSyncKind.Incremental,
            protocol_cls=KroProtocol,
        )
        self.documents: dict[str, Document] = {}
        self.folders: tuple[Path, ...] = ()
        """The folders of the workspace. Paths that a client or a file gives are read there and nowhere else."""
        self._root: tuple[str, ...] = ()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._loop_thread = threading.current_thread()

    def introduce(self, params: types.InitializeParams) -> None:
        """Read and log what the client says about itself."""
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
        uri = None if params.workspace_folders else self.workspace.root_uri
        self._root = (uri,) if uri else ()
        self.folders_changed()

    def report_server_error(self, error: Exception, source: object) -> None:  # noqa: ARG002 # pygls' signature
        """Log an error without interrupting the user, who can do nothing about it."""
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

    def folders_changed(self) -> None:
        """Compute the folders of the workspace; without any, the root that old clients give."""
        paths = map(file_path, tuple(self.workspace.folders) or self._root)
        self.folders = tuple(Path(path) for path in paths if path)

    async def agrees(self, question: str, yes: str) -> bool:
        """Ask the user a question that can be answered by one button; anything else is no."""
        buttons = [types.MessageActionItem(yes), types.MessageActionItem("Cancel")]
        asked = types.ShowMessageRequestParams(types.MessageType.Info, question, buttons)
        answer = await self.window_show_message_request_async(asked)
        return answer is not None and answer.title == yes

    def warn_user(self, text: str) -> None:
        """Log and show a sentence that says what to do. Any thread may call this."""
        logger.warning("%s", text)
        # VS Code makes links, also of commands, of `[text](address)`, and `text` may quote a file of the workspace.
        plain = text.replace("](", "] (")
        shown = types.ShowMessageParams(types.MessageType.Warning, f"kro-ls: {plain}")
        if threading.current_thread() is self._loop_thread:
            self.window_show_message(shown)
        elif self._loop:  # a message from another thread could end up inside a long one
            in_loop(self._loop, self.window_show_message, shown)

    def refresh_diagnostics(self) -> None:
        """Ask a client that pulls diagnostics to pull them again."""
        if self.documents and self.client_refreshes_diagnostics:
            self.workspace_diagnostic_refresh(None)

    def refresh_lenses(self) -> None:
        """Ask the client to request code lenses again."""
        if self.documents and self.client_refreshes_lenses:
            self.workspace_code_lens_refresh(None)

    def refresh_inlay_hints(self) -> None:
        """Ask the client to request inlay hints again."""
        if self.documents and self.client_refreshes_hints:
            self.workspace_inlay_hint_refresh(None)

    def refresh_preview(self, uri: str) -> None:
        """Report that the preview of a definition is out of date."""
        if self.client_takes_refresh_notification:
            self.protocol.notify(REFRESH_PREVIEW, {"uri": uri})

    def refresh_graph(self, uri: str) -> None:
        """Report that the graph of a document may have changed."""
        if self.client_follows_graphs:
            self.protocol.notify(GRAPH_CHANGED, {"uri": uri})

    def refresh_content(self, virtual_uri: str) -> None:
        """Ask the client to request a virtual document again."""
        if self.client_takes_content:
            self.workspace_text_document_content_refresh(types.TextDocumentContentRefreshParams(virtual_uri))
