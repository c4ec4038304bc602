"""`textDocument/prepareRename` and `textDocument/rename`."""

from __future__ import annotations

from lsprotocol import types

from kro_ls.server.request import Asked, DocumentRequest, Mode


def _prepare(asked: Asked[types.PrepareRenameParams]) -> types.PrepareRenamePlaceholder | None:
    from kro_ls.features.actions.rename import prepare_rename

    return prepare_rename(asked.cursor(asked.params.position))


def _rename(asked: Asked[types.RenameParams]) -> types.WorkspaceEdit | None:
    from pygls.exceptions import JsonRpcInvalidParams

    from kro_ls.features.actions.rename import RenameError, rename

    try:
        return rename(asked.cursor(asked.params.position), asked.params.new_name)
    except RenameError as error:
        raise JsonRpcInvalidParams(str(error)) from error


REGISTERED = (
    DocumentRequest(types.TEXT_DOCUMENT_PREPARE_RENAME, Mode.ACROSS_FILES, _prepare),
    DocumentRequest(types.TEXT_DOCUMENT_RENAME, Mode.ACROSS_FILES, _rename),
)
