"""What changes the text when the user takes it: code actions, renaming, formatting."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.server.handlers.registration import register_for_documents

if TYPE_CHECKING:
    from kro_ls.server.server import KroLanguageServer
    from kro_ls.workspace.documents import Document

_CODE_ACTION = types.CodeActionOptions(
    [types.CodeActionKind.QuickFix, types.CodeActionKind.Refactor, types.CodeActionKind.SourceFixAll]
)

_ON_TYPE = types.DocumentOnTypeFormattingOptions(first_trigger_character="}")


def register_edits(server: KroLanguageServer) -> None:
    """Register code actions, renaming and formatting."""

    def prepare_rename(document: Document, params: types.PrepareRenameParams) -> types.PrepareRenamePlaceholder | None:
        from kro_ls.features.actions.rename import prepare_rename as feature
        from kro_ls.features.convert import to_cursor

        return feature(to_cursor(document, params.position), server.all_documents)

    def rename(document: Document, params: types.RenameParams) -> types.WorkspaceEdit | None:
        from pygls.exceptions import JsonRpcInvalidParams

        from kro_ls.features.actions.accepted_renaming import RenameError
        from kro_ls.features.actions.rename import rename as feature
        from kro_ls.features.convert import to_cursor

        try:
            return feature(to_cursor(document, params.position), params.new_name, server.all_documents)
        except RenameError as error:
            raise JsonRpcInvalidParams(str(error)) from error

    register_for_documents(server, types.TEXT_DOCUMENT_CODE_ACTION, _code_action, _CODE_ACTION)
    register_for_documents(server, types.TEXT_DOCUMENT_PREPARE_RENAME, prepare_rename, looks_into_files=True)
    register_for_documents(server, types.TEXT_DOCUMENT_RENAME, rename, looks_into_files=True)
    register_for_documents(server, types.TEXT_DOCUMENT_FORMATTING, _formatting)
    register_for_documents(server, types.TEXT_DOCUMENT_RANGE_FORMATTING, _range_formatting)
    register_for_documents(server, types.TEXT_DOCUMENT_ON_TYPE_FORMATTING, _on_type_formatting, _ON_TYPE)


async def _code_action(document: Document, params: types.CodeActionParams) -> list[types.CodeAction]:
    from kro_ls.features.actions.code_actions import fix_all
    from kro_ls.features.actions.refactorings import refactorings

    wanted = params.context.only
    if wanted and any(types.CodeActionKind.SourceFixAll.startswith(each) for each in wanted if each):
        return fix_all(document)
    if not wanted:
        return await _quick_fixes(document, params.range) + refactorings(document, params.range)
    wants_fixes = any(map(types.CodeActionKind.QuickFix.startswith, wanted))
    found = await _quick_fixes(document, params.range) if wants_fixes else []
    changes = refactorings(document, params.range) if any(each.startswith("refactor") for each in wanted) else []
    return found + [each for each in changes if (each.kind or "").startswith(tuple(wanted))]


async def _quick_fixes(document: Document, selected: types.Range) -> list[types.CodeAction]:
    """Return the fixes; other requests come in between."""
    from kro_ls.features.actions.code_actions import code_actions_in_steps

    steps = code_actions_in_steps(document, selected)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            actions: list[types.CodeAction] = end.value
            return actions
        await asyncio.sleep(0)


def _formatting(document: Document, _params: types.DocumentFormattingParams) -> list[types.TextEdit]:
    from kro_ls.features.formatting.expressions import format_expressions

    return format_expressions(document)


def _range_formatting(document: Document, params: types.DocumentRangeFormattingParams) -> list[types.TextEdit]:
    from kro_ls.features.formatting.expressions import format_expressions

    return format_expressions(document, params.range)


def _on_type_formatting(document: Document, params: types.DocumentOnTypeFormattingParams) -> list[types.TextEdit]:
    from kro_ls.features.convert import to_cursor
    from kro_ls.features.formatting.expressions import format_closed

    return format_closed(to_cursor(document, params.position))
