"""`textDocument/codeAction`."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.server.request import Asked, DocumentRequest, Mode
from kro_ls.steps import step

if TYPE_CHECKING:
    from kro_ls.server.server import KroLanguageServer
    from kro_ls.workspace.documents import Document

_OPTIONS = types.CodeActionOptions(
    [types.CodeActionKind.QuickFix, types.CodeActionKind.Refactor, types.CodeActionKind.SourceFixAll]
)


async def _code_action(asked: Asked[types.CodeActionParams]) -> list[types.CodeAction]:
    from kro_ls.features.actions.code_actions import fix_all
    from kro_ls.features.actions.refactorings import refactorings

    server, document, params = asked.server, asked.document, asked.params
    wanted, worked_out = params.context.only, server.slow_documents.worked_out
    found: list[types.CodeAction] = await server.tested.updates(document, params.range, wanted or [""])
    if wanted and any(types.CodeActionKind.SourceFixAll.startswith(each) for each in wanted if each):
        found += await worked_out(document, fix_all, about_all=True)
    if not wanted or any(map(types.CodeActionKind.QuickFix.startswith, wanted)):
        from kro_ls.features.actions.code_actions import definition_actions
        from kro_ls.features.indentation import pasted_action

        found += await worked_out(document, lambda each: pasted_action(each, params.range), about_all=True)
        found += await _quick_fixes(server, document, params.range)
        found += await worked_out(document, lambda each: definition_actions(each, params.range), about_all=True)
    if not wanted or any(each.startswith("refactor") for each in wanted):
        changes = await worked_out(document, lambda each: refactorings(each, params.range), about_all=True)
        found += [each for each in changes if not wanted or (each.kind or "").startswith(tuple(wanted))]
    # An action that is offered everywhere would show a light bulb everywhere.
    is_asked_for = params.context.trigger_kind is not types.CodeActionTriggerKind.Automatic
    if is_asked_for and not server.client_shows_lenses and (not wanted or types.CodeActionKind.Source in wanted):
        from kro_ls.features.actions.code_actions import page_actions

        found += page_actions(document, params.range)
    return found


async def _quick_fixes(server: KroLanguageServer, document: Document, selected: types.Range) -> list[types.CodeAction]:
    """Return the fixes; other requests are answered in between. Raises OvertakenError if the text changes."""
    from kro_ls.features.actions.code_actions import code_actions_in_steps

    steps = code_actions_in_steps(document, selected)
    while (actions := await server.slow_documents.worked_out(document, lambda _: step(steps))) is None:
        await asyncio.sleep(0)
        server.slow_documents.current(document)
    return actions


REGISTERED = (DocumentRequest(types.TEXT_DOCUMENT_CODE_ACTION, Mode.IN_STEPS, _code_action, _OPTIONS),)
