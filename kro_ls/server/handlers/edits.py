"""What changes the text when the user takes it: code actions, renaming, formatting."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.server.handlers.registration import register_for_documents
from kro_ls.steps import step

if TYPE_CHECKING:
    from kro_ls.server.server import KroLanguageServer
    from kro_ls.workspace.documents import Document

_CODE_ACTION = types.CodeActionOptions(
    [types.CodeActionKind.QuickFix, types.CodeActionKind.Refactor, types.CodeActionKind.SourceFixAll]
)

_ON_TYPE = types.DocumentOnTypeFormattingOptions(first_trigger_character="}", more_trigger_character=["\n"])


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

    register_for_documents(server, types.TEXT_DOCUMENT_CODE_ACTION, partial(_code_action, server), _CODE_ACTION)
    register_for_documents(server, types.TEXT_DOCUMENT_PREPARE_RENAME, prepare_rename, looks_into_files=True)
    register_for_documents(server, types.TEXT_DOCUMENT_RENAME, rename, looks_into_files=True)
    register_for_documents(server, types.TEXT_DOCUMENT_FORMATTING, _formatting, about_all=True)
    register_for_documents(server, types.TEXT_DOCUMENT_RANGE_FORMATTING, _range_formatting)
    register_for_documents(server, types.TEXT_DOCUMENT_ON_TYPE_FORMATTING, _on_type_formatting, _ON_TYPE)


async def _code_action(
    server: KroLanguageServer, document: Document, params: types.CodeActionParams
) -> list[types.CodeAction]:
    from kro_ls.features.actions.code_actions import fix_all
    from kro_ls.features.actions.refactorings import refactorings

    wanted, worked_out = params.context.only, server.slow_documents.worked_out
    found: list[types.CodeAction] = await server.tested.updates(document, params.range, wanted or [""])
    if wanted and any(types.CodeActionKind.SourceFixAll.startswith(each) for each in wanted if each):
        found += await worked_out(document, fix_all, about_all=True)
    if not wanted or any(map(types.CodeActionKind.QuickFix.startswith, wanted)):
        from kro_ls.features.formatting.pasted import pasted_action

        found += pasted_action(document, params.range)
        found += await _quick_fixes(server, document, params.range)
    if not wanted or any(each.startswith("refactor") for each in wanted):
        changes = await worked_out(document, lambda each: refactorings(each, params.range), about_all=True)
        found += [each for each in changes if not wanted or (each.kind or "").startswith(tuple(wanted))]
    # What is offered everywhere would light a lamp everywhere.
    is_asked_for = params.context.trigger_kind is not types.CodeActionTriggerKind.Automatic
    if is_asked_for and not server.client_shows_lenses and (not wanted or types.CodeActionKind.Source in wanted):
        from kro_ls.features.actions.pages import page_actions

        found += page_actions(document, params.range)
    return found


async def _quick_fixes(server: KroLanguageServer, document: Document, selected: types.Range) -> list[types.CodeAction]:
    """Return the fixes; other requests come in between. Raises OvertakenError when the document has another text."""
    from kro_ls.features.actions.code_actions import code_actions_in_steps

    steps = code_actions_in_steps(document, selected)
    while (actions := await server.slow_documents.worked_out(document, lambda _: step(steps))) is None:
        await asyncio.sleep(0)
        server.slow_documents.current(document)
    return actions


def _formatting(document: Document, _params: types.DocumentFormattingParams) -> list[types.TextEdit]:
    from kro_ls.features.formatting.expressions import format_expressions

    return format_expressions(document)


def _range_formatting(document: Document, params: types.DocumentRangeFormattingParams) -> list[types.TextEdit]:
    from kro_ls.features.formatting.expressions import format_expressions
    from kro_ls.features.formatting.pasted import indent_pasted

    return indent_pasted(document, params.range) or format_expressions(document, params.range)


def _on_type_formatting(document: Document, params: types.DocumentOnTypeFormattingParams) -> list[types.TextEdit]:
    from kro_ls.features.convert import to_cursor
    from kro_ls.features.formatting.expressions import format_closed
    from kro_ls.features.formatting.new_lines import indent_new_line

    cursor = to_cursor(document, params.position)
    return indent_new_line(cursor) if params.ch == "\n" else format_closed(cursor)
