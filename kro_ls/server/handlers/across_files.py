"""What is asked for of the whole workspace: symbols, hierarchies, and what follows a renamed file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types

from kro_ls.server.handlers.registration import register, register_for_documents
from kro_ls.server.worker import apart
from kro_ls.uris import path_of

if TYPE_CHECKING:
    from kro_ls.server.server import KroLanguageServer
    from kro_ls.workspace.documents import Document

_FILES_AND_FOLDERS = types.FileOperationRegistrationOptions(
    [
        types.FileOperationFilter(types.FileOperationPattern("**/*.{yaml,yml}"), scheme="file"),
        types.FileOperationFilter(
            types.FileOperationPattern("**", matches=types.FileOperationPatternKind.Folder), scheme="file"
        ),
    ]
)


def register_across_files(server: KroLanguageServer) -> None:
    """Register the requests that look into files that may not be open."""

    async def symbol(params: types.WorkspaceSymbolParams) -> list[types.WorkspaceSymbol]:
        from kro_ls.features.navigation.workspace_symbols import workspace_symbols

        files = await server.symbols.files()
        return await apart("symbols", lambda: workspace_symbols(params.query, files, server.encoding))

    async def will_rename(params: types.RenameFilesParams) -> types.WorkspaceEdit | None:
        from kro_ls.features.navigation.file_renames import edits_for_renames

        return await apart("renamed files", lambda: edits_for_renames(params.files, server.all_documents))

    @server.feature(types.WORKSPACE_DID_RENAME_FILES, _FILES_AND_FOLDERS)
    def did_rename(params: types.RenameFilesParams) -> None:
        kinds = types.FileChangeType
        changes = [types.FileEvent(each.old_uri, kinds.Deleted) for each in params.files]
        changes += [types.FileEvent(each.new_uri, kinds.Created) for each in params.files]
        server.schema_keeper.files_changed(changes)

    @server.feature(types.WORKSPACE_DID_DELETE_FILES, _FILES_AND_FOLDERS)
    def did_delete(params: types.DeleteFilesParams) -> None:
        changes = [types.FileEvent(each.uri, types.FileChangeType.Deleted) for each in params.files]
        server.schema_keeper.files_changed(changes)

    register(server, types.WORKSPACE_SYMBOL, symbol, empty=_nothing)
    register(server, types.WORKSPACE_WILL_RENAME_FILES, will_rename, empty=_no_edit, options=_FILES_AND_FOLDERS)
    _register_calls(server)
    _register_kinds(server)


def _no_edit(_params: object) -> types.WorkspaceEdit | None:
    return None


def _nothing(_params: object) -> list[Any]:
    return []


def _register_calls(server: KroLanguageServer) -> None:
    def document_of(item: types.CallHierarchyItem) -> Document | None:
        return server.documents.get(item.uri) or server.all_documents.at(path_of(item.uri))

    async def incoming(params: types.CallHierarchyIncomingCallsParams) -> list[types.CallHierarchyIncomingCall]:
        from kro_ls.features.hierarchy.calls import incoming_calls

        document = document_of(params.item)
        return await apart("callers", lambda: incoming_calls(document, params.item)) if document else []

    async def outgoing(params: types.CallHierarchyOutgoingCallsParams) -> list[types.CallHierarchyOutgoingCall]:
        from kro_ls.features.hierarchy.calls import outgoing_calls

        document = document_of(params.item)
        return await apart("called", lambda: outgoing_calls(document, params.item)) if document else []

    register_for_documents(server, types.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY, _prepare_calls)
    register(server, types.CALL_HIERARCHY_INCOMING_CALLS, incoming, empty=_nothing)
    register(server, types.CALL_HIERARCHY_OUTGOING_CALLS, outgoing, empty=_nothing)


def _prepare_calls(document: Document, params: types.CallHierarchyPrepareParams) -> list[types.CallHierarchyItem]:
    from kro_ls.features.convert import to_cursor
    from kro_ls.features.hierarchy.calls import prepare_calls

    return prepare_calls(to_cursor(document, params.position))


def _register_kinds(server: KroLanguageServer) -> None:
    def prepare(document: Document, params: types.TypeHierarchyPrepareParams) -> list[types.TypeHierarchyItem]:
        from kro_ls.features.convert import to_cursor
        from kro_ls.features.hierarchy.kinds import prepare_kinds

        return prepare_kinds(to_cursor(document, params.position), server.all_documents)

    async def subtypes(params: types.TypeHierarchySubtypesParams) -> list[types.TypeHierarchyItem]:
        from kro_ls.features.hierarchy.kinds import built_of

        return await apart("subtypes", lambda: built_of(params.item, server.all_documents))

    async def supertypes(params: types.TypeHierarchySupertypesParams) -> list[types.TypeHierarchyItem]:
        from kro_ls.features.hierarchy.kinds import built_with

        return await apart("supertypes", lambda: built_with(params.item, server.all_documents))

    register_for_documents(server, types.TEXT_DOCUMENT_PREPARE_TYPE_HIERARCHY, prepare, looks_into_files=True)
    register(server, types.TYPE_HIERARCHY_SUBTYPES, subtypes, empty=_nothing)
    register(server, types.TYPE_HIERARCHY_SUPERTYPES, supertypes, empty=_nothing)
