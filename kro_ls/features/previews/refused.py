"""What a preview shows of problems: errors of a refused definition, missing resources, causes of a stuck instance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.features.convert import to_range
from kro_ls.rules.refusals import refused_text
from kro_ls.runtime.nodes.compiled import missing_nodes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lsprotocol import types

    from kro_ls.features.previews.preview import Preview
    from kro_ls.render.page_data import MissingResource, Position, Range, RefusalError, StuckCause
    from kro_ls.rules.diagnostics import Diagnostic
    from kro_ls.runtime.causes.cause import Explanation
    from kro_ls.workspace.documents import Document
    from kro_ls.workspace.stuck_instances import StuckInstance
    from kro_ls.yaml_positions.positions import Span


def state_of(preview: Preview) -> str | None:
    """Return the state that a preview shows: never one of kro's where kro refuses the definition.

    None where the API server refuses the instance.
    """
    if preview.errors:
        return "REFUSED"
    return preview.simulation.state.value if preview.simulation else None


def error_rows(document: Document, preview: Preview) -> list[RefusalError]:
    """Return the errors because of which kro refuses a definition, each with its place and the resource it is in."""
    return [
        {
            "code": each.code,
            "message": each.message,
            "range": client_range(document, each.span),
            "node": _owner(preview, each),
        }
        for each in preview.errors
    ]


def error_lines(document: Document, preview: Preview) -> Iterator[str]:
    """Yield the verdict, a line for each error and each missing resource; nothing where kro accepts the definition."""
    if not preview.errors:
        return
    yield refused_text(preview.errors)
    for each in preview.errors:
        at = document.text.position(each.span.start)
        yield f"  {at.line + 1}:{at.column + 1} {' '.join(each.message.split())} [{each.code}]"
    for row in missing_rows(document, preview):
        yield f"  {row['id'] or 'a resource'} is missing: {row['reason']}"


def missing_rows(document: Document, preview: Preview) -> list[MissingResource]:
    """Return the resources that are not among the nodes of a preview, with why; `id` is null where there is none."""
    rows: list[MissingResource] = []
    for each in missing_nodes(preview.rgd):
        span = each.placed.placed.span(each.placed.resource.node)
        line = document.text.position(span.start).line
        rows.append({"id": each.id or None, "reason": each.reason, "line": line})
    return rows


def _owner(preview: Preview, error: Diagnostic) -> str | None:
    for each in preview.rgd.rgd.resources:
        span = each.placed.span(each.resource.node)
        if span.start <= error.span.start <= span.end:
            return each.resource.id
    return None


def client_range(document: Document, span: Span) -> Range:
    """Return the range of a span in the client's units."""
    found = to_range(document, span)
    return {"start": _position(found.start), "end": _position(found.end)}


def _position(position: types.Position) -> Position:
    return {"line": position.line, "character": position.character}


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
