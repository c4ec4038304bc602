"""Quick fixes of the diagnostics under the cursor or selection, and the comments that silence them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.cursor.parts import rgd_at
from kro_ls.features.convert import to_offset, to_range
from kro_ls.features.diagnostics import found_diagnostics, to_lsp
from kro_ls.rules.ignores import silence
from kro_ls.rules.text import yaml_syntax
from kro_ls.rules.upgrade import safe_fixes
from kro_ls.yaml_positions.stream import parse_stream

if TYPE_CHECKING:
    from kro_ls.rules.diagnostics import Diagnostic, Fix
    from kro_ls.workspace.documents import Document
    from kro_ls.yaml_positions.document import YamlDocument


def code_actions(document: Document, selected: types.Range) -> list[types.CodeAction]:
    """Return the fixes of each diagnostic that touches the range, the only one preferred, then what silences them."""
    start, end = to_offset(document, selected.start), to_offset(document, selected.end)
    touched = [each for each in found_diagnostics(document) if each.span.start <= end and start <= each.span.end]
    fixes = [
        _action(document, diagnostic, fix, preferred=len(diagnostic.fixes) == 1)
        for diagnostic in touched
        for fix in diagnostic.fixes
    ]
    # A comment after broken YAML may be no comment.
    silencable = [each for each in touched if each.code != yaml_syntax.RULE.code]
    return fixes + [_action(document, each, _silence(document, each)) for each in silencable]


def fix_all(document: Document) -> list[types.CodeAction]:
    """Return the action that makes every change which the version of kro asks for and which decides nothing."""
    edits = [edit for _, fix in safe_fixes(document.diagnosis) for edit in fix.replacements]
    if not edits:
        return []
    changes = [types.TextEdit(to_range(document, each.span), each.text) for each in edits]
    return [
        types.CodeAction(
            title=f"Upgrade to kro {document.settings.version}",
            kind=types.CodeActionKind.SourceFixAll,
            edit=types.WorkspaceEdit(changes={document.uri: changes}),
        )
    ]


def _action(document: Document, diagnostic: Diagnostic, fix: Fix, *, preferred: bool = False) -> types.CodeAction:
    edits = [types.TextEdit(to_range(document, each.span), each.text) for each in fix.replacements]
    return types.CodeAction(
        title=fix.title,
        kind=types.CodeActionKind.QuickFix,
        diagnostics=[to_lsp(document, diagnostic)],
        is_preferred=preferred,
        edit=types.WorkspaceEdit(changes={document.uri: edits}),
    )


def _silence(document: Document, diagnostic: Diagnostic) -> Fix:
    return silence(document.text, _yaml_document(document, diagnostic.span.start), diagnostic)


def _yaml_document(document: Document, offset: int) -> YamlDocument:
    rgd = rgd_at(document.analysis, offset)
    return rgd.rgd.document if rgd else parse_stream(document.text).document_at(offset)
