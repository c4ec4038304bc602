import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kro_ls.yaml_positions.documents.chunks import parse_chunk
from kro_ls.yaml_positions.nodes import Scalar, walk
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.scalars.source_map import SourceMap, source_map


def scalar_map(text: str) -> tuple[Scalar, SourceMap]:
    """Return the last scalar of a text and its map."""
    root = parse_chunk(text).root
    assert root is not None
    scalar = [node for node in walk(root) if isinstance(node, Scalar)][-1]
    return scalar, source_map(text, scalar)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("a: ${x.y}", "x.y"),
        ("a: 'it''s ${x.y}'", "x.y"),
        ('a: "\\x41\\u00e9\\U0001F600 ${x.y}"', "x.y"),
        ('a: "it\\\'s ${x.y}"', "x.y"),
        ('a: "one\\\n   ${x.y}"', "x.y"),
        ("a: one\n  two\n\n  ${x.y}", "x.y"),
        ("a: |\n  one\n   ${x.y}\n", "x.y"),
        ("a: |2+ # c\n    one\n   ${x.y}\n\n", "x.y"),
        ("a: >-\n\n  one\n  two\n\n   more\n  ${x.y}", "x.y"),
        ("a: >\r\n  one\r\n  ${x.y}\r\n", "x.y"),
        ("- !!str &x |\n one\n ${x.y}\n", "x.y"),
        ('a: "one ${x.y}', "x.y"),
        ("a: one: ${x.y}", "x.y"),
    ],
)
def test_a_word_is_found_in_the_source(text: str, word: str) -> None:
    scalar, mapped = scalar_map(text)
    start = scalar.text.index(word)
    span = mapped.source_span(Span(start, start + len(word)))
    assert text[span.start : span.end] == word
    assert mapped.to_value(span.start) == start
    assert mapped.exact


def test_an_escape_is_one_code_point() -> None:
    text = 'a: "x\\u0041y"'
    _, mapped = scalar_map(text)
    span = mapped.source_span(Span(1, 2))
    assert text[span.start : span.end] == "\\u0041"
    assert [mapped.to_value(offset) for offset in range(3, len(text) + 1)] == [None, 0, 1, 1, 1, 1, 1, 1, 2, 3, None]


def test_the_end_of_the_value_is_before_the_closing_quote() -> None:
    text = 'a: "${x."'
    _, mapped = scalar_map(text)
    assert mapped.to_source(4) == len(text) - 1
    assert mapped.to_value(len(text) - 1) == 4


def test_an_empty_value_has_a_place() -> None:
    for text, place in (("a: ", 3), ('a: ""', 4), ("a: ''", 4), ("a: |\n", 5)):
        _, mapped = scalar_map(text)
        assert mapped.to_source(0) == place
        assert mapped.to_value(place) == 0
        assert mapped.source_span(Span(0, 0)) == Span(place, place)


PIECES = ["a", "b", " ", "  ", "\n", "\n ", "\n  ", "\n   ", "\t", "é", "😀", "#", ": ", "\r\n", "\r\n  ", "\r  ", "- "]
ESCAPED = [
    "\\n",
    "\\x41",
    "\\u00e9",
    "\\\n  ",
    '\\"',
    "\\\\",
    "\\ ",
    "\\t",
    "\\/",
    "\\L",
    "\\_",
    "''",
    "\x85",
    "\u2028  ",
]
HEADS = ["|", ">", "|-", ">+", "|+", ">-", "|2", ">1-", "|1+", "| # c", ">2", "|3-"]
BODY = st.lists(st.sampled_from(PIECES + ESCAPED), max_size=14).map("".join)
BEFORE = st.sampled_from(["a: ", "  - ", "- x: ", "", "!!str ", "k: &a "])
SCALARS = st.one_of(
    st.tuples(BEFORE, BODY, st.sampled_from(["", "\n", "\n# x\n"])).map("".join),
    st.tuples(BEFORE, st.just('"'), BODY, st.sampled_from(['"', '" # c\n'])).map("".join),
    st.tuples(BEFORE, st.just("'"), BODY, st.just("'\n")).map("".join),
    st.tuples(
        BEFORE,
        st.sampled_from(HEADS),
        st.sampled_from(["\n ", "\n  ", "\n    ", "\n\n", "\r\n  "]),
        BODY,
        st.sampled_from(["", "\n", "\n\n", "\n \n", "\nb: 1\n"]),
    ).map("".join),
)


@given(SCALARS)
def test_the_map_decodes_what_the_parser_decodes_and_inverts(text: str) -> None:
    chunk = parse_chunk(text)
    assume(chunk.root is not None and not chunk.errors)
    assert chunk.root is not None
    for scalar in walk(chunk.root):
        if not isinstance(scalar, Scalar):
            continue
        mapped = source_map(text, scalar)
        assert mapped.exact
        assert mapped.decoded() == scalar.text
        previous = scalar.start
        for offset in range(len(scalar.text)):
            span = mapped.source_span(Span(offset, offset + 1))
            assert previous <= span.start < span.end <= max(scalar.end, span.end)
            assert mapped.to_value(span.start) == offset
            assert mapped.to_value(span.end - 1) == offset
            previous = span.end
        assert mapped.to_value(mapped.to_source(len(scalar.text))) == len(scalar.text)


@given(st.lists(st.sampled_from([*PIECES, *ESCAPED, '"', "'", "[", "}", "\x01"]), max_size=30).map("".join))
def test_damaged_scalars_have_a_map_too(text: str) -> None:
    root = parse_chunk("a: " + text).root
    for scalar in walk(root) if root is not None else ():
        if isinstance(scalar, Scalar):
            mapped = source_map("a: " + text, scalar)
            for offset in range(len(scalar.text) + 1):
                assert scalar.start <= mapped.to_source(offset) <= max(scalar.end, len(text) + 3)
