"""Quick fixes of the diagnostics under the cursor or selection."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.features.convert import to_offset, to_range
from kro_ls.features.diagnostics import to_lsp

if TYPE_CHECKING:
    from kro_ls.analysis.diagnostics import Fix
    from kro_ls.workspace.documents import Document


def code_actions(document: Document, selected: types.Range) -> list[types.CodeAction]:
    """Return a quick fix for each fix of each diagnostic that touches the range; the only one is preferred."""
    start, end = to_offset(document, selected.start), to_offset(document, selected.end)
    return [
        types.CodeAction(
            title=fix.title,
            kind=types.CodeActionKind.QuickFix,
            diagnostics=[to_lsp(document, diagnostic)],
            is_preferred=len(diagnostic.fixes) == 1,
            edit=types.WorkspaceEdit(changes={document.uri: _edits(document, fix)}),
        )
        for diagnostic in document.analysis.diagnostics
        if diagnostic.span.start <= end and start <= diagnostic.span.end
        for fix in diagnostic.fixes
    ]


def _edits(document: Document, fix: Fix) -> list[types.TextEdit]:
    return [types.TextEdit(to_range(document, each.span), each.text) for each in fix.replacements]
