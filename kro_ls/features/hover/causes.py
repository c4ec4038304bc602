"""Hovers on the status of an instance, as kubectl prints it: why the instance does not go on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.uris import path_of

if TYPE_CHECKING:
    from kro_ls.cursor.cursor import Cursor
    from kro_ls.yaml_positions.positions import Span

_KEYS = (("status",), ("status", "state"), ("status", "conditions"))
_MOST = 3


def hover_cause(cursor: Cursor) -> tuple[str, Span] | None:
    """Return Markdown for the causes, and the span of the key at the cursor."""
    described, place = cursor.described, cursor.yaml
    if described is None or described.kind is None or place is None or place.path not in _KEYS:
        return None
    key = place.located.key_span
    if key is None or not key.contains(cursor.offset):
        return None
    from kro_ls.features.documentation.why import causes_text
    from kro_ls.workspace.stuck_instances import stuck_instance, value_of

    document = cursor.document
    stuck = stuck_instance(value_of(described), path_of(document.uri), document, cursor.others)
    return (causes_text(stuck, _MOST), key) if stuck else None
