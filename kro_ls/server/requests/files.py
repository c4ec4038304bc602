"""Files that are changed, renamed or deleted on disk, and changes of the workspace's folders."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.server.request import Mode, Notification, Request

if TYPE_CHECKING:
    from kro_ls.server.server import KroLanguageServer

_FILES_AND_FOLDERS = types.FileOperationRegistrationOptions(
    [
        types.FileOperationFilter(types.FileOperationPattern("**/*.{yaml,yml}"), scheme="file"),
        types.FileOperationFilter(
            types.FileOperationPattern("**", matches=types.FileOperationPatternKind.Folder), scheme="file"
        ),
    ]
)


def _will_rename(server: KroLanguageServer, params: types.RenameFilesParams) -> types.WorkspaceEdit | None:
    from kro_ls.features.navigation.document_links import edits_for_renames

    return edits_for_renames(params.files, server.open_documents.all())


def _did_rename(server: KroLanguageServer, params: types.RenameFilesParams) -> None:
    kinds = types.FileChangeType
    changes = [types.FileEvent(each.old_uri, kinds.Deleted) for each in params.files]
    changes += [types.FileEvent(each.new_uri, kinds.Created) for each in params.files]
    server.schema_keeper.files_changed(changes)


def _did_delete(server: KroLanguageServer, params: types.DeleteFilesParams) -> None:
    changes = [types.FileEvent(each.uri, types.FileChangeType.Deleted) for each in params.files]
    server.schema_keeper.files_changed(changes)


def _did_change(server: KroLanguageServer, params: types.DidChangeWatchedFilesParams) -> None:
    from kro_ls.workspace.kustomize import KUSTOMIZATIONS
    from kro_ls.workspace.project_file import PROJECT_FILE

    if any(change.uri.rpartition("/")[2] in (PROJECT_FILE, *KUSTOMIZATIONS) for change in params.changes):
        server.renew()
    server.closed_files.files_changed()
    server.workspace_publisher.inputs_changed()
    server.schema_keeper.files_changed(params.changes)
    for change in params.changes:
        server.baselines.follow(change.uri)
    server.tested.inputs_changed()


def _did_change_folders(server: KroLanguageServer, _params: types.DidChangeWorkspaceFoldersParams) -> None:
    server.folders_changed()
    server.schema_keeper.reload()


REGISTERED = (
    Request(types.WORKSPACE_WILL_RENAME_FILES, Mode.ACROSS_FILES, _will_rename, lambda _: None, _FILES_AND_FOLDERS),
    Notification(types.WORKSPACE_DID_RENAME_FILES, _did_rename, _FILES_AND_FOLDERS),
    Notification(types.WORKSPACE_DID_DELETE_FILES, _did_delete, _FILES_AND_FOLDERS),
    Notification(types.WORKSPACE_DID_CHANGE_WATCHED_FILES, _did_change),
    Notification(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS, _did_change_folders),
)
