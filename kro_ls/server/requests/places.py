"""Ranges around a place: `textDocument/selectionRange` and `textDocument/linkedEditingRange`."""

from __future__ import annotations

from lsprotocol import types

from kro_ls.server.request import Asked, DocumentRequest, Mode


def _selection_ranges(asked: Asked[types.SelectionRangeParams]) -> list[types.SelectionRange]:
    from kro_ls.features.navigation.selection_ranges import selection_range

    return [selection_range(asked.cursor(position)) for position in asked.params.positions]


def _linked_ranges(asked: Asked[types.LinkedEditingRangeParams]) -> types.LinkedEditingRanges | None:
    from kro_ls.features.navigation.reference_search import linked_editing_ranges

    return linked_editing_ranges(asked.cursor(asked.params.position))


REGISTERED = (
    DocumentRequest(types.TEXT_DOCUMENT_SELECTION_RANGE, Mode.QUICK, _selection_ranges),
    DocumentRequest(types.TEXT_DOCUMENT_LINKED_EDITING_RANGE, Mode.QUICK, _linked_ranges),
)
