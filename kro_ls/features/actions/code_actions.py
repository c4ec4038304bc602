"""Quick fixes of the diagnostics under the cursor or selection, and the comments that silence them.

Two actions run a command of the server: one gets the definitions of an unknown kind, one opens a page in the browser,
for clients that show no code lenses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lsprotocol import types
from msgspec.structs import replace

from kro_ls.analysis.facts import kind_name
from kro_ls.analysis.model.model import Resource
from kro_ls.cursor.parts import part_at, rgd_at
from kro_ls.features.convert import to_offset, to_range, to_text_edit
from kro_ls.features.diagnostics import to_lsp
from kro_ls.repairs.proof import change_to, fixes_in_steps
from kro_ls.repairs.upgrade import fix_everything
from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.ignores import silence
from kro_ls.rules.kinds.missing_kinds import UNKNOWN_KIND
from kro_ls.rules.text.yaml_syntax import YAML_SYNTAX
from kro_ls.shortening import menu_title
from kro_ls.steps import result_of
from kro_ls.workspace.check import check_document
from kro_ls.yaml_positions.documents.stream import parse_stream
from kro_ls.yaml_positions.scalars.writing import edited

if TYPE_CHECKING:
    from kro_ls.rules.diagnostics import Diagnostic, Fix
    from kro_ls.steps import Steps
    from kro_ls.workspace.documents import Document
    from kro_ls.yaml_positions.documents.document import YamlDocument
    from kro_ls.yaml_positions.scalars.writing import Replacement

_MOST_DIAGNOSTICS: Final = 50
"""Nobody reads the fixes of more. Proving one takes a tenth of a second in a broken text."""
_PAGES: Final = {
    "kro.openGraph": "Show the dependency graph in the browser",
    "kro.openPreview": "Show the preview in the browser",
}
GET_DEFINITIONS: Final = "kro.getDefinitions"
"""The server's command: it asks before it connects."""


def code_actions(document: Document, selected: types.Range) -> list[types.CodeAction]:
    """Return the fixes of each diagnostic that touches the range, each change once, then comments that silence them.

    The first fix is preferred if it is the only one. An action that silences names no diagnostic, so that VS Code puts
    it below actions that fix one, such as ours that adds the definitions of a kind.

    A refusal of kro can be silenced only where it has a fix as well: silencing alone does not help.
    """
    return result_of(code_actions_in_steps(document, selected))


def code_actions_in_steps(document: Document, selected: types.Range) -> Steps[list[types.CodeAction]]:
    """Return what `code_actions` returns; the steps between let other requests run."""
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
            same = actions.setdefault(change_to(document, edited(document.text.content, fix.replacements)), action)
            if same is not action:  # it fixes several diagnostics
                same.diagnostics = [*(same.diagnostics or ()), *(action.diagnostics or ())]
                same.is_preferred = same.is_preferred or preferred
    # A comment after broken YAML may be no comment.
    silencable = [
        diagnostic
        for diagnostic, offered in found
        if diagnostic.code != YAML_SYNTAX.code and (offered or diagnostic.severity is not Severity.ERROR)
    ]
    return [*actions.values(), *(_action(document, None, _silence(document, each)) for each in silencable)]


def _action(
    document: Document, diagnostic: Diagnostic | None, fix: Fix, *, preferred: bool = False
) -> types.CodeAction:
    edits = [to_text_edit(document, each) for each in fix.replacements]
    fixed = [to_lsp(document, diagnostic)] if diagnostic else None
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


def fix_all(document: Document) -> list[types.CodeAction]:
    """Return the action that makes every change that the version of kro requires, and every certain fix."""
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


def definition_actions(document: Document, selected: types.Range) -> list[types.CodeAction]:
    """Return an action for each group of an unknown kind at the range whose definitions can be fetched."""
    start, end = to_offset(document, selected.start), to_offset(document, selected.end)
    unknown: dict[str, list[Diagnostic]] = {}
    for each in document.diagnosis.diagnostics:
        if each.code == UNKNOWN_KIND.code and each.span.start <= end and start <= each.span.end:
            unknown.setdefault(_group(document, each), []).append(each)
    if not unknown:
        return []
    from kro_ls.workspace.gathering.releases import pinned_files

    return [_fetching_action(document, group, found) for group, found in unknown.items() if pinned_files(group)]


def _group(document: Document, diagnostic: Diagnostic) -> str:
    rgd = rgd_at(document.analysis, diagnostic.span.start)
    place = part_at(rgd, diagnostic.span.start) if rgd else None
    name = kind_name(place.part) if place and isinstance(place.part, Resource) else None
    return name[0].rpartition("/")[0] if name else ""


def _fetching_action(document: Document, group: str, found: list[Diagnostic]) -> types.CodeAction:
    title = f"Get the definitions of {group}"
    return types.CodeAction(
        title=title,
        kind=types.CodeActionKind.QuickFix,
        diagnostics=[to_lsp(document, each) for each in found],
        command=types.Command(title=title, command=GET_DEFINITIONS, arguments=[{"group": group}]),
    )


def page_actions(document: Document, selected: types.Range) -> list[types.CodeAction]:
    """Return an action for each page of the definition that the range starts in."""
    rgd = rgd_at(document.analysis, to_offset(document, selected.start))
    if rgd is None:
        return []
    place = {"uri": document.uri, "definition": document.analysis.rgds.index(rgd), "show": True}
    return [
        types.CodeAction(
            title=title, kind=types.CodeActionKind.Source, command=types.Command(title, command, arguments=[place])
        )
        for command, title in _PAGES.items()
    ]
