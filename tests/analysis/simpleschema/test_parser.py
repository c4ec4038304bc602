"""The text of one field: types, markers, quoting, and every mistake at its place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kro_ls.analysis.simpleschema.application import span_in_value
from kro_ls.analysis.simpleschema.parser import MAX_LENGTH, parse_field
from kro_ls.analysis.simpleschema.results import FieldSyntax, TypeKind
from kro_ls.analysis.simpleschema.tokenizer import MAX_ERRORS
from kro_ls.kro.simple_schema_words import MARKERS
from kro_ls.kro.versions.version import parse_version
from kro_ls.yaml_positions.positions import Span
from tests.fixtures.examples import MANY


def part(text: str, span: Span) -> str:
    return text[span.start : span.end]


def faults(text: str) -> list[tuple[str, str]]:
    """Return the marked text and kro's message."""
    return [(part(text, error.span), error.kro_message) for error in parse_field(text).errors]


def values(text: str) -> list[tuple[str, str]]:
    return [(marker.name, marker.value) for marker in parse_field(text).markers]


def check_spans(syntax: FieldSyntax) -> None:
    length = len(syntax.text)
    spans = [error.span for error in syntax.errors]
    spans += [span for marker in syntax.markers for span in (marker.key_span, marker.value_span, marker.span)]
    expression = syntax.type
    spans.append(expression.span)
    while expression.element is not None:
        expression = expression.element
        spans.append(expression.span)
    assert all(0 <= span.start <= span.end <= length for span in spans)


@pytest.mark.parametrize(
    ("text", "kinds", "name"),
    [
        ("string", [TypeKind.ATOMIC], "string"),
        (" integer ", [TypeKind.ATOMIC], "integer"),
        ("object|required=true", [TypeKind.OBJECT], "object"),
        ("[] string", [TypeKind.LIST, TypeKind.ATOMIC], "string"),
        ("map[string] \t[]Port", [TypeKind.MAP, TypeKind.LIST, TypeKind.CUSTOM], "Port"),
        ("my type", [TypeKind.CUSTOM], "my type"),
        ("[ ]string", [TypeKind.CUSTOM], "[ ]string"),
        ("map [string]string", [TypeKind.CUSTOM], "map [string]string"),
        ("[]" * 16 + "string", [TypeKind.LIST] * 16 + [TypeKind.ATOMIC], "string"),
    ],
)
def test_type(text: str, kinds: list[TypeKind], name: str) -> None:
    syntax = parse_field(text)
    assert not syntax.errors
    found = [syntax.type]
    while found[-1].element is not None:
        found.append(found[-1].element)
    assert [expression.kind for expression in found] == kinds
    assert found[-1].name == name
    assert part(text, found[-1].span) == name


def test_type_reads_back_as_text() -> None:
    assert str(parse_field(" [] map[string]  Port | required=true").type) == "[]map[string]Port"


@pytest.mark.parametrize(
    ("text", "at", "kro_message"),
    [
        ("", "", "empty type"),
        ("   ", "   ", "empty type"),
        ("| required=true", "|", "empty type"),
        ("[]", "[]", "empty slice element type"),
        ("[][]  ", "[]", "empty slice element type"),
        ("map[string][]", "[]", "empty slice element type"),
        ("map[string] ", "map[string]", "map value type is required"),
        ("[]map[integer]string", "integer", "map key must be string"),
        ("map[ string ]string", " string ", "map key must be string"),
        ("map[]string", "map[]", "map key must be string"),
        ("map[stringPerson", "map[stringPerson", "map key must be string"),
        ("[]" * 17 + "string", "string", 'type nesting too deep (max 16): "string"'),
        ("[]" * 19 + 'a"b', '[][]a"b', 'type nesting too deep (max 16): "[][]a\\"b"'),
    ],
)
def test_type_error(text: str, at: str, kro_message: str) -> None:
    assert faults(text)[0] == (at, kro_message)


@pytest.mark.parametrize(
    ("markers", "expected"),
    [
        ("required=true", [("required", "true")]),
        ("required =true", [("required", "true")]),
        ("\u00a0minimum=1\nmaximum=2", [("minimum", "1"), ("maximum", "2")]),
        ("default= required=true", [("default", ""), ("required", "true")]),
        ("default=foo=bar", [("default", "foo=bar")]),
        ("default='x'", [("default", "'x'")]),
        ('default="a"x required=true', [("default", '"a"x'), ("required", "true")]),
        ('default="a"required=true', [("default", '"a"required=true')]),
        ("default=a{ b}c", [("default", "a{ b}c")]),
        ("default=[}", [("default", "[}")]),
        ('default={"a": "b c"} required=true', [("default", '{"a": "b c"}'), ("required", "true")]),
        ('pattern="^(foo|bar)$"', [("pattern", "^(foo|bar)$")]),
        ('description="a \\"b\\" \\n \\\\"', [("description", 'a "b" \\n \\')]),
        ('description="\\"quoted\\""', [("description", '"quoted"')]),
        ('pattern="^\\\\d{2}$"', [("pattern", "^\\d{2}$")]),
        ('pattern="^\\d{2}$"', [("pattern", "^\\d{2}$")]),
        ('default="a"b"c"', [("default", 'a"b"c')]),
        ('default=""', [("default", "")]),
        ("mini mum=1", [("minimum", "1")]),
        ("default=\x1c", [("default", "\x1c")]),
    ],
)
def test_markers(markers: str, expected: list[tuple[str, str]]) -> None:
    text = f"string | {markers}"
    assert parse_field(text).errors == ()
    assert values(text) == expected


@pytest.mark.parametrize(
    ("text", "at", "kro_message"),
    [
        ("string |", "|", "marker key '' without a value"),
        ("string |  ", "|", "marker key '' without a value"),
        ("string | required=true ", " ", "marker key '' without a value"),
        ("string | required", "required", "marker key 'required' without a value"),
        ("string | required=true foo", "foo", "marker key 'foo' without a value"),
        (
            "string | optional required=true",
            "optional",
            'invalid marker key "optionalrequired": unknown marker: optionalrequired',
        ),
        (
            "string | required=true | default=x",
            "|",
            'invalid marker key "|default": unknown marker: |default',
        ),
        ("string | required=true |default=x", "|", 'invalid marker key "|default": unknown marker: |default'),
        ("string | required = true", " = true", "marker key 'true' without a value"),
        ("string | required= true", "= true", "marker key 'true' without a value"),
        ("string | description=two more words", "two more words", "marker key 'morewords' without a value"),
        ("string | default='single quoted'", "'single quoted'", "marker key 'quoted'' without a value"),
        ("string | pattern=^[^{]+$", "{", "unclosed bracket/brace"),
        ("string | {required}=true", "{required}", 'invalid marker key "{required}": unknown marker: {required}'),
        (
            'string | "required"=true',
            '"required"',
            'invalid marker key "\\"required\\"": unknown marker: "required"',
        ),
        ("string | Required=true", "Required", 'invalid marker key "Required": unknown marker: Required'),
        ("string | =true", "=", "empty marker key"),
        ("string | default=a]b", "]", "unmatched closing bracket/brace"),
        ('string | description="', '"', "unclosed quote"),
        ('string | description="a b', '"', "unclosed quote"),
        ('string | a "b c', 'a "b c', "marker key 'a\"b c' without a value"),
    ],
)
def test_marker_error(text: str, at: str, kro_message: str) -> None:
    assert faults(text) == [(at, kro_message)]


def test_every_error_is_found_and_the_good_markers_are_kept() -> None:
    text = 'map[int]string | foo=1 required=true | defualt=x minimum=1 bar description="x'
    assert [at for at, _ in faults(text)] == ["int", "foo", "defualt", "bar", '"']
    assert [name for name, _ in values(text) if name in MARKERS] == ["required", "minimum", "description"]


def test_one_mistake_is_not_reported_twice() -> None:
    assert faults("string | a]=1") == [("]", "unmatched closing bracket/brace")]


def test_messages_help() -> None:
    def message(text: str) -> str:
        return parse_field(text).errors[0].message

    assert 'description="two words"' in message("string | description=two words")
    assert "no blanks around '='" in message("string | required = true")
    assert "unexpected '|'" in message("string | required=true | default=x")
    assert "did you mean 'uniqueItems'" in message("[]string | unique=true")


@pytest.mark.parametrize(
    ("text", "repaired"),
    [
        ("string | requierd=true", "string | required=true"),
        ("string | required=true | default=x", "string | required=true  default=x"),
        ("string | required = true", "string | required=true"),
        ("string | required", "string | required=true"),
        ("string | default=x requird", "string | default=x required"),
        ("integer | minimum:1 maximum=2", "integer | minimum=1 maximum=2"),
        ("string | default='single quoted'", 'string | default="single quoted"'),
        ('string | description=two "more" words maxLength=3', r'string | description="two \"more\" words" maxLength=3'),
        ("map[int]string", "map[string]string"),
        ("string | required=true ", "string | required=true"),
    ],
)
def test_suggestions_stand_in_place_of_the_marked_text(text: str, repaired: str) -> None:
    error = parse_field(text).errors[0]
    assert text[: error.span.start] + error.suggestions[0] + text[error.span.end :] == repaired


def test_positions_inside_a_value_follow_its_escapes() -> None:
    text = r'string | pattern="a\"b\\c\d"'
    marker = parse_field(text).markers[0]
    assert marker.value == r'a"b\c\d'
    written = [part(text, span_in_value(text, marker, at, at + 1)) for at in range(len(marker.value))]
    assert written == ["a", r"\"", "b", r"\\", "c", "\\", "d"]
    bare = "string | default=[ 1]"
    assert part(bare, span_in_value(bare, parse_field(bare).markers[0], 2, 3)) == "1"


def test_a_text_that_cannot_be_stored_is_refused() -> None:
    (error,) = parse_field("string | description=" + "x" * MAX_LENGTH).errors
    assert error.code == "schema-too-large"


def test_errors_of_one_field_are_bounded() -> None:
    assert len(parse_field("string | " + "a=b " * 1000).errors) == MAX_ERRORS


FIELD_TEXT = st.text(alphabet="string[]map|{}\"'\\= \t\n,arequidftl1é😀\x1c\u2003", max_size=60)
MARKER_TEXT = st.lists(
    st.one_of(
        st.sampled_from([*MARKERS, "=", " ", "|", '"', "\\", "{", "]", "true", "x", ",", "[]string", '="a b"']),
        st.text(max_size=3),
    ),
    max_size=12,
).map("".join)


@MANY
@given(st.one_of(FIELD_TEXT, MARKER_TEXT.map(lambda markers: f"string | {markers}"), st.text(max_size=40)))
def test_any_text_gives_a_syntax_with_spans_inside_it(text: str) -> None:
    syntax = parse_field(text)
    check_spans(syntax)
    assert syntax.errors or syntax.type.innermost.kind is not TypeKind.MISSING
    for marker in syntax.markers:
        for at in range(len(marker.value)):
            span = span_in_value(text, marker, at, at + 1)
            assert marker.value_span.start <= span.start < span.end <= marker.value_span.end


@pytest.mark.parametrize(
    ("text", "dropped"),
    [
        ("string | default=IRSA role for ACK", " role for ACK"),
        ('string | default="a b" c', " c"),
        ("string | description= the role", " the role"),
        ("string | required", "| required"),
        ("string | required {a b}", "| required {a b}"),
        ("string | default=x ", " "),
        ("string |", "|"),
        ('string | required "open', None),
        ("string | required [", None),
        ("string | default=a foo=b c", None),
        ("string | default=a b required=true", None),
    ],
)
def test_what_versions_before_0_9_dropped(text: str, dropped: str | None) -> None:
    error = parse_field(text).errors[-1]
    assert (error.dropped and text[error.dropped.start : error.dropped.end]) == dropped
    assert (parse_version("0.8.5") in error.versions) is (dropped is None)
    assert parse_version("0.9.0") in error.versions
