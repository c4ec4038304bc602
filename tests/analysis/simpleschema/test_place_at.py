"""Places in a field's text; `$` marks the cursor."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kro_ls.analysis.simpleschema.place_at import PlaceKind, place_at


@pytest.mark.parametrize(
    ("marked", "kind", "word", "marker"),
    [
        ("$", PlaceKind.TYPE, "", None),
        ("str$", PlaceKind.TYPE, "str", None),
        ("[]map[string]Po$rt | required=true", PlaceKind.TYPE, "Port", None),
        ("[]$", PlaceKind.TYPE, "", None),
        ("map[string]$", PlaceKind.TYPE, "", None),
        ("string $| required=true", PlaceKind.TYPE, "", None),
        ("string |$", PlaceKind.MARKER_NAME, "", None),
        ("string | $", PlaceKind.MARKER_NAME, "", None),
        ("string | req$", PlaceKind.MARKER_NAME, "req", None),
        ("string |req$", PlaceKind.MARKER_NAME, "req", None),
        ("string | required=true de$", PlaceKind.MARKER_NAME, "de", None),
        ("string | requ$ired=true", PlaceKind.MARKER_NAME, "required", "required"),
        ("string | required=$", PlaceKind.MARKER_VALUE, "", "required"),
        ("string | required=tr$ enum=a", PlaceKind.MARKER_VALUE, "tr", "required"),
        ('string | description="a $b"', PlaceKind.MARKER_VALUE, '"a b"', "description"),
        ('string | pattern="a $b', PlaceKind.MARKER_VALUE, '"a b', "pattern"),
    ],
)
def test_place(marked: str, kind: PlaceKind, word: str, marker: str | None) -> None:
    offset = marked.index("$")
    text = marked.replace("$", "", 1)
    place = place_at(text, offset)
    assert (place.kind, text[place.span.start : place.span.end]) == (kind, word)
    assert (place.marker.name if place.marker else None) == marker


@given(st.text(alphabet='string[]map|= "{}\\\t', max_size=30), st.integers(-2, 40))
def test_every_offset_is_a_place(text: str, offset: int) -> None:
    place = place_at(text, offset)
    assert 0 <= place.span.start <= place.span.end <= len(text)
