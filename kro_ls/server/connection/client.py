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
    """A server that has read what its client supports: nothing before `initialize`."""

    client_name = ""
    client_takes_snippets = False
    """Whether completion may insert snippets."""
    client_takes_shared_range = False
    """Whether a completion list may have one range for all its items."""
    client_inserts_or_replaces = False
    """Whether users choose if completion replaces the rest of a word. In other clients it does."""
    client_takes_label_offsets = False
    """Whether signature help may give parameters as offsets in the signature."""
    client_takes_links: frozenset[str] = frozenset()
    """The features among `definition` and `type_definition` that may answer with links, which have a range where they
    start."""
    client_takes_content = False
    """Whether virtual documents can be offered (`workspace/textDocumentContent`, LSP 3.18)."""
    client_shows_documents = False
    """Whether the client can open a document: it says so, or it has done it before, as Helix does."""
    client_refreshes_diagnostics = False
    """Whether a client that pulls diagnostics can be asked to pull them again."""
    client_refreshes_lenses = False
    """Whether the client can be asked to request code lenses again."""
    client_refreshes_hints = False
    """Whether the client can be asked to request inlay hints again."""
    client_shows_lenses = False
    """Whether the client shows code lenses."""
    client_shows_progress = False
    """Whether the client shows the progress of work."""
    client_takes_refresh_notification = False
    """Whether the client wants `kro/refreshPreview`, which is not part of LSP."""
    client_follows_graphs = False
    """Whether the client wants `kro-ls/graphChanged`."""
    client_shows_status = False
    """Whether the client wants `kro/status`."""

    def read_capabilities(self, name: str, capabilities: types.ClientCapabilities) -> None:
        """Read what a client of this name supports."""

        def supports(path: str) -> bool:
            return bool(_capability(capabilities, path))

        self.client_name = name
        completion = "text_document.completion"
        self.client_takes_snippets = supports(f"{completion}.completion_item.snippet_support")
        self.client_takes_shared_range = "editRange" in (
            _capability(capabilities, f"{completion}.completion_list.item_defaults") or ()
        )
        self.client_inserts_or_replaces = supports(f"{completion}.completion_item.insert_replace_support")
        signature = "text_document.signature_help.signature_information"
        self.client_takes_label_offsets = supports(f"{signature}.parameter_information.label_offset_support")
        self.client_takes_links = frozenset(
            each for each in ("definition", "type_definition") if supports(f"text_document.{each}.link_support")
        )
        self.client_takes_content = supports("workspace.text_document_content")
        self.client_shows_documents = supports("window.show_document.support")
        # Neovim 0.12 then pulls the diagnostics of the workspace and ignores the open files.
        self.client_refreshes_diagnostics = supports("workspace.diagnostics.refresh_support") and name != "Neovim"
        self.client_refreshes_lenses = supports("workspace.code_lens.refresh_support")
        self.client_refreshes_hints = supports("workspace.inlay_hint.refresh_support")
        self.client_shows_lenses = supports("text_document.code_lens")
        self.client_shows_progress = supports("window.work_done_progress")
        self.client_takes_refresh_notification = _wants(capabilities, "kroRefreshPreview")
        self.client_follows_graphs = _wants(capabilities, "kroGraphChanged")
        self.client_shows_status = _wants(capabilities, "kroStatus")


def _capability(capabilities: types.ClientCapabilities, path: str) -> Any:
    """Return the value at a path of a client's capabilities, None where it gives none."""
    found: Any = capabilities
    for name in path.split("."):
        found = getattr(found, name, None)
    return found


def _wants(capabilities: types.ClientCapabilities, name: str) -> bool:
    """Whether a client set one of our own capabilities."""
    experimental = capabilities.experimental
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
        self.read_capabilities(client.name if client else "", params.capabilities)
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
