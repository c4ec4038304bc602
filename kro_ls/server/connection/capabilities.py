"""What the client can do, as far as answers depend on it."""

from __future__ import annotations

from pygls.lsp.server import LanguageServer


class ClientCapabilities(LanguageServer):
    """A server that reads what its client said of itself at `initialize`."""

    has_shown_document = False
    client_name = ""

    @property
    def client_takes_snippets(self) -> bool:
        """Whether completion may insert text with a place for the cursor."""
        text_document = self.client_capabilities.text_document
        item = text_document.completion.completion_item if text_document and text_document.completion else None
        return bool(item and item.snippet_support)

    @property
    def client_takes_shared_range(self) -> bool:
        """Whether a completion list may say once what all its items replace."""
        text_document = self.client_capabilities.text_document
        completion_list = (
            text_document.completion.completion_list if text_document and text_document.completion else None
        )
        return "editRange" in (completion_list.item_defaults or () if completion_list else ())

    @property
    def client_inserts_or_replaces(self) -> bool:
        """Whether users of the client choose if completion replaces the rest of a word. Others replace the word."""
        text_document = self.client_capabilities.text_document
        item = text_document.completion.completion_item if text_document and text_document.completion else None
        return bool(item and item.insert_replace_support)

    @property
    def client_takes_label_offsets(self) -> bool:
        """Whether signature help may tell by offsets where a parameter stands in its signature."""
        text_document = self.client_capabilities.text_document
        help_ = text_document.signature_help if text_document else None
        parameter = help_.signature_information.parameter_information if help_ and help_.signature_information else None
        return bool(parameter and parameter.label_offset_support)

    def client_takes_links(self, feature: str) -> bool:
        """Whether a feature such as `definition` may answer with links, which tell what they start from."""
        found = getattr(self.client_capabilities.text_document, feature, None)
        return bool(found and found.link_support)

    @property
    def client_takes_content(self) -> bool:
        """Whether virtual documents can be offered (`workspace/textDocumentContent`, LSP 3.18)."""
        workspace = self.client_capabilities.workspace
        return bool(workspace and workspace.text_document_content)

    @property
    def client_shows_documents(self) -> bool:
        """Whether the client can be asked to open a document: it says so, or it has opened one, as Helix."""
        window = self.client_capabilities.window
        return self.has_shown_document or bool(window and window.show_document and window.show_document.support)

    @property
    def client_refreshes_diagnostics(self) -> bool:
        """Whether a client that asks for diagnostics can be made to ask again.

        Neovim 0.12 can be made to ask about the files of the workspace only, and leaves the open ones as they are.
        """
        workspace = self.client_capabilities.workspace
        refreshes = workspace and workspace.diagnostics and workspace.diagnostics.refresh_support
        return bool(refreshes) and self.client_name != "Neovim"

    @property
    def client_refreshes_lenses(self) -> bool:
        """Whether the client can be made to ask for code lenses again."""
        workspace = self.client_capabilities.workspace
        return bool(workspace and workspace.code_lens and workspace.code_lens.refresh_support)

    @property
    def client_refreshes_hints(self) -> bool:
        """Whether the client can be made to ask for inlay hints again."""
        workspace = self.client_capabilities.workspace
        return bool(workspace and workspace.inlay_hint and workspace.inlay_hint.refresh_support)

    @property
    def client_shows_lenses(self) -> bool:
        """Whether the client shows code lenses."""
        text_document = self.client_capabilities.text_document
        return bool(text_document and text_document.code_lens)

    @property
    def client_takes_refresh_notification(self) -> bool:
        """Whether the client wants `kro/refreshPreview`; only those that say so get what no other server sends."""
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
        window = self.client_capabilities.window
        return bool(window and window.work_done_progress)

    def _client_wants(self, name: str) -> bool:
        """Whether the client set a capability that is ours alone."""
        experimental = self.client_capabilities.experimental
        # What stands there has no type, so the protocol's library makes objects of it.
        found = experimental.get(name) if isinstance(experimental, dict) else None
        return bool(found or getattr(experimental, name, False))
