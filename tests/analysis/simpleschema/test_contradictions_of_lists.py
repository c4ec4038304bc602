"""Sets and maps that Kubernetes refuses."""

import pytest

from kro_ls.analysis.simpleschema.builder import build_schema
from kro_ls.analysis.simpleschema.contradictions import CODE

TYPES = {
    "Port": {"name": "string | required=true", "number": "integer | default=80", "note": "string", "tags": "[]string"},
    "Tags": "[]string | uniqueItems=true",
}


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("[]Port | listType=map listMapKey=name listMapKey=number", []),
        ("[]string | uniqueItems=true", []),
        ("[][]string | listType=set", []),
        ("[]Port | listType=atomic", []),
        ("[]Missing | listType=map", []),
        ("Tags", []),
        ("[]Port | listType=map", ["listType=map"]),
        ("[]string | listType=map listMapKey=name", ["listType=map"]),
        ("[]Port | listType=map listMapKey=nmae", ["nmae"]),
        ("[]Port | listType=map listMapKey=note listMapKey=tags", ["note", "tags"]),
        ("[]Port | uniqueItems=true", ["uniqueItems=true"]),
        ("[]map[string]string | listType=set", ["listType=set"]),
        ("[]Tags | listType=set", ["listType=set"]),
        ("[]object | listType=map listMapKey=name", ["name"]),
    ],
)
def test_list_warnings(text: str, marked: list[str]) -> None:
    warnings = build_schema({"f": text}, TYPES).warnings
    assert all(warning.code == CODE and warning.kro_message == "" for warning in warnings)
    spans = [warning.span for warning in warnings]
    assert [text[span.start : span.end] for span in spans if span is not None] == marked


def test_the_fields_are_suggested() -> None:
    (warning,) = build_schema({"f": "[]Port | listType=map listMapKey=nmae"}, TYPES).warnings
    assert warning.suggestions == ("name", "number", "note", "tags")
