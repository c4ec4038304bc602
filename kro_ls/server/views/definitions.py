"""Instances: the definitions that they belong to, open or on disk, and why one is stuck.

An instance is stuck if `kubectl get -o yaml` printed it and it is not ready; a command and pages show why.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.openapi.json_values import as_object
from kro_ls.server.background import in_thread
from kro_ls.server.connection.protocol import NoAnswerError
from kro_ls.uris import path_of

if TYPE_CHECKING:
    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.render.page_data import StuckCause
    from kro_ls.server.server import KroLanguageServer
    from kro_ls.workspace.documents import Document
    from kro_ls.workspace.stuck_instances import StuckInstance


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
    """Return the URI and the place of the definition of an instance, by the instance's number in its document."""
    from kro_ls.workspace.instances import definition_of as found_in

    kinds = [each.kind for each in document.described if each.kind]
    if not 0 <= number < len(kinds):
        return None
    kind = kinds[number]
    found = await in_thread("a definition", lambda: found_in(kind, server.open_documents.all()))
    return (found[0].uri, found[1]) if found else None


NOT_READY = -1
"""The number of the first instance of a document that is not ready."""


async def why_text_of(server: KroLanguageServer, uri: str, number: int) -> str:
    """Return Markdown that explains why an instance is not ready, by its 0-based number in its document.

    Raises NoAnswerError if there is no such instance.
    """
    from kro_ls.features.documentation.why import why_text
    from kro_ls.runtime.passes.reasons import object_name
    from kro_ls.workspace.stuck_instances import is_stuck, value_of

    document = await document_at(server, uri)
    values = [value_of(each) for each in document.described if each.kind] if document else []
    if document is None or not values:
        raise NoAnswerError(f"'{uri}' holds no instance of a definition in the workspace")
    if number == NOT_READY:
        number = next((place for place, each in enumerate(values) if is_stuck(each)), 0)
    if not 0 <= number < len(values):
        raise NoAnswerError(f"'{uri}' has no instance with the number {number}, it has {len(values)}")
    subject = values[number]
    has_state = bool(subject.get("status")) or is_stuck(subject)
    stuck = await _stuck(server, document, subject) if has_state else None
    if stuck is None:
        said = "" if has_state else ", as far as the file says: give it as 'kubectl get -o yaml' prints it"
        return f"# {object_name(subject)}\n\nNothing keeps it from going on{said}\n"
    return why_text(stuck)


async def stuck_rows(server: KroLanguageServer, definition: str, uri: str | None, value: JsonValue) -> list[StuckCause]:
    """Return the causes why an instance in a document is stuck, if it is.

    `definition` is the URI of the document with its definition.
    """
    from kro_ls.features.previews.refused import cause_rows
    from kro_ls.workspace.stuck_instances import is_stuck

    subject = as_object(value)
    if not uri or not is_stuck(subject):
        return []
    document = await document_at(server, uri)
    stuck = await _stuck(server, document, subject) if document else None
    return cause_rows(stuck, definition) if stuck else []


async def _stuck(server: KroLanguageServer, document: Document, subject: JsonObject) -> StuckInstance | None:
    from kro_ls.workspace.stuck_instances import stuck_instance

    others, path = server.open_documents.all(), path_of(document.uri)
    return await in_thread("why an instance is not ready", lambda: stuck_instance(subject, path, document, others))
