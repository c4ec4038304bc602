"""Decides when diagnostics are computed and sent to clients that do not ask for them."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.server.schemas import FOLLOW_SECONDS

if TYPE_CHECKING:
    from kro_ls.server.server import KroLanguageServer

DEBOUNCE_SECONDS = 0.01
"""How long an edit waits for the next one; a newer edit starts the wait anew."""

logger = logging.getLogger(__name__)


class DiagnosticPublisher:
    """Publishes a document's diagnostics with its version, the last edit of a burst only, and nothing twice."""

    def __init__(self, server: KroLanguageServer) -> None:
        self._server = server
        self._pending: dict[str, asyncio.TimerHandle] = {}
        self._published: dict[str, tuple[int | None, list[types.Diagnostic]]] = {}
        self.enabled = True

    def schedule(self, uri: str, delay: float | None = None) -> None:
        """Publish the document's diagnostics after a delay in seconds, unless it changes before."""
        self._cancel(uri)
        if self.enabled:
            if delay is None:
                delay = self._usual_delay(uri)
            self._pending[uri] = asyncio.get_running_loop().call_later(delay, self._publish, uri)

    def _usual_delay(self, uri: str) -> float:
        """Return how long an edit waits: that of a CRD until its author pauses, for it is read as a whole each time."""
        from kro_ls.rules.crd_files import may_hold_crds

        document = self._server.documents.get(uri)
        return FOLLOW_SECONDS if document and may_hold_crds(document.text.content) else DEBOUNCE_SECONDS

    def clear(self, uri: str) -> None:
        """Take back the diagnostics of a document that was closed."""
        self._cancel(uri)
        if self._published.pop(uri, None):
            self._send(uri, None, [])

    def _cancel(self, uri: str) -> None:
        handle = self._pending.pop(uri, None)
        if handle:
            handle.cancel()

    def _publish(self, uri: str) -> None:
        from kro_ls.features.diagnostics import diagnostics

        self._pending.pop(uri, None)
        document = self._server.documents.get(uri)
        if document is None:
            return
        try:
            found = diagnostics(document)
        except Exception:
            logger.exception("could not analyse %s, version %s", uri, document.version)
            return
        if not found and not document.analysis.rgds and uri not in self._published:
            return
        if self._published.get(uri) != (document.version, found):
            self._published[uri] = document.version, found
            self._send(uri, document.version, found)

    def _send(self, uri: str, version: int | None, found: list[types.Diagnostic]) -> None:
        self._server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, found, version))
