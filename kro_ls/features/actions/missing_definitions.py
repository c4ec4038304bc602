"""The action that gets the definitions of an unknown kind, where its group is one that can be fetched."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lsprotocol import types

from kro_ls.analysis.facts import kind_name
from kro_ls.analysis.model.model import Resource
from kro_ls.cursor.parts import part_at, rgd_at
from kro_ls.features.convert import to_offset
from kro_ls.features.diagnostics import to_lsp
from kro_ls.rules.kinds.missing_kinds import UNKNOWN_KIND

if TYPE_CHECKING:
    from kro_ls.rules.diagnostics import Diagnostic
    from kro_ls.workspace.documents import Document

GET_DEFINITIONS: Final = "kro.getDefinitions"
"""The server's command: it asks before it connects."""


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

    return [_action(document, group, found) for group, found in unknown.items() if pinned_files(group)]


def _group(document: Document, diagnostic: Diagnostic) -> str:
    rgd = rgd_at(document.analysis, diagnostic.span.start)
    place = part_at(rgd, diagnostic.span.start) if rgd else None
    name = kind_name(place.part) if place and isinstance(place.part, Resource) else None
    return name[0].rpartition("/")[0] if name else ""


def _action(document: Document, group: str, found: list[Diagnostic]) -> types.CodeAction:
    title = f"Get the definitions of {group}"
    return types.CodeAction(
        title=title,
        kind=types.CodeActionKind.QuickFix,
        diagnostics=[to_lsp(document, each, types.Diagnostic) for each in found],
        command=types.Command(title=title, command=GET_DEFINITIONS, arguments=[{"group": group}]),
    )
