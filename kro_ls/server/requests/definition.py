"""`textDocument/definition` and `textDocument/typeDefinition`."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from lsprotocol import types

from kro_ls.server.request import Asked, DocumentRequest, Mode

if TYPE_CHECKING:
    from kro_ls.cursor.cursor import Cursor
    from kro_ls.server.server import KroLanguageServer

    _Places: TypeAlias = types.Location | list[types.LocationLink] | None


def _definition(asked: Asked[types.DefinitionParams]) -> _Places:
    from kro_ls.features.navigation.definition import definition

    cursor = asked.cursor(asked.params.position)
    return _place(asked.server, cursor, definition(cursor), "definition")


def _type_definition(asked: Asked[types.TypeDefinitionParams]) -> _Places:
    from kro_ls.features.navigation.definition import type_definition

    cursor = asked.cursor(asked.params.position)
    return _place(asked.server, cursor, type_definition(cursor), "type_definition")


def _place(server: KroLanguageServer, cursor: Cursor, found: types.Location | None, feature: str) -> _Places:
    """Return a place as the client takes it; one in a virtual document only where it can show these."""
    from kro_ls.features.navigation.definition import as_link
    from kro_ls.features.navigation.kind_pages import is_kind_uri

    if found is None or (is_kind_uri(found.uri) and not server.client_takes_content):
        return None
    return [as_link(cursor, found)] if feature in server.client_takes_links else found


REGISTERED = (
    DocumentRequest(types.TEXT_DOCUMENT_DEFINITION, Mode.ACROSS_FILES, _definition),
    DocumentRequest(types.TEXT_DOCUMENT_TYPE_DEFINITION, Mode.ACROSS_FILES, _type_definition),
)
