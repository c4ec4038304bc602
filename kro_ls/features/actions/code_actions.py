"""Quick fixes of the diagnostics under the cursor or selection, and the comments that silence them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lsprotocol import types
from msgspec.structs import replace

from kro_ls.cursor.parts import rgd_at
from kro_ls.features.convert import to_offset, to_range, to_text_edit
from kro_ls.features.diagnostics import to_lsp
from kro_ls.repairs.proof import change_to, fixes_in_steps
from kro_ls.repairs.upgrade import fix_everything
from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.ignores import silence
from kro_ls.rules.text.yaml_syntax import YAML_SYNTAX
from kro_ls.shortening import menu_title
from kro_ls.steps import result_of
from kro_ls.workspace.check import check_document
from kro_ls.yaml_positions.stream import parse_stream
from kro_ls.yaml_positions.writing import edited

if TYPE_CHECKING:
    from kro_ls.rules.diagnostics import Diagnostic, Fix
    from kro_ls.steps import Steps
    from kro_ls.workspace.documents import Document
    from kro_ls.yaml_positions.document import YamlDocument
    from kro_ls.yaml_positions.writing import Replacement


_MOST_DIAGNOSTICS: Final = 50
"""More than anybody reads the fixes of. They are proved, which takes a tenth of a second for one in a broken text."""


def code_actions(document: Document, selected: types.Range) -> list[types.CodeAction]:
    """Return the fixes of each diagnostic that touches the range, each change once, then what silences them.

    The first fix is preferred if it is the only one. What silences names no diagnostic, because VS Code puts such
    actions below those of other extensions that fix one, such as ours that adds the definitions of a kind.

    What kro refuses can be silenced as well, but that helps nobody who has nothing better: then it is not offered.
    """
    return result_of(code_actions_in_steps(document, selected))


def code_actions_in_steps(document: Document, selected: types.Range) -> Steps[list[types.CodeAction]]:
    """Return what `code_actions` returns, and yield on the way, so that others get their turn."""
    start, end = to_offset(document, selected.start), to_offset(document, selected.end)
    touched = [
        each for each in check_document(document).diagnostics if each.span.start <= end and start <= each.span.end
    ]
    found = []
    for diagnostic in touched[:_MOST_DIAGNOSTICS]:
        offered = yield from fixes_in_steps(document, diagnostic)
        found.append((diagnostic, offered))
    actions: dict[Replacement, types.CodeAction] = {}
    for diagnostic, offered in found:
        for number, fix in enumerate(offered):
            preferred = number == 0 and (len(offered) == 1 or len(diagnostic.fixes) == 1)
            action = _action(document, diagnostic, fix, preferred=preferred)
            known = actions.setdefault(change_to(document, edited(document.text.content, fix.replacements)), action)
            if known is not action:  # it mends several diagnostics
                known.diagnostics = [*(known.diagnostics or ()), *(action.diagnostics or ())]
                known.is_preferred = known.is_preferred or preferred
    # A comment after broken YAML may be no comment.
    silencable = [
        diagnostic
        for diagnostic, offered in found
        if diagnostic.code != YAML_SYNTAX.code and (offered or diagnostic.severity is not Severity.ERROR)
    ]
    return [*actions.values(), *(_action(document, None, _silence(document, each)) for each in silencable)]


def fix_all(document: Document) -> list[types.CodeAction]:
    """Return the action that makes every change which the version of kro asks for, and every fix that is certain."""
    mended = fix_everything(document)
    if not mended.steps:
        return []
    change = change_to(document, mended.document.text.content)
    return [
        types.CodeAction(
            title="Fix all that is certain",
            kind=types.CodeActionKind.SourceFixAll,
            edit=types.WorkspaceEdit(
                changes={document.uri: [types.TextEdit(to_range(document, change.span), change.text)]}
            ),
        )
    ]


def _action(
    document: Document, diagnostic: Diagnostic | None, fix: Fix, *, preferred: bool = False
) -> types.CodeAction:
    edits = [to_text_edit(document, each) for each in fix.replacements]
    fixed = [to_lsp(document, diagnostic, types.Diagnostic)] if diagnostic else None
    return types.CodeAction(
        title=menu_title(fix.title),
        kind=types.CodeActionKind.QuickFix,
        diagnostics=fixed,
        is_preferred=preferred,
        edit=types.WorkspaceEdit(changes={document.uri: edits}),
    )


def _silence(document: Document, diagnostic: Diagnostic) -> Fix:
    fix = silence(document.text, _yaml_document(document, diagnostic.span.start), diagnostic)
    is_refused = diagnostic.severity is Severity.ERROR
    return replace(fix, title=f"{fix.title}: kro will still refuse it") if is_refused else fix


def _yaml_document(document: Document, offset: int) -> YamlDocument:
    rgd = rgd_at(document.analysis, offset)
    return rgd.rgd.document if rgd else parse_stream(document.text).document_at(offset)
