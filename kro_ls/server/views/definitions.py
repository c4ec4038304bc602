"""The definitions that instances belong to, open in the editor or not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.server.background import in_thread
from kro_ls.uris import path_of

if TYPE_CHECKING:
    from kro_ls.server.server import KroLanguageServer
    from kro_ls.workspace.documents import Document


async def document_at(server: KroLanguageServer, uri: str) -> Document | None:
    """Return the newest version of an open document, or an analysed one of a file in the workspace."""
    opened = await server.slow_documents.newest(uri)
    return opened or await in_thread("a document on disk", lambda: _on_disk(server, uri))


def _on_disk(server: KroLanguageServer, uri: str) -> Document | None:
    found = server.open_documents.all().at(path_of(uri))
    if found is not None:
        _ = found.analysis
    return found


async def definition_of(server: KroLanguageServer, document: Document, number: int) -> tuple[str, int] | None:
    """Return the URI and the place of the definition of an instance, by its number among those of a document."""
    from kro_ls.workspace.instances import definition_of as found_in

    kinds = [each.kind for each in document.described if each.kind]
    if not 0 <= number < len(kinds):
        return None
    kind = kinds[number]
    found = await in_thread("a definition", lambda: found_in(kind, server.open_documents.all()))
    return (found[0].uri, found[1]) if found else None
