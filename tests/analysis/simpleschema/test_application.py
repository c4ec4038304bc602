"""What each marker sets in the schema, what it refuses and where that is marked."""

from typing import Any

import pytest

from kro_ls.analysis.simpleschema.builder import build_schema
from kro_ls.kro.simple_schema_words import MARKERS


def field_schema(text: str) -> Any:
    result = build_schema({"f": text})
    assert result.errors == ()
    assert result.schema is not None
    return result.schema["properties"]["f"]


def fault(text: str) -> tuple[str, str]:
    """Return the marked text and kro's message of the only error."""
    (error,) = build_schema({"f": text}).errors
    assert error.span is not None
    return text[error.span.start : error.span.end], error.kro_message.removeprefix("field f: ")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            'string | required=true immutable=true description="My Name"',
            {
                "type": "string",
                "description": "My Name",
                "x-kubernetes-validations": [{"rule": "self == oldSelf", "message": "field is immutable"}],
            },
        ),
        ("integer | default=1 minimum=1 maximum=1e2", {"type": "integer", "default": 1, "minimum": 1, "maximum": 100}),
        ("float | minimum=0.5 minimum=-1.5e2", {"type": "number", "minimum": -150}),
        ("string | minimum=3", {"type": "string", "minimum": 3}),
        (
            'string | enum="debug, info ,warn" default="info"',
            {"type": "string", "enum": ["debug", "info", "warn"], "default": "info"},
        ),
        ('integer | enum="400,-404,500"', {"type": "integer", "enum": [400, -404, 500]}),
        ('string | enum="a,b" enum="c,c"', {"type": "string", "enum": ["c", "c"]}),
        (r'string | pattern="^(foo|bar)\d{2,4}$"', {"type": "string", "pattern": r"^(foo|bar)\d{2,4}$"}),
        ("string | minLength=3 maxLength=-1", {"type": "string", "minLength": 3, "maxLength": -1}),
        (
            "[]string | uniqueItems=true minItems=0 maxItems=5",
            {
                "type": "array",
                "items": {"type": "string"},
                "minItems": 0,
                "maxItems": 5,
                "x-kubernetes-list-type": "set",
            },
        ),
        (
            "[]object | listMapKey=name listMapKey=port listType=map",
            {
                "type": "array",
                "items": {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
                "x-kubernetes-list-type": "map",
                "x-kubernetes-list-map-keys": ["name", "port"],
            },
        ),
        (
            "[]string | listType=map uniqueItems=false",
            {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "map"},
        ),
        (
            'integer | validation="self <= 10 || self % 2 == 0" immutable=false',
            {
                "type": "integer",
                "x-kubernetes-validations": [{"rule": "self <= 10 || self % 2 == 0", "message": "validation failed"}],
            },
        ),
        ("string | description=x description=", {"type": "string"}),
    ],
)
def test_schema(text: str, expected: Any) -> None:
    assert field_schema(text) == expected


@pytest.mark.parametrize(
    ("text", "default"),
    [
        ("string | default=hello", "hello"),
        ("string | default=5", "5"),
        ("string | default=", ""),
        (r'string | default="a\nb"', "a\nb"),
        (r'string | default="a\\b"', "a\b"),
        (r'string | default="a\\\"b"', 'a"b'),
        (r"string | default=\ud800", "\ufffd"),
        (r"string | default=\ud83d\ude00", "😀"),
        ('integer | default="5"', 5),
        ('boolean | default="false"', False),
        ("boolean | default=1", 1),
        ("float | default=1e3", 1000),
        ('[]string | default=["a","b"]', ["a", "b"]),
        (r'[]string | default="[\"a\"]"', ["a"]),
        ("[]string | default=", None),
        ('map[string]string | default={"a": "b c"}', {"a": "b c"}),
        ('object | default={"x":{"y":[1,2]}} default=null', None),
    ],
)
def test_default(text: str, default: Any) -> None:
    assert field_schema(text)["default"] == default


@pytest.mark.parametrize(
    ("text", "raw"),
    [
        ("boolean | default=T", "T"),
        ("integer | default=+5", "+5"),
        ("integer | default=007", "007"),
        ("float | default=.5", ".5"),
        ("float | default=NaN", "NaN"),
        ("[]string | default=nonsense", "nonsense"),
        (r'string | default="a\"b"', r'"a\"b"'),
        ("object | default=" + "[" * 100_000 + "]" * 100_000, "[" * 100_000 + "]" * 100_000),
        ("integer | enum=007", "007"),
        ("integer | minimum=Inf", "Inf"),
    ],
)
def test_what_kro_takes_and_kubernetes_refuses_is_a_warning(text: str, raw: str) -> None:
    result = build_schema({"f": text})
    assert result.errors == ()
    (warning,) = result.warnings
    assert warning.code == "unusable-marker-value"
    assert warning.span is not None
    assert text[warning.span.start : warning.span.end] == raw


def test_an_unusable_default_still_gives_the_parent_its_default() -> None:
    result = build_schema({"f": "integer | default=+5"})
    assert result.schema == {"type": "object", "properties": {"f": {"type": "integer"}}, "default": {}}


BOOL = 'strconv.ParseBool: parsing "{}": invalid syntax'
OVERWRITE = (
    "listType attempting to overwrite set type of {}, "
    "this can happen if you set contradictory markers like unique=true | listType=map"
)
INT = 'strconv.ParseInt: parsing "{}": invalid syntax'


@pytest.mark.parametrize(
    ("text", "at", "kro_message"),
    [
        ("string | required=yes", "yes", "failed to parse required marker value: " + BOOL.format("yes")),
        ("string | required=", "required=", "failed to parse required marker value: " + BOOL.format("")),
        (
            "string | required=true, default=x",
            "true,",
            "failed to parse required marker value: " + BOOL.format("true,"),
        ),
        ("string | immutable=on", "on", "failed to parse immutable marker value: " + BOOL.format("on")),
        ("[]string | uniqueItems=maybe", "maybe", "failed to parse uniqueItems marker value: " + BOOL.format("maybe")),
        ("string | minLength=1.5", "1.5", "failed to parse minLength value: " + INT.format("1.5")),
        ("[]string | maxItems=a", "a", "failed to parse maxItems value: " + INT.format("a")),
        (
            "integer | maximum=y",
            "y",
            'failed to parse maximum enum value: strconv.ParseFloat: parsing "y": invalid syntax',
        ),
        (
            "integer | minimum=1e999",
            "1e999",
            'failed to parse minimum enum value: strconv.ParseFloat: parsing "1e999": value out of range',
        ),
        ('string | validation=" "', '" "', "validation failed"),
        ('string | enum=""', '""', "empty enum values are not allowed"),
        ('string | enum="a,,b"', ",", "empty enum values are not allowed"),
        ('string | enum="a,  ,b"', "  ", "empty enum values are not allowed"),
        ("string | enum=a,", ",", "empty enum values are not allowed"),
        ("string | enum=,a", ",", "empty enum values are not allowed"),
        ('integer | enum="1, b ,3"', "b", "failed to parse integer enum value: " + INT.format("b")),
        ("float | enum=1", "enum", "enum values only supported for string and integer types, got type: number"),
        ("string | pattern=", "pattern=", "pattern marker value cannot be empty"),
        ("integer | pattern=x", "pattern", "pattern marker is only valid for string types, got type: integer"),
        (
            r'string | pattern="a\\(?=x)"',
            ")",
            r"invalid pattern regex: error parsing regexp: unexpected ): `a\(?=x)`",
        ),
        (
            'string | pattern="^(?!x)a"',
            "(?!",
            "invalid pattern regex: error parsing regexp: invalid or unsupported Perl syntax: `(?!`",
        ),
        (
            "[]string | minLength=x",
            "minLength",
            "minLength marker is only valid for string types, got type: array",
        ),
        (
            "map[string]string | minItems=1",
            "minItems",
            "minItems marker is only valid for array types, got type: object",
        ),
        (
            "string | uniqueItems=true",
            "uniqueItems",
            "uniqueItems marker is only valid for array types, got type: string",
        ),
        ("string | listType=set", "listType", "listType marker only applies to array types"),
        (
            "[]string | listType=list",
            "list",
            "unsupported value for listType list, needs to be one of atomic, set, or map",
        ),
        (
            "[]string | uniqueItems=true listType=atomic",
            "listType=atomic",
            OVERWRITE.format("set"),
        ),
        (
            "[]string | listType=atomic uniqueItems=true",
            "uniqueItems=true",
            "cannot set unique when listType is set to atomic",
        ),
        ("string | listMapKey=a", "listMapKey", "listMapKey marker only applies to array types"),
        (
            "[]object | listType=map listMapKey=a listMapKey=a",
            "listMapKey=a",
            "duplicate listMapKey marker, value a",
        ),
        (
            "[]object | listMapKey=a",
            "listMapKey=a",
            "listMapKey set while listType is unset, listType must be set to map",
        ),
        (
            "[]object | listMapKey=a listType=set",
            "listType=set",
            "listMapKey set while listType is set to set, listType must be set to map",
        ),
        ("integer | default=5.0", "5.0", "default value must be a valid integer, got: 5.0"),
        ("integer | default=", "default=", "default value must be a valid integer, got: "),
        ("float | default=x", "x", "default value must be a valid number, got: x"),
        ('boolean | default="yes"', '"yes"', "default value must be a valid boolean, got: yes"),
    ],
)
def test_refused(text: str, at: str, kro_message: str) -> None:
    assert fault(text) == (at, kro_message)


def test_the_other_markers_still_count() -> None:
    result = build_schema({"f": "string | minLength=x maxLength=3 required=no default=d minItems=1"})
    assert [error.code for error in result.errors] == [
        "invalid-marker-value",
        "invalid-marker-value",
        "marker-not-applicable",
    ]
    assert result.recovered["properties"]["f"] == {"type": "string", "maxLength": 3, "default": "d"}


@pytest.mark.parametrize(
    ("text", "suggestion"),
    [("string | required=yes", "true"), ("string | required=off", "false"), ("string | required=true,", "true")],
)
def test_booleans_have_suggestions(text: str, suggestion: str) -> None:
    assert build_schema({"f": text}).errors[0].suggestions[0] == suggestion


@pytest.mark.parametrize("name", list(MARKERS))
def test_every_markers_example_is_valid(name: str) -> None:
    for example in MARKERS[name].example.split(", "):
        result = build_schema({"f": example}, {"Port": {"name": "string | required=true"}})
        assert result.errors == ()
        assert f"{name}=" in example


@pytest.mark.parametrize("name", list(MARKERS))
def test_applicability_is_what_the_table_says(name: str) -> None:
    values = {"enum": "1", "listType": "map", "listMapKey": "a", "pattern": "a", "validation": "true", "default": "1"}
    types = {"string": "string", "integer": "integer", "number": "float", "array": "[]string", "object": "object"}
    for openapi_type, text in types.items():
        extra = " listType=map" if name == "listMapKey" and openapi_type == "array" else ""
        result = build_schema({"f": f"{text} | {name}={values.get(name, '1')}{extra}"})
        allowed = not MARKERS[name].applies_to or openapi_type in MARKERS[name].applies_to
        assert bool(result.errors) != allowed, (openapi_type, result.errors)
