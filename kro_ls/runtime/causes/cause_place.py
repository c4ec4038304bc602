"""Where in a definition a cause is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.graphs.children import at_path
from kro_ls.yaml_positions.access import nearest_at

if TYPE_CHECKING:
    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.runtime.causes.cause import Explanation
    from kro_ls.runtime.nodes.errors import Cause
    from kro_ls.yaml_positions.positions import Span


def place_in(rgd: RgdAnalysis, cause: Explanation) -> Span | None:
    """Return the span of the expression, the field or the node that a cause is about; None where it is about none."""
    if cause.place is not None:
        return _expression_span(rgd, cause.place)
    owner = at_path(rgd, cause.node) if cause.node else None
    if owner is None:
        return None
    node = nearest_at(owner.resource.object, cause.field) if cause.field else None
    shown = node or owner.resource.id_node
    return owner.placed.span(shown) if shown else None


def _expression_span(rgd: RgdAnalysis, place: Cause) -> Span | None:
    owner = at_path(rgd, place.node)
    schema = rgd.rgd.schema
    part, placed = (owner.resource, owner.placed) if owner else (rgd.section, schema.placed if schema else None)
    expression = place.expression
    if part is None or placed is None or not any(each is expression for each in part.expressions):
        return None  # another definition's, of which an instance is a child of this one
    return placed.document_span(expression.whole if place.start < 0 else expression.span(place.start, place.end))
