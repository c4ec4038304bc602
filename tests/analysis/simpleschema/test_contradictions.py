"""Markers that contradict each other, though kro takes them."""

import pytest

from kro_ls.analysis.simpleschema.builder import build_schema

TYPES = {
    "Level": 'string | enum="low,high"',
    "Count": "integer | minimum=2 default=3",
    "Port": {"number": "integer | required=true minimum=1", "name": "string"},
}


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("integer | minimum=1 maximum=1 default=1", []),
        ('string | enum="a,b" default=b minLength=1 maxLength=1', []),
        ("[]string | default=[] minItems=0", []),
        ("float | default=1 minimum=0.5", []),
        ("boolean | default=true", []),
        ('object | default={"a":1}', []),
        ("Missing | minimum=2 maximum=1 default=x", []),
        ("Level", []),
        ("Level | default=low", []),
        ("integer | minimum=2 maximum=1", ["maximum=1"]),
        ("string | maxLength=1 minLength=2", ["maxLength=1"]),
        ("[]string | minItems=2 maxItems=1 default=[]", ["maxItems=1", "[]"]),
        ("Count | maximum=1", ["maximum=1", "1"]),
        ("string | minimum=1", ["minimum"]),
        ('string | enum="a,b" default=c', ["c"]),
        ("Level | default=middle", ["middle"]),
        ("Level | default=", ["default="]),
        ("Count | default=1", ["1"]),
        ("Count | minimum=5", ["5"]),
        ("integer | default=11 maximum=10", ["11"]),
        ('string | default="abc" maxLength=2', ['"abc"']),
        ("boolean | default=1", ["1"]),
        ("[]string | default={}", ["{}"]),
        ("object | default=[1]", ["[1]"]),
        ("map[string]string | default=null", ["null"]),
        ('[]string | default=["a","b"]', []),
        ("string | default=a default=b", ["default=a"]),
        ("string | required=true required=true validation=self validation=self", []),
        ('[]integer | default=["a"]', ['["a"]']),
        ('[]Level | default=["low","middle"]', ['["low","middle"]']),
        ('map[string][]string | default={"a":["b"]}', []),
        ('map[string][]string | default={"a":1}', ['{"a":1}']),
        ('Port | default={"number":80}', []),
        ('Port | default={"number":0}', ['{"number":0}']),
        ('Port | default={"name":"web"}', ['{"name":"web"}']),
        ('Port | default={"number":80,"protocol":"TCP"}', ['{"number":80,"protocol":"TCP"}']),
        ('[]string | uniqueItems=true default=["a","a"]', []),
        ('string | pattern="^[a-z]+$" default=A', ["A"]),
        ('string | pattern="^[a-z]+$" default=a', []),
        ('integer | validation="self % 2 == 0" default=3', ["3"]),
        ('integer | validation="self % 2 == 0" default=2', []),
        ("integer | default=42 minimum=1.5", ["minimum=1.5"]),
        ("integer | maximum=1e30", ["maximum=1e30"]),
        ("integer | default=-9223372036854775808 minimum=-9223372036854775808", []),
        # The API server cuts a bound to an integer before it compares an integer with it, also one that is too large.
        ("float | default=1 minimum=1.5", []),
        ("float | default=1.0 minimum=1.5", ["1.0"]),
        ("float | default=1 minimum=1e30", []),
        ("Port | default={}", ["{}"]),
        ('Port | validation="has(self.name)" default={"number":80}', ['{"number":80}']),
    ],
)
def test_contradictions(text: str, marked: list[str]) -> None:
    warnings = build_schema({"f": text}, TYPES).warnings
    spans = [warning.span for warning in warnings]
    assert [text[span.start : span.end] for span in spans if span is not None] == marked


def test_a_default_outside_the_enum_suggests_its_values() -> None:
    (warning,) = build_schema({"f": "Level | default=middle"}, TYPES).warnings
    assert (warning.code, warning.suggestions) == ("refused-default", ("low", "high"))
    assert "not one of the enum's values" in warning.message
