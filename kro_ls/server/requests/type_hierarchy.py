"""`textDocument/prepareTypeHierarchy`, `typeHierarchy/subtypes` and `typeHierarchy/supertypes`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.server.request import Asked, DocumentRequest, Mode, Request

if TYPE_CHECKING:
    from kro_ls.server.server import KroLanguageServer


def _prepare(asked: Asked[types.TypeHierarchyPrepareParams]) -> list[types.TypeHierarchyItem]:
    from kro_ls.features.hierarchy import prepare_kinds

    return prepare_kinds(asked.cursor(asked.params.position))


def _subtypes(server: KroLanguageServer, params: types.TypeHierarchySubtypesParams) -> list[types.TypeHierarchyItem]:
    from kro_ls.features.hierarchy import built_of

    return built_of(params.item, server.open_documents.all())


def _supertypes(
    server: KroLanguageServer, params: types.TypeHierarchySupertypesParams
) -> list[types.TypeHierarchyItem]:
    from kro_ls.features.hierarchy import built_with

    return built_with(params.item, server.open_documents.all())


REGISTERED = (
    DocumentRequest(types.TEXT_DOCUMENT_PREPARE_TYPE_HIERARCHY, Mode.ACROSS_FILES, _prepare),
    Request(types.TYPE_HIERARCHY_SUBTYPES, Mode.ACROSS_FILES, _subtypes, empty=lambda _: []),
    Request(types.TYPE_HIERARCHY_SUPERTYPES, Mode.ACROSS_FILES, _supertypes, empty=lambda _: []),
)
