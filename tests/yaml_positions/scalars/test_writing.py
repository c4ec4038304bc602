"""Edits of scalars: the text changes as wanted, whatever the style, and YAML still reads the rest."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kro_ls.rules.diagnosis import diagnose_text
from kro_ls.yaml_positions.documents.stream import parse_stream
from kro_ls.yaml_positions.nodes import Mapping, Scalar
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.scalars.writing import Replacement, can_be_plain, edited, quoted, replace_in_scalar
from kro_ls.yaml_positions.text import Text
from tests.fixtures.definitions import rgd_around
from tests.fixtures.examples import FEW


def parse(text: str) -> Mapping:
    (document,) = parse_stream(Text(text), ()).documents
    assert document.errors == ()
    root = document.frame.chunk.root
    assert isinstance(root, Mapping)
    return root


def applied(text: str, edit: Replacement) -> str:
    return text[: edit.span.start] + edit.text + text[edit.span.end :]


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_what_is_written_has_the_line_endings_of_the_text(ending: str) -> None:
    content = ending.join(("a:", "b: 1", ""))
    edits = (Replacement(Span(2, 2), "\n  c:\r\n    d: 2"), Replacement(Span(len(content), len(content)), "e: 3\n"))
    assert edited(content, edits) == ending.join(("a:", "  c:", "    d: 2", "b: 1", "e: 3", ""))
    assert edited("a:", edits[:1]) == "a:\n  c:\r\n    d: 2", "there is no line ending to follow"


STYLES = {
    "plain": "a: {}\nb: 1\n",
    "double": 'a: "{}"\nb: 1\n',
    "single": "a: '{}'\nb: 1\n",
    "literal": "a: |-\n  {}\nb: 1\n",
    "folded": "a: >-\n  {}\nb: 1\n",
}


@pytest.mark.parametrize("style", STYLES)
@given(st.text(alphabet="ab[]{}:#'\"\\ -é", max_size=8))
@FEW
def test_a_word_is_replaced_in_every_style(style: str, new: str) -> None:
    source = STYLES[style].format("one two three")
    scalar = parse(source).get("a")
    assert isinstance(scalar, Scalar)
    edit = replace_in_scalar(source, scalar, Span(4, 7), new, in_flow=False)
    assert edit is not None
    changed = parse(applied(source, edit))
    value, other = changed.get("a"), changed.get("b")
    assert isinstance(value, Scalar)
    assert isinstance(other, Scalar)
    assert (value.value, other.value) == (f"one {new} three", 1)


@given(st.text(alphabet="[]{},:a -", max_size=6))
@FEW
def test_a_word_is_replaced_in_flow_style(new: str) -> None:
    source = "x: {a: one two three, b: 1}\n"
    mapping = parse(source).get("x")
    assert isinstance(mapping, Mapping)
    scalar = mapping.get("a")
    assert isinstance(scalar, Scalar)
    edit = replace_in_scalar(source, scalar, Span(4, 7), new, in_flow=True)
    assert edit is not None
    changed = parse(applied(source, edit)).get("x")
    assert isinstance(changed, Mapping)
    value = changed.get("a")
    assert isinstance(value, Scalar)
    assert value.value == f"one {new} three"
    assert list(changed.index) == ["a", "b"]


@pytest.mark.parametrize(
    ("block", "wanted"), [("|\n  one\n", "|-\n  one\n"), (">2\n  one\n", ">2-\n  one\n"), ("|+\n  one\n\n", None)]
)
def test_the_line_break_of_a_block_goes_with_its_header(block: str, wanted: str | None) -> None:
    source = f"a: {block}b: 1\n"
    scalar = parse(source).get("a")
    assert isinstance(scalar, Scalar)
    edit = replace_in_scalar(source, scalar, Span(3, len(scalar.text)), "", in_flow=False)
    assert edit is not None
    changed = parse(applied(source, edit)).get("a")
    assert isinstance(changed, Scalar)
    assert changed.value == "one"
    if wanted is not None:
        assert applied(source, edit) == f"a: {wanted}b: 1\n"


def test_lines_of_a_block_are_not_joined() -> None:
    source = "a: |\n  one\n  two\n"
    scalar = parse(source).get("a")
    assert isinstance(scalar, Scalar)
    assert replace_in_scalar(source, scalar, Span(3, 4), " ", in_flow=False) is None


@given(st.from_regex(r"[a-zA-Z0-9~=<.é][a-z0-9 :#|,\[\]{}?&*!'\"-]{0,8}", fullmatch=True), st.booleans())
def test_what_can_be_plain_is_read_as_itself(text: str, in_flow: bool) -> None:
    assume(can_be_plain(text, in_flow=in_flow))
    source = f"x: {{a: {text}, b: 1}}\n" if in_flow else f"x:\n  a: {text}\n  b: 1\n"
    mapping = parse(source).get("x")
    assert isinstance(mapping, Mapping)
    value = mapping.get("a")
    assert isinstance(value, Scalar)
    assert value.value == text


WORDS = st.sampled_from(
    [
        "int",
        "string",
        "[]",
        "map[",
        "string]",
        "Prt",
        "|",
        " ",
        "=",
        "requird",
        "required",
        "enum",
        "yes",
        '"',
        ",",
        "tru",
    ]
)


@given(st.lists(WORDS, max_size=8).map("".join), st.sampled_from(["plain", "double", "single", "literal"]))
def test_no_fix_of_a_field_breaks_the_yaml(field: str, style: str) -> None:
    if style == "plain":
        written = field if can_be_plain(field, in_flow=False) else quoted(field)
    else:
        escaped = {"double": field.replace('"', '\\"'), "single": field.replace("'", "''")}.get(style, field)
        written = {"double": f'"{escaped}"', "single": f"'{escaped}'", "literal": f"|\n      {escaped}"}[style]
    text = rgd_around(
        f"schema:\n  apiVersion: v1\n  kind: A\n  types:\n    Port: string\n  spec:\n    f: {written}\n    g: Port\n"
    )
    for diagnostic in diagnose_text(Text(text)).diagnostics:
        for fix in diagnostic.fixes:
            (edit,) = fix.replacements
            left = diagnose_text(Text(applied(text, edit))).diagnostics
            assert "yaml-syntax" not in {each.code for each in left}, (fix.title, applied(text, edit))
