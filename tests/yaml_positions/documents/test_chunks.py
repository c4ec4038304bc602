import gc
import weakref

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kro_ls.yaml_positions.documents import chunks
from kro_ls.yaml_positions.documents.chunks import parse_chunk
from kro_ls.yaml_positions.documents.stream import parse_stream
from kro_ls.yaml_positions.errors import ExcessiveAliasingError, ParseFailure
from kro_ls.yaml_positions.nodes import (
    Alias,
    Mapping,
    NodeKind,
    Scalar,
    Sequence,
    kind_of,
    merged_entries,
    to_python,
    walk,
)
from kro_ls.yaml_positions.parsing import events
from kro_ls.yaml_positions.parsing.builder import MOST_REPEATED
from kro_ls.yaml_positions.text import Text
from tests.yaml_positions.dump import dump, outline


def tree(text: str) -> object:
    return outline(parse_chunk(text).root)


def mapping(text: str) -> Mapping:
    root = parse_chunk(text).root
    assert isinstance(root, Mapping)
    return root


def scalar(text: str, name: str) -> Scalar:
    node = mapping(text).get(name)
    assert isinstance(node, Scalar)
    return node


def marked(text: str) -> list[tuple[str, str]]:
    return [(text[error.start : error.end], error.code) for error in parse_chunk(text).errors]


def test_nodes_know_where_they_stand() -> None:
    text = "a: 'x'\nb: {c: [1]}\n😀: !!str 1\nd: |2\n    y\n\ne:\n"
    root = mapping(text)
    assert [text[entry.start : entry.end] for entry in root.entries] == [
        "a: 'x'",
        "b: {c: [1]}",
        "😀: !!str 1",
        "d: |2\n    y\n\n",
        "e:",
    ]
    node = root.get("😀")
    assert isinstance(node, Scalar)
    assert (text[node.start : node.end], node.value) == ("1", "1")


@pytest.mark.parametrize(("text", "place"), [("a:", 2), ("a: ", 3), ("a:\n", 2), ("a: # c\n", 3), ("a:  \n", 3)])
def test_a_missing_value_stands_where_it_would_be_typed(text: str, place: int) -> None:
    node = scalar(text, "a")
    assert (node.style, node.start, node.end, node.value) == ("missing", place, place, None)


def test_a_chunk_is_remembered_as_long_as_somebody_holds_it() -> None:
    first = parse_chunk("a: 1")
    assert parse_chunk("a: " + str(1)) is first
    gone = weakref.ref(first)
    del first
    assert gone() is None


def test_the_trees_of_the_last_broken_chunks_are_kept_without_results() -> None:
    text = "a: 1\n b: : 2\n"
    first = parse_chunk(text)
    tree, gone = first.root, weakref.ref(first)
    first.cells["result"] = 1
    del first
    assert gone() is None
    assert parse_chunk(text).root is tree
    assert not parse_chunk(text).cells
    for number in range(200):
        parse_chunk(f"a: {number}\n b: : 2\n")
    assert parse_chunk(text).root is not tree
    long = text + "c: 3\n" * 1000
    tree = parse_chunk(long).root
    assert parse_chunk(long).root is not tree


def test_each_chunk_of_a_text_is_parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[str] = []
    parse = chunks._parse

    def count(text: str) -> chunks.Chunk:
        parsed.append(text)
        return parse(text)

    monkeypatch.setattr(chunks, "_parse", count)
    stream = parse_stream(Text("a: 1\nb:\n  - c: 2\n  - d: 3\n"), (("b", "*"),))
    (document,) = stream.documents
    assert sorted(parsed) == sorted(each.chunk.text for each in (document.frame, *document.chunks))


def test_a_broken_text_leaves_no_garbage() -> None:
    parse_chunk("a: {1\n")
    gc.collect()
    gc.disable()
    try:
        parse_chunk("a: [1\nb: : c\n  d\n")
        assert not [each for each in gc.get_objects() if isinstance(each, ParseFailure)]
    finally:
        gc.enable()


@pytest.mark.parametrize(
    ("text", "expected", "errors"),
    [
        ("a: b: c\nd: 1\n", {"a": "!b: c", "d": "1"}, [(":", "syntax")]),
        ('a: ${x ? "a": "b"}\nd: 1\n', {"a": '!${x ? "a": "b"}', "d": "1"}, [(":", "syntax")]),
        ('a: "x\nb: 1\n', {"a": "!x", "b": "1"}, [('"x', "syntax")]),
        ('a: "x\nb: "y"\nc: 2\n', {"a": "!x", "b": "y", "c": "2"}, [('"x', "syntax")]),
        ("a: 'it''s\nb: 'x'\n", {"a": "!it's", "b": "x"}, [("'it''s", "syntax")]),
        ('a: "\\q" # c\nb: 1\n', {"a": "!\\q", "b": "1"}, [("\\q", "syntax")]),
        ('a: "x" y\nb: 1\n', {"a": '!"x" y', "b": "1"}, [("y", "syntax")]),
        ("a: {b: 1\nc: 2\n", {"a": {"b": "1"}, "c": "2"}, [("{", "syntax")]),
        ("a: [\nc: 2\n", {"a": [], "c": "2"}, [("[", "syntax")]),
        ('a: [\n  "x",\n  "y"\nb: 1\n', {"a": ["x", "y"], "b": "1"}, [("[", "syntax")]),
        ("a: {b: c: d}\ne: 1\n", {"a": "!{b: c: d}", "e": "1"}, [(":", "syntax")]),
        ("b: 1\nna\nc: 1\n", {"b": "1", "c": "1"}, [("na", "syntax")]),
        ("na\nb: 1\n", {"b": "1"}, [("na", "syntax")]),
        (
            "x: 1\nspec\n  a: 1\n  b: 2\ny: 1\n",
            {"x": "1", "spec": {"a": "1", "b": "2"}, "y": "1"},
            [("spec", "syntax")],
        ),
        ("a: 1\n b: 2\nc: 3\n", {"a": "1", "b": "2", "c": "3"}, [(":", "syntax")]),
        ("a: x\n  b: 1\n  c: 2\nd: 3\n", {"a": {"b": "1", "c": "2"}, "d": "3"}, [("x", "syntax")]),
        ("a:\n  x: 1\n y: 2\nz: 1\n", {"a": {"x": "1", "y": "2"}, "z": "1"}, [("y: 2", "indentation")]),
        ("- a: 1\n   b: 2\n- c: 3\n", [{"a": "1", "b": "2"}, {"c": "3"}], [(":", "syntax")]),
        ("a:\n\tb: 1\n\tc: 2\nd: 1\n", {"a": {"b": "1", "c": "2"}, "d": "1"}, [("\t", "tab-indentation")]),
        ("a: @x\nb: 1\n", {"a": "!@x", "b": "1"}, [("@x", "syntax")]),
        ("a: %x\nb: 1\n", {"a": "!%x", "b": "1"}, [("%x", "syntax")]),
        ("a: 1\n%\nb: 1\n", {"a": "1", "b": "1"}, [("%", "syntax")]),
        ("a: *\nb: 1\n", {"a": "!*", "b": "1"}, [("*", "syntax")]),
        ("a: - b\nc: 1\n", {"a": "!- b", "c": "1"}, [("- b", "syntax")]),
        ("a: |x\n  foo\nb: 1\n", {"a": "foo\n", "b": "1"}, [("x", "syntax")]),
        ("a: ${\nb: 1\n", {"a": "${", "b": "1"}, []),
        ("a: \x01\nb: 1\n", {"a": "\ufffd", "b": "1"}, [("\x01", "invalid-character")]),
        ("a: 1\na: 2\n", {"a": "2"}, [("a", "duplicate-key")]),
        ("a: *x\n", {"a": "*x"}, [("*x", "unknown-anchor")]),
        ("a: &x {b: *x}\n", {"a": {"b": "*x"}}, [("*x", "unknown-anchor")]),
        ("a: .nan\n", {"a": ".nan"}, [(".nan", "invalid-value")]),
        ("a: !!int x\n", {"a": "x"}, [("x", "invalid-value")]),
        ("~: 1\n", {"~": "1"}, [("~", "invalid-key")]),
        ("<<: 1\n", {"<<": "1"}, [("1", "invalid-value")]),
    ],
)
def test_damage_is_marked_and_the_rest_survives(text: str, expected: object, errors: list[tuple[str, str]]) -> None:
    assert tree(text) == expected
    assert marked(text) == errors


def test_a_template_of_another_tool_is_explained() -> None:
    (error,) = parse_chunk("a: {{ x }}\n").errors
    assert error.code == "invalid-key"
    assert "quote the value" in error.message


def test_repeated_keys_are_two_only_if_yaml_takes_them_for_one() -> None:
    assert marked('1: a\n"1": b\n') == []
    assert marked("yes: a\ntrue: b\n") == [("true", "duplicate-key")]
    (error,) = parse_chunk("a: 1\na: 2\n").errors
    assert error.related is not None
    assert (error.related.start, error.related.end) == (0, 1)
    assert scalar("a: 1\na: 2\n", "a").value == 2


def test_keys_are_found_as_kubernetes_names_them() -> None:
    root = mapping("yes: a\n0x10: b\n'off': c\n")
    assert list(root.index) == ["true", "16", "off"]
    assert root.entry("yes") is None


def test_aliases_and_merge_keys_follow_the_yaml_library() -> None:
    text = "base: &b {x: 1, w: 1}\nother: &o {w: 2, z: 2}\nafter:\n  <<: [*b, *o]\n  x: 3\nbefore:\n  x: 3\n  <<: *b\n"
    value = to_python(parse_chunk(text).root)
    assert isinstance(value, dict)
    assert value["after"] == {"x": 3, "w": 1, "z": 2}
    assert value["before"] == {"x": 1, "w": 1}
    after = mapping(text).get("after")
    assert isinstance(after, Mapping)
    assert sorted(entry.name or "" for entry in merged_entries(after)) == ["w", "x", "z"]
    assert len(after.entries) == 2


def test_an_alias_has_the_kind_of_its_target() -> None:
    root = mapping("a: &x [1]\nb: *x\nc: *y\n")
    alias = root.get("b")
    assert isinstance(alias, Alias)
    assert isinstance(alias.target, Sequence)
    assert kind_of(alias) is NodeKind.SEQUENCE
    assert kind_of(root) is NodeKind.MAPPING
    unknown = root.get("c")
    assert unknown is not None
    assert kind_of(unknown) is None


def test_alias_bombs_are_stopped() -> None:
    levels = [f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 9)}]\n" for n in range(1, 10)]
    chunk = parse_chunk("l0: &l0 [x, x, x, x]\n" + "".join(levels))
    assert [error.code for error in chunk.errors] == ["excessive-aliasing"]
    assert isinstance(chunk.root, Mapping)
    aliases = [node for node in walk(chunk.root) if isinstance(node, Alias)]
    assert len(aliases) == 9 * 9
    assert not any(alias.target for alias in aliases)
    assert chunk.cut is None
    document = parse_stream(Text(chunk.text)).documents[0]
    with pytest.raises(ExcessiveAliasingError):
        document.to_python()


def test_aliases_that_stand_for_too_much_have_no_target() -> None:
    anchors = "a: &a {" + ", ".join(f"k{n}: v" for n in range(99)) + "}\n"  # 199 nodes
    written = "more: [" + "x, " * 2000 + "]\n"  # so that the YAML library reads it
    text = anchors + written + "".join(f"b{n}: *a\n" for n in range(150))
    chunk = parse_chunk(text)
    assert chunk.errors == ()
    assert isinstance(chunk.root, Mapping)
    targets = [each.value.target for each in chunk.root.entries if isinstance(each.value, Alias)]
    followed = MOST_REPEATED // 199
    assert all(targets[:followed])
    assert not any(targets[followed:])
    assert chunk.cut
    assert text[chunk.cut.start :].startswith(f"*a\nb{followed + 1}:")


@pytest.mark.parametrize("opening", ["[", "{", "{a: ", "- ", "? "])
def test_too_deep_nesting_is_an_error(opening: str) -> None:
    chunk = parse_chunk(opening * 20_000)
    assert "too-deep" in [error.code for error in chunk.errors]
    assert chunk.root is not None


@pytest.mark.parametrize(
    "text", ["a: b: c\n", 'a: "\n', "@\n", "\ta: b\n", "%\n", "a: [\n", "a: {\n", "}\n", "\0", "- - a\n b\n", "! !\n"]
)
def test_much_damage_is_bounded(text: str) -> None:
    chunk = parse_chunk(text * 3000)
    assert chunk.errors


ALPHABET = st.sampled_from([*list("ab:- \n\t\"'{}[],#&*!|>%@`\\?~<0\r\x00�é😀\ufeff"), "  ", "\n  ", ": ", "- ", "${"])


@example('"\\')
@given(st.lists(ALPHABET, max_size=40).map("".join))
def test_any_text_gives_a_chunk_within_its_bounds(text: str) -> None:
    chunk = parse_chunk(text)
    for error in chunk.errors:
        assert 0 <= error.start <= error.end <= len(text)
        assert error.message
    dump(chunk.root)
    to_python(chunk.root)


def test_the_pure_python_parser_reads_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    text = 'a: !!str 1\nb: |\n  x\nc: &q [1, {k: v}]\nd: *q\ne: "y\\n"\nf:\n- >-\n  g\n  h\n'
    with_libyaml = outline(parse_chunk(text).root)
    monkeypatch.setattr(events, "_LIBYAML", None)
    assert outline(parse_chunk(text).root) == with_libyaml
    assert parse_chunk('a: "x\nb: 1\n').errors
    assert outline(parse_chunk("a: b: c\nd: 1\n").root) == {"a": "!b: c", "d": "1"}
