"""What changes the text when the user takes it: code actions and renaming."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.server.handlers.registration import register_for_documents

if TYPE_CHECKING:
    from kro_ls.server.server import KroLanguageServer
    from kro_ls.workspace.documents import Document

_CODE_ACTION = types.CodeActionOptions([types.CodeActionKind.QuickFix, types.CodeActionKind.SourceFixAll])


def register_edits(server: KroLanguageServer) -> None:
    """Register code actions and renaming."""
    register_for_documents(server, types.TEXT_DOCUMENT_CODE_ACTION, _code_action, _CODE_ACTION)
    register_for_documents(server, types.TEXT_DOCUMENT_PREPARE_RENAME, _prepare_rename)
    register_for_documents(server, types.TEXT_DOCUMENT_RENAME, _rename)


def _code_action(document: Document, params: types.CodeActionParams) -> list[types.CodeAction]:
    from kro_ls.features.actions.code_actions import code_actions, fix_all

    wanted = params.context.only
    if wanted and any(types.CodeActionKind.SourceFixAll.startswith(each) for each in wanted if each):
        return fix_all(document)
    return code_actions(document, params.range)


def _prepare_rename(document: Document, params: types.PrepareRenameParams) -> types.PrepareRenamePlaceholder | None:
    from kro_ls.features.actions.rename import prepare_rename
    from kro_ls.features.convert import to_cursor

    return prepare_rename(to_cursor(document, params.position))


def _rename(document: Document, params: types.RenameParams) -> types.WorkspaceEdit | None:
    from pygls.exceptions import JsonRpcInvalidParams

    from kro_ls.features.actions.rename import RenameError, rename
    from kro_ls.features.convert import to_cursor

    try:
        return rename(to_cursor(document, params.position), params.new_name)
    except RenameError as error:
        raise JsonRpcInvalidParams(str(error)) from error
