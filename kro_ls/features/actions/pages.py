"""Actions that open the graph and the preview in the browser, for clients that show no code lenses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lsprotocol import types

from kro_ls.cursor.parts import rgd_at
from kro_ls.features.convert import to_offset

if TYPE_CHECKING:
    from kro_ls.workspace.documents import Document

_PAGES: Final = {
    "kro.openGraph": "Show the dependency graph in the browser",
    "kro.openPreview": "Show the preview in the browser",
}


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
