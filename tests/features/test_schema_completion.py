"""Completion in SimpleSchema, whole and half-typed, in every YAML style; accepting an item leaves valid YAML."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol.types import InsertTextFormat

from kro_ls.cursor.cursor import Cursor
from kro_ls.features.actions.rename import prepare_rename
from kro_ls.features.completion.completion_list import completion
from kro_ls.features.completion.simple_schema import complete_simple_schema
from kro_ls.features.convert import to_offset
from kro_ls.features.hover.hover import hover
from kro_ls.features.lsp_types import CompletionItem, TextEdit
from kro_ls.features.navigation.definition import definition
from kro_ls.features.navigation.reference_search import references
from kro_ls.rules.diagnosis import diagnose_text
from kro_ls.rules.diagnostics import Severity
from kro_ls.workspace.documents import Document
from kro_ls.yaml_positions.text import Text
from tests.fixtures.features import check_completion
from tests.fixtures.language import Fixture, fixture

SOURCE = """
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: app
spec:
  schema:
    apiVersion: v1alpha1
    kind: App
    types:
      Port:
        number: integer
        name: string
      Size: string
      Other: $TYPE
    spec:
      before: string
      field: $HERE
      after: Port
"""
BUILT_IN = ["string", "integer", "boolean", "float", "object", "[]", "map[string]"]


def source(value: str, place: str = "$HERE") -> Fixture:
    return fixture(SOURCE.replace(place, value).replace("$HERE", "string").replace("$TYPE", "string"))


def items(found: Fixture, *, snippets: bool = False) -> list[CompletionItem]:
    opened = found.cursor.open_field
    return complete_simple_schema(found.document, opened, snippets=snippets) if opened else []


def labels(value: str, place: str = "$HERE") -> list[str]:
    return [item.label for item in items(source(value, place))]


def accepted(value: str, label: str, *, snippets: bool = False) -> str:
    """Return the value after the item is accepted; check that its filter text fits the typed text."""
    found = source(value)
    item = next(each for each in items(found, snippets=snippets) if each.label == label)
    edit = item.text_edit
    assert isinstance(edit, TextEdit)
    assert edit.range.start.line == edit.range.end.line == found.position.line
    assert edit.range.start.character <= found.position.character <= edit.range.end.character
    typed = found.content[to_offset(found.document, edit.range.start) : found.cursor.offset]
    assert item.filter_text is not None
    assert item.filter_text.startswith(typed.rstrip(" =")) or not typed.strip()
    content = found.content
    start, end = to_offset(found.document, edit.range.start), to_offset(found.document, edit.range.end)
    line = Text(content[:start] + edit.new_text + content[end:]).content.split("\n")[found.position.line]
    return line.partition("field:")[2].strip()


@pytest.mark.parametrize(
    "value", ["$0", "st$0", "'$0'", '"$0"', "'[]$0'", "map[string]$0", "string$0", '"[]$0', "[]$0"]
)
def test_types_are_offered_the_authors_first(value: str) -> None:
    assert labels(value) == ["Port", "Size", "Other", *BUILT_IN]


def test_completion_of_a_document_offers_them() -> None:
    first = ["Port", "Size", "Other", *BUILT_IN]
    assert len(check_completion(source("$0"), *first)) == len(first)


def test_a_type_does_not_offer_itself() -> None:
    assert labels("$0", place="$TYPE") == ["Port", "Size", *BUILT_IN]


@pytest.mark.parametrize(
    ("value", "label", "wanted"),
    [
        ("$0", "string", "string"),
        ("st$0r", "string", "string"),
        ("$0", "[]", '"[]"'),
        ("'[]$0'", "Port", "'[]Port'"),
        ('"[]$0', "Port", '"[]Port"'),
        ("[]$0", "Port", '"[]Port"'),
        ("[]Po$0", "Port", '"[]Port"'),
        ("map[string]$0", "Port", "map[string]Port"),
        ("map[$0", "map[string]", "map[string]"),
        ("int$0 | default=3", "integer", "integer | default=3"),
    ],
)
def test_accepting_a_type(value: str, label: str, wanted: str) -> None:
    assert accepted(value, label) == wanted


@pytest.mark.parametrize(
    "value", ["string | $0", "string |$0", "string $0", "'string | $0'", "string | req$0", "string d$0"]
)
def test_markers_for_the_type_are_offered(value: str) -> None:
    found = labels(value)
    assert found[:3] == ["required", "default", "description"]
    assert {"pattern", "minLength", "enum"} <= set(found)
    assert not {"minItems", "listType", "string"} & set(found)


def test_a_marker_is_offered_once_unless_it_may_be_repeated() -> None:
    found = labels('string | required=true validation="self.size() > 3" $0')
    assert "required" not in found
    assert "validation" in found


@pytest.mark.parametrize(
    ("value", "label", "wanted"),
    [
        ("string $0", "required", "string | required=true"),
        ("string req$0", "required", "string | required=true"),
        ("string def$0", "default", "string | default="),
        ("'[]string def$0'", "default", "'[]string | default=[]'"),
        ("string |$0", "required", "string | required=true"),
        ("string | $0", "default", "string | default="),
        ("string | req$0", "required", "string | required=true"),
        ("string | requ$0=false", "required", "string | required=false"),
        ("string | $0", "description", 'string | description=""'),
        ("integer | $0", "minimum", "integer | minimum="),
        ('"string | $0"', "enum", '"string | enum=\\"\\""'),
        ("'[]string | $0'", "default", "'[]string | default=[]'"),
        ("string | required=$0", "true", "string | required=true"),
        ("string | required=fa$0", "false", "string | required=false"),
        ('string | required="$0"', "true", 'string | required="true"'),
        ("'[]Port | listType=$0'", "map", "'[]Port | listType=map'"),
        ("'[]Port | listType=map listMapKey=$0'", "name", "'[]Port | listType=map listMapKey=name'"),
        ('string | enum="a,b-c" default=$0', "b-c", 'string | enum="a,b-c" default="b-c"'),
        ("boolean | default=$0", "true", "boolean | default=true"),
        ('string | default=$0 enum="a,b"', "b", 'string | default=b enum="a,b"'),
        ("integer | minimum=2 default=$0", "2", "integer | minimum=2 default=2"),
        ("integer | default=$0", "1", "integer | default=1"),
        ("'[]string | default=$0'", "[]", "'[]string | default=[]'"),
        ("object | default=$0", "{}", "object | default={}"),
    ],
)
def test_accepting_a_marker_or_value(value: str, label: str, wanted: str) -> None:
    assert accepted(value, label) == wanted


@pytest.mark.parametrize(
    ("value", "label", "wanted"),
    [
        ("string | $0", "description", 'string | description="$0"'),
        ('"string | $0"', "description", '"string | description=\\\\"$0\\\\""'),
        ("'[]string | $0'", "default", "'[]string | default=[$0]'"),
        ("object | $0", "default", "object | default={$0\\}"),
    ],
)
def test_snippets_leave_the_cursor_in_the_value(value: str, label: str, wanted: str) -> None:
    assert accepted(value, label, snippets=True) == wanted


@pytest.mark.parametrize("value", ["{a: $0}", "{a: st$0, b: integer}", "\n        a: $0", "{a: '$0'}"])
def test_nested_fields_are_completed(value: str) -> None:
    assert labels(value)[0] == "Port"


@pytest.mark.parametrize("value", ["string # $0", "|\n        $0", "fie$0", "string | description=$0"])
def test_nothing_raises_where_there_is_nothing_to_say(value: str) -> None:
    assert isinstance(labels(value), list)


def test_keys_and_other_fields_are_left_alone() -> None:
    found = fixture(SOURCE.replace("$HERE", "string").replace("$TYPE", "string").replace("kind: App", "kind: A$0pp"))
    assert items(found) == []
    found = fixture(SOURCE.replace("$HERE", "string").replace("$TYPE", "string").replace("before:", "bef$0ore:"))
    assert items(found) == []


@pytest.mark.parametrize("value", ["$0", "'$0'", '"$0"', "{a: $0}", "{a: '$0'}", ">-\n        $0string"])
def test_every_type_leaves_a_text_that_yaml_can_read(value: str) -> None:
    found = source(value)
    for item in items(found):
        edit = item.text_edit
        assert isinstance(edit, TextEdit)
        content = found.content
        start, end = to_offset(found.document, edit.range.start), to_offset(found.document, edit.range.end)
        errors = diagnose_text(Text(content[:start] + edit.new_text + content[end:])).diagnostics
        codes = {each.code for each in errors if each.severity is Severity.ERROR}
        assert codes <= ({"invalid-type-expression"} if item.label in ("[]", "map[string]") else set())
        assert not any("unknown type" in each.message for each in errors) or "string" in value


@given(st.integers(0, len(SOURCE)), st.integers(0, 40), st.integers(0, len(SOURCE)))
def test_no_damage_makes_a_feature_fail(cut: int, length: int, offset: int) -> None:
    document = Document("file:///rgd.yaml", 1, Text(SOURCE[:cut] + SOURCE[cut + length :]))
    cursor = Cursor(document, min(offset, len(document.text.content)))
    completion(cursor, snippets=True)
    hover(cursor)
    definition(cursor)
    references(cursor, include_declaration=True)
    prepare_rename(cursor)


@pytest.mark.parametrize("value", ["string$0", "Port$0", "integer | default=1$0", "string | required=true$0"])
def test_nothing_is_offered_for_a_complete_word(value: str) -> None:
    answer = completion(source(value).cursor, snippets=True)
    assert answer.items == []
    assert answer.is_incomplete


@pytest.mark.parametrize("value", ["integer | default=8080$0", "integer | minimum=10$0", "integer | default=8$0"])
def test_a_value_that_is_typed_gets_no_other_in_its_place(value: str) -> None:
    assert labels(value) == []


def test_a_marker_is_written_when_its_equals_sign_is_there() -> None:
    marker = next(each for each in items(source("integer | def$0")) if each.label == "default")
    assert marker.text_edit is not None
    assert marker.text_edit.new_text == "default="
    assert marker.filter_text == "default", "clients keep what begins with the typed text"


def test_what_has_blanks_is_sent_as_a_snippet() -> None:
    found = {each.label: each for each in completion(source("integer $0").cursor, snippets=True).items}
    assert found["default"].insert_text_format is InsertTextFormat.Snippet
    assert found["default"].text_edit is not None
    assert found["default"].text_edit.new_text == "| default="
