"""What stands at a place in a field's text, finished or half typed: a type, a marker's name, or a marker's value."""

from enum import StrEnum

from msgspec import Struct

from kro_ls.analysis.simpleschema.parser import parse_field
from kro_ls.analysis.simpleschema.results import Marker, TypeExpression, TypeKind
from kro_ls.golang.numbers import WHITE_SPACE
from kro_ls.yaml_positions.positions import Span


class PlaceKind(StrEnum):
    """What may be written at a place."""

    TYPE = "type"
    MARKER_NAME = "marker name"
    MARKER_VALUE = "marker value"


class Place(Struct, frozen=True):
    """A place in a field's text: `span` is the word there, which a completion replaces, and may be empty.

    `marker` is the marker whose name or value it is, None for a type and for a name without a value yet.
    """

    kind: PlaceKind
    span: Span
    marker: Marker | None = None


def place_at(text: str, offset: int) -> Place:
    """Return what stands at `offset`, a code point offset; one between two words belongs to the left one."""
    offset = min(max(offset, 0), len(text))
    syntax = parse_field(text)
    if syntax.separator is None or offset <= syntax.separator:
        word = _type_word(text, syntax.type)
        if syntax.separator is None and _follows_type(text[word.start : offset]):
            return Place(PlaceKind.MARKER_NAME, _word(text, offset, word.start))
        return Place(PlaceKind.TYPE, word if word.contains(offset) else Span(offset, offset))
    for marker in syntax.markers:
        if marker.key_span.contains(offset):
            return Place(PlaceKind.MARKER_NAME, marker.key_span, marker)
        if marker.value_span.contains(offset):
            return Place(PlaceKind.MARKER_VALUE, marker.value_span, marker)
    return Place(PlaceKind.MARKER_NAME, _word(text, offset, syntax.separator + 1))


def _type_word(text: str, expression: TypeExpression) -> Span:
    """Return the innermost type's span, of a half-typed `map[` the whole of it."""
    while expression.element is not None:
        is_half_typed = expression.kind is TypeKind.MAP and not text.startswith("map[string]", expression.span.start)
        if is_half_typed:
            break
        expression = expression.element
    return expression.span


def _follows_type(typed: str) -> bool:
    """Whether a word begins after a type; the `|` before the markers is still missing."""
    words = typed.split()
    return len(words) > 1 and typed[-1] not in WHITE_SPACE and not words[0].startswith("map[")


def _word(text: str, offset: int, first: int) -> Span:
    start = end = offset
    while start > first and text[start - 1] not in WHITE_SPACE:
        start -= 1
    while end < len(text) and text[end] not in WHITE_SPACE:
        end += 1
    return Span(start, end)
