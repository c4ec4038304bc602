"""The causes for which an instance is not ready in its cluster, as pages show them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.features.previews.refused import client_range

if TYPE_CHECKING:
    from kro_ls.render.page_data import StuckCause
    from kro_ls.runtime.causes.cause import Explanation
    from kro_ls.workspace.stuck_instances import StuckInstance


def cause_rows(stuck: StuckInstance, uri: str) -> list[StuckCause]:
    """Return the causes, with their places in the definition's document `uri`."""
    return [_row(stuck, each, uri) for each in stuck.explained.causes]


def _row(stuck: StuckInstance, cause: Explanation, uri: str) -> StuckCause:
    place = stuck.place(cause)
    return {
        "cause": cause.kind.code,
        "message": cause.message,
        "node": cause.node or None,
        "fault": cause.kind.fault.value,
        "unblock": cause.advice,
        "fetch": list(cause.fetch),
        "range": client_range(*place) if place and place[0].uri == uri else None,
    }
