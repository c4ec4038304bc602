"""Shows inferred types in the text (of each status field, and of what an iterator runs over), and values on demand."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.analysis.model.expressions import joined
from kro_ls.analysis.model.model import Resource
from kro_ls.analysis.types.variables import element_type
from kro_ls.cel.types.types import Kind
from kro_ls.cursor.parts import PlacedPart, parts_in
from kro_ls.cursor.typed_expression import type_name, typed_expression, typed_range
from kro_ls.features.convert import to_offset, to_position
from kro_ls.features.documentation.markdown import code
from kro_ls.kro.places import Place
from kro_ls.shortening import shortened
from kro_ls.yaml_positions.positions import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kro_ls.analysis.model.expressions import Expression
    from kro_ls.features.previews.expression_values import ExpressionValue
    from kro_ls.features.previews.preview import Preview
    from kro_ls.features.settings import InlayHintSettings
    from kro_ls.workspace.documents import Document

_MOST_CHARACTERS = 40


def inlay_hints(
    document: Document, wanted: types.Range, settings: InlayHintSettings, previews: Iterable[Preview] = ()
) -> list[types.InlayHint]:
    """Return the hints that stand inside a range, as far as the settings want them; values are those in previews."""
    window = Span(to_offset(document, wanted.start), to_offset(document, wanted.end))
    hints: list[types.InlayHint] = []
    for rgd in document.analysis.rgds:
        for owner in parts_in(rgd, window):
            if isinstance(owner.part, Resource):
                found = _iterator_hints(document, owner, window) if settings.iterator_types else ()
            else:
                found = _status_hints(document, owner, window) if settings.status_types else ()
            hints.extend(found)
    hints.extend(_value_hints(document, window, previews))
    return hints


def _iterator_hints(document: Document, owner: PlacedPart, window: Span) -> Iterator[types.InlayHint]:
    for dimension in owner.part.dimensions if isinstance(owner.part, Resource) else ():
        if dimension.expression is None:
            continue
        offset = _end(document, owner, dimension.expression)
        if window.contains(offset):
            text = type_name(element_type(typed_range(owner, dimension).result.type), owner)
            about = f"{code(dimension.name)} is this in each object that is made"
            yield _hint(document, offset, f"→ {text}", about)


def _status_hints(document: Document, owner: PlacedPart, window: Span) -> Iterator[types.InlayHint]:
    for expression in joined(owner.part.expressions):
        if expression.place is not Place.STATUS:
            continue
        end = _end(document, owner, expression)
        type_ = typed_expression(owner, expression.place, expression.text).result.type if window.contains(end) else None
        if type_ and type_.kind is not Kind.ERROR:
            yield _hint(document, end, f"→ {type_name(type_, owner)}", "The type that others see of this status field")


def _value_hints(document: Document, window: Span, previews: Iterable[Preview]) -> Iterator[types.InlayHint]:
    from kro_ls.cel.evaluation.costs import Budget
    from kro_ls.features.previews.expression_values import STEPS, evaluate

    budget = Budget(10 * STEPS)
    for preview in previews:
        for owner in parts_in(preview.rgd, window):
            for expression in joined(owner.part.expressions):
                end = _end(document, owner, expression)
                if window.contains(end):
                    yield _value_hint(document, end, evaluate(preview, owner, expression, budget=budget))


def _value_hint(document: Document, offset: int, value: ExpressionValue) -> types.InlayHint:
    if value.error is not None:
        shown = "no value"
    else:
        shown = "left out" if value.is_omitted else json.dumps(value.data, ensure_ascii=False)
    label = f"= {shortened(shown, _MOST_CHARACTERS)}"
    return types.InlayHint(to_position(document, offset), label, tooltip=value.error or shown, padding_left=True)


def _end(document: Document, owner: PlacedPart, expression: Expression) -> int:
    """Return where a scalar's text ends; the end of a block scalar itself is after its last line break."""
    written = owner.span(expression.whole)
    return written.start + len(document.text.content[written.start : written.end].rstrip())


def _hint(document: Document, offset: int, text: str, about: str) -> types.InlayHint:
    return types.InlayHint(
        to_position(document, offset),
        text,
        kind=types.InlayHintKind.Type,
        tooltip=types.MarkupContent(types.MarkupKind.Markdown, about),
        padding_left=True,
    )
