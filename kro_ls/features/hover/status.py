"""Tells what a key of the status is: the type that its expression gives, and whether others can read it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.model.expressions import joined
from kro_ls.cel.types.types import Kind
from kro_ls.cursor.types.type_names import type_name
from kro_ls.cursor.types.typed_expression import typed_expression
from kro_ls.features.documentation.markdown import code, code_block, plain
from kro_ls.kro.places import Place

if TYPE_CHECKING:
    from kro_ls.cursor.cursor import Cursor
    from kro_ls.yaml_positions.positions import Span

_STATUS = ("spec", "schema", "status")


def hover_status_key(cursor: Cursor) -> tuple[str, Span] | None:
    """Return Markdown for the key of a status field at the cursor, and its span."""
    place, part = cursor.yaml, cursor.part
    if place is None or part is None or not place.in_key or place.path[:3] != _STATUS or len(place.path) == 3:
        return None
    span = place.located.key_span
    if span is None:
        return None
    names = place.path[3:]
    lines = [f"**{plain(str(names[-1]))}**: field of the status"]
    below = [
        each
        for each in joined(part.part.expressions)
        if each.place is Place.STATUS and each.path[: len(names)] == names
    ]
    for expression in below:
        if expression.path == names:
            found = typed_expression(part, expression.place, expression.text).result.type
            type_ = "unknown" if found.kind is Kind.ERROR else type_name(found, part)
            lines = [
                f"**{plain(str(names[-1]))}**: {code(type_)}, field of the status",
                code_block(expression.text.strip(), "cel"),
            ]
    if len(below) > 1:
        lines.append(f"An object of {len(below)} fields.")
    if names == ("conditions",):
        lines.append("kro sets conditions of its own as well: `Ready` and those that it is made of.")
    return "\n\n".join(lines), span
