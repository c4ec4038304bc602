from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kro_ls.yaml_positions import text as text_module
from kro_ls.yaml_positions.documents import chunks
from kro_ls.yaml_positions.documents.chunks import Chunk
from kro_ls.yaml_positions.documents.cutting import Cuts
from kro_ls.yaml_positions.documents.document import YamlDocument
from kro_ls.yaml_positions.documents.stream import YamlStream, parse_stream, reparse
from kro_ls.yaml_positions.errors import ParseFailure, YamlErrorCode
from kro_ls.yaml_positions.nodes import Mapping, Scalar, Sequence
from kro_ls.yaml_positions.parsing.events import events
from kro_ls.yaml_positions.positions import Path
from kro_ls.yaml_positions.text import Change, Text
from tests.yaml_positions.dump import CUTS, dump_stream

RGD = """# top
apiVersion: kro.run/v1alpha1
metadata:
  name: app
spec:
  schema:
    kind: App
    spec:
      image: string | default="nginx:latest"

  resources:
    # the first
    - id: deployment
      readyWhen:
        - ${deployment.status.replicas == 1}
      template:
        metadata:
          name: "${schema.spec.name}"
          labels: {app: x, "b": 'y'}
    - id: config

      template:
        data:
          text: |
            - id: no
            # not a comment
            end
    - id: service
      template:
        metadata:
          name: s # comment
        spec:
          selector: "x
            y"
"""
FLAT = "spec:\n  resources:\n  - id: a\n    n: 1\n  - id: b\n  other: 1\n"


def document(text: str) -> YamlDocument:
    (only,) = parse_stream(Text(text), CUTS).documents
    return only


def names(found: YamlDocument) -> list[str | None]:
    ids = [found.child((*item.path, "id")) for item in found.children(("spec", "resources"))]
    return [item.node.text if item is not None and isinstance(item.node, Scalar) else None for item in ids]


def is_valid(text: str) -> bool:
    try:
        return bool(list(events(text)))
    except ParseFailure:
        return False


def check(text: str) -> YamlStream:
    """Check what must hold for any text: no false and no missing error, and the value of the whole."""
    parts, whole = parse_stream(Text(text), CUTS), parse_stream(Text(text))
    grave = {YamlErrorCode.SYNTAX, YamlErrorCode.INDENTATION, YamlErrorCode.TAB_INDENTATION}
    if is_valid(text):
        assert not [error for error in parts.errors if error.code in grave]
        assert [part.to_python() for part in parts.documents] == [part.to_python() for part in whole.documents]
    else:
        assert parts.errors
    assert all(0 <= error.start <= error.end <= len(text) for error in parts.errors)
    return parts


def test_an_rgd_is_cut_into_schema_resources_and_frame() -> None:
    found = document(RGD)
    assert [placed.path for placed in found.chunks] == [
        ("spec", "schema"),
        *(("spec", "resources", number) for number in range(3)),
    ]
    assert "resources:" in found.frame.chunk.text
    assert "deployment" not in found.frame.chunk.text
    assert found.errors == ()
    assert names(found) == ["deployment", "config", "service"]


@pytest.mark.parametrize("text", [FLAT, FLAT.replace("\n", "\r\n"), "---\n" + FLAT, FLAT.replace("  - ", "   - ")])
def test_dashes_may_stand_under_their_key(text: str) -> None:
    found = document(text)
    if "   - " not in text:
        assert len(found.chunks) == 2
    assert check(text).errors == () or "   - " in text
    assert names(found) == ["a", "b"]


def test_every_node_is_found_in_the_text() -> None:
    found = document(RGD)
    for path, text in [
        (("apiVersion",), "kro.run/v1alpha1"),
        (("spec", "schema", "kind"), "App"),
        (("spec", "resources", 2, "template", "metadata", "name"), "s"),
        (("spec", "resources", 0, "template", "metadata", "labels", "b"), "'y'"),
    ]:
        located = found.child(path)
        assert located is not None
        assert RGD[located.span.start : located.span.end] == text
        assert located.path == path
        assert located.key_span is not None
        assert RGD[located.key_span.start : located.key_span.end].strip('"') == path[-1]


def test_children_are_the_same_whether_cut_out_or_not() -> None:
    for cuts in (CUTS, ()):
        (found,) = parse_stream(Text(RGD), cuts).documents
        assert [child.path for child in found.children(("spec",))] == [("spec", "schema"), ("spec", "resources")]
        assert len(found.children(("spec", "resources"))) == 3
        assert found.children(("spec", "schema", "kind")) == ()
        assert found.child(("spec", "nothing")) is None
        resources = found.child(("spec", "resources"))
        assert resources is not None
        assert isinstance(resources.node, Sequence)
        assert len(resources.node.items) == 3
        schema = found.child(("spec", "schema"))
        assert schema is not None
        assert isinstance(schema.node, Mapping)
        assert schema.key_span is not None
        assert RGD[schema.key_span.start : schema.key_span.end] == "schema"
        assert found.to_python() == parse_stream(Text(RGD)).documents[0].to_python()


@pytest.mark.parametrize(
    "text",
    [
        RGD.replace("name: app", "name: &n app").replace("name: s", "name: *n"),
        "{spec: {schema: {},\nresources: [\n{id: a}]}}\n",
        '{\n"spec":\n {\n "schema":\n  {\n"kind": 1}}}\n',
        "spec:\n  resources:\n  - id: 'a\n\n  - id: b'\n",
        "spec:\n  resources:\n  - id: a\n    x: {\n  b: 1,\nc: 2}\n  - id: b\n",
        "spec:\n  schema:\n    kind: a\nspec: {}\n",
        "spec:\n  schema: &s\n    kind: a\n",
        "spec:\n  resources:\n  - a: 'm\nspec:\nn'\n    schema:\n      k: v\n  - b: 1\n",
        "spec:\n  schema: # c\n...\n",
        "spec:\x85  schema:\n    kind: a\n",
        "spec:\r  schema:\r    kind: a\r",
        "spec:\n  schema:\n    kind: a\n  schema: 1\n",
        "spec:\n  schema:\n    kind: a\n\u00a0   spec:\n      b: c\n",
        "spec:\n  resources:\n  - id: a\n  \u3000b: c\n",
    ],
)
def test_what_cannot_be_cut_safely_is_parsed_whole(text: str) -> None:
    check(text)


def test_documents_end_at_their_markers() -> None:
    text = "%YAML 1.1\n---\na: 1\n...\n# c\n---\nb: |\n  ---x\n--- # d\nc: 1\n"
    found = parse_stream(Text(text), CUTS)
    assert [part.to_python() for part in found.documents] == [{"a": 1}, {"b": "---x\n"}, {"c": 1}]
    assert found.errors == ()
    assert "".join(text[part.start : part.end] for part in found.documents) == text
    assert found.document_at(text.index("b:")) is found.documents[1]


@pytest.mark.parametrize(
    ("text", "count"),
    [("", 1), ("# x\n", 1), ("---\n---\n", 2), ("\ufeffa: 1\n", 1), ("a: 1\n...\n", 1), ("---\n\ufeff", 1)],
)
def test_empty_documents(text: str, count: int) -> None:
    assert len(parse_stream(Text(text), CUTS).documents) == count


def test_a_byte_order_mark_moves_offsets_but_not_columns() -> None:
    text = "\ufeffa: 1\nb: 2\n"
    located = document(text).child(("b",))
    assert located is not None
    assert text[located.span.start : located.span.end] == "2"
    assert document(text).errors == ()


def comments(text: str, cuts: Cuts = ()) -> list[str]:
    return [text[span.start : span.end] for span in sorted(parse_stream(Text(text), cuts).comments())]


def test_comments_are_not_looked_for_in_values() -> None:
    assert comments(RGD) == comments(RGD, CUTS) == ["# top", "# the first", "# comment"]
    assert comments("a: '#' # b\nc: |+ # d\n  # e\n# f\ng: x#y # h\n\n#i") == ["# b", "# d", "# f", "# h", "#i"]


def test_a_comment_behind_a_value_with_a_hash_is_found() -> None:
    assert comments("a: 'x #y'  # real\nb: \"#\" # other\n") == ["# real", "# other"]


def test_a_key_repeated_across_chunks_is_marked_once() -> None:
    text = "spec:\n  schema:\n    kind: a\n  schema:\n    kind: b\n"
    (error,) = document(text).errors
    assert error.code is YamlErrorCode.DUPLICATE_KEY
    assert error.start == text.rindex("schema")
    assert error.related is not None
    assert error.related.start == text.index("schema")
    located = document(text).child(("spec", "schema", "kind"))
    assert located is not None
    assert isinstance(located.node, Scalar)
    assert located.node.text == "b"


def test_an_edit_leaves_the_other_chunks_as_they_are() -> None:
    before, after = document(RGD), document(RGD.replace("id: config", "id: configs"))
    same = [old.chunk is new.chunk for old, new in zip(before.chunks, after.chunks, strict=True)]
    assert same == [True, True, False, True]
    assert before.frame.chunk is after.frame.chunk


@pytest.mark.parametrize(
    ("marked", "path", "in_key"),
    [
        ("a$0: 1\n", ("a",), True),
        ("a: $0\n", ("a",), False),
        ("a:\n  b: 1\n  $0\n", ("a",), False),
        ("a:\n  b: 1\n$0", (), False),
        ("a:\n  - x\n  - $0\n", ("a", 1), False),
        ("a:\n  - b: 1\n    $0\n", ("a", 0), False),
        ("a: {b$0: 1, c: 2}\n", ("a", "b"), True),
        ("a: {b: 1, $0}\n", ("a",), False),
        ("a: [1, $0]\n", ("a",), False),
        (RGD.replace("kind: App", "kind: App$0"), ("spec", "schema", "kind"), False),
        (RGD.replace("schema:\n", "sch$0ema:\n"), ("spec", "schema"), True),
        (RGD.replace("\n\n  resources:", "\n  $0\n  resources:"), ("spec",), False),
        (RGD.replace("\n\n  resources:", "\n    $0\n  resources:"), ("spec", "schema"), False),
        (RGD.replace("id: config\n\n", "id: config\n      $0\n"), ("spec", "resources", 1), False),
        (RGD.replace("id: service", 'id: "serv$0'), ("spec", "resources", 2, "id"), False),
        (RGD + "    - $0\n", ("spec", "resources", 3), False),
        (RGD + "    $0", ("spec", "resources"), False),
        (RGD + "$0", (), False),
    ],
)
def test_the_path_at_a_cursor(marked: str, path: Path, in_key: bool) -> None:
    offset = marked.index("$0")
    found = document(marked.replace("$0", "", 1)).path_at(offset)
    assert found is not None
    assert (found[0], found[2]) == (path, in_key)


def test_an_empty_document_has_no_path() -> None:
    assert document("# nothing\n").path_at(3) is None
    assert document("").root is None


@pytest.mark.parametrize("stray", ["x", '"', "'", "{", "[", "&", "*", "%", "@", "\t", "- ", ": ", "#", "!"])
@pytest.mark.parametrize("column", [0, 2, 4, 6, 9])
def test_a_stray_character_in_a_resource_leaves_the_others(stray: str, column: int) -> None:
    place = RGD.index("      template:\n        data") + column
    text = RGD[:place] + stray + RGD[place:]
    found = names(check(text).documents[0])
    assert found[0] == "deployment"
    assert found[-1] == "service"


@pytest.mark.parametrize("place", range(len(RGD)))
def test_any_prefix_and_any_deletion_reads(place: int) -> None:
    check(RGD[:place])
    check(RGD[:place] + RGD[place + 1 :])


@given(place=st.integers(0, len(RGD)), stretch=st.integers(1, 80), stray=st.sampled_from(["", "\x00", "\n- ", "\r\n"]))
def test_searching_in_stretches_finds_the_same(place: int, stretch: int, stray: str) -> None:
    text = Text(RGD[:place] + stray + RGD[place:])
    whole = dump_stream(parse_stream(text, CUTS))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chunks, "_living", {})
        patch.setattr(text_module, "STRETCH", stretch)
        assert dump_stream(parse_stream(text, CUTS)) == whole


def test_a_key_that_is_being_typed_does_not_lose_the_resources() -> None:
    for old, new in [
        ("resources:", "resources"),
        ("spec:\n  schema", "spec\n  schema"),
        ("  resources:", "  resour\n  resources:"),
        ("metadata:", "meta"),
        ("    - id: deployment", "      id: deployment"),
        ("    - id: deployment", "   - id: deployment"),
        ("name: app", 'name: "app'),
        ("name: app", "name: {"),
        ("spec:\n  schema", '"spec:\n  schema'),
    ]:
        text = RGD.replace(old, new, 1)
        assert text != RGD
        found = names(check(text).documents[0])
        assert found[-2:] == ["config", "service"], new


EDITS = st.lists(
    st.tuples(
        st.integers(0, 10_000),
        st.integers(0, 12),
        st.sampled_from(
            ["", "x", '"', "'", "\n", "  ", "- ", "a: ", "#", "{", "]", "|", "&a ", "*a", "\t", "---\n", "${", "\r"]
        ),
    ),
    min_size=1,
    max_size=6,
)


def edited_texts(source: str, edits: list[tuple[int, int, str]]) -> Iterator[tuple[Text, Change]]:
    """Yield the text after each edit, and what the edit changed."""
    text = Text(source)
    for place, length, new in edits:
        start = place % (len(text.content) + 1)
        end = min(start + length, len(text.content))
        text = text.replace(start, end, new)
        yield text, Change(start, end, len(new))


@example(RGD, [(75, 9, ""), (83, 5, "\n")])
@example(RGD, [(RGD.index("he first"), 2, "\n            end\n    - ")])
@example(RGD, [(RGD.index("- id: config"), 0, "  ")])
@example(RGD, [(RGD.index("  # the first"), 0, "|")])
@example(RGD, [(RGD.index("  # the first"), 0, "&a ")])
@example(RGD, [(RGD.index("  # the first"), 0, "!!seq ")])
@given(st.sampled_from([RGD, RGD.replace("\n", "\r\n"), RGD + "---\n" + RGD]), EDITS)
def test_an_edited_text_reads_as_one_that_is_opened_fresh(source: str, edits: list[tuple[int, int, str]]) -> None:
    edited = parse_stream(Text(source), CUTS)
    for text, change in edited_texts(source, edits):
        edited = reparse(edited, text, change, CUTS)
        check(text.content)
        for found in edited.documents:
            found.path_at(change.start)
        fresh = parse_stream(Text(text.content), CUTS)
        assert (dump_stream(fresh), list(fresh.comments())) == (dump_stream(edited), list(edited.comments()))
        assert fresh.is_plain == edited.is_plain


@given(EDITS)
def test_edits_in_a_row_are_one_change(edits: list[tuple[int, int, str]]) -> None:
    merged = Change(0, 0, 0)
    for number, (text, change) in enumerate(edited_texts(RGD, edits)):
        merged = merged.then(change.start, change.end, change.length) if number else change
        rest = RGD[merged.end :]
        assert text.content == RGD[: merged.start] + text.content[merged.start :][: merged.length] + rest


def test_an_edit_parses_only_what_it_touches(monkeypatch: pytest.MonkeyPatch) -> None:
    text = Text(RGD)
    before = parse_stream(text, CUTS)
    parsed: list[str] = []
    parse = chunks._parse

    def count(source: str) -> Chunk:
        parsed.append(source)
        return parse(source)

    monkeypatch.setattr(chunks, "_parse", count)
    for place, new, most in [
        (RGD.index("- id: service") + 6, "x", 1),
        (RGD.index("string |"), "x", 1),
        (RGD.index("    - id: service"), "    - id: a\n    - id: b\n", 2),
    ]:
        parsed.clear()
        after = reparse(before, text.replace(place, place, new), Change(place, place, len(new)), CUTS)
        assert len(parsed) == most, parsed
        known = {id(run_chunk) for run in before.documents[0].runs for run_chunk in run.chunks}
        assert sum(id(chunk) not in known for run in after.documents[0].runs for chunk in run.chunks) == most


@pytest.mark.parametrize("value", ['"\ud800', "'\udfff", "[\ud83d", '"\ud800\n  x: "'])
def test_half_a_character_where_the_end_of_a_value_is_looked_for(value: str) -> None:
    stream = parse_stream(
        Text(f'spec:\n  schema:\n    a: {value}\n  resources:\n    - id: a\n      b: "c\n    - id: d\n'), CUTS
    )
    assert YamlErrorCode.INVALID_CHARACTER in {error.code for error in stream.errors}


@pytest.mark.parametrize(
    ("text", "starts"),
    [
        ('{"a": 1}\n{"b": 2}', ['{"a": 1}\n', '{"b": 2}']),
        (' {"a": 1}{"b": 2} {', ['{"a": 1}', '{"b": 2} ', "{"]),
        ('---\n{"a": 1}x\n---\nb: 2\n', ['---\n{"a": 1}', "x\n", "---\nb: 2\n"]),
        ('\t\n{"a": 1}\n', ['{"a": 1}\n']),
        ('{"a": 1}\n---\n{"b": 2}', ['{"a": 1}\n', '---\n{"b": 2}']),
        ("a: 1\n---#x\nb: 2\n", ["a: 1\n", "b: 2\n"]),
        ("a: 1\n---\n\ufeffb: 2\n", ["a: 1\n", "b: 2\n"]),
    ],
)
def test_where_documents_begin(text: str, starts: list[str]) -> None:
    assert [text[each.start : each.end] for each in parse_stream(Text(text)).documents] == starts


ODD_PIECES = [
    *("---", "...", "\n", "\r", "#", "a", ": ", "- ", "{}", "%", "\t", '"', "|", "${"),
    *("\ufeff", "\0", "\x85", "\u2028", "\u2029", "\ud800", "\xa0", "\ufffe"),
]


@example("---\n\ufeff")
@example("a: 1\n---#\n\ufeff\n")
@example("...\r---")
@given(st.lists(st.sampled_from(ODD_PIECES), max_size=10).map("".join))
def test_every_offset_is_in_one_document(content: str) -> None:
    stream = parse_stream(Text(content), CUTS)
    for offset in range(len(content) + 1):
        stream.document_at(offset).path_at(offset)
    assert all(each.start <= each.end <= len(content) for each in stream.documents)
    assert all(each.end <= later.start for each, later in pairwise(stream.documents))


@pytest.mark.parametrize("blanks", ["\t", "\t  ", "  \t"])
def test_lines_that_tabs_indent_alike_stay_beside_each_other(blanks: str) -> None:
    count = 300
    text = "".join(f"{blanks}- id: a{number}\n" for number in range(count))
    (document,) = parse_stream(Text(f"items:\n{text}")).documents
    assert len(document.errors) == 1
    assert document.to_python() == {"items": [{"id": f"a{number}"} for number in range(count)]}


@given(st.lists(st.sampled_from(["a", "\r", "\n", "---", "...", "#", " ", "\ufeff"]), max_size=14).map("".join))
def test_documents_are_the_same_where_the_text_is_searched_in_stretches(content: str) -> None:
    def found() -> list[tuple[int, int]]:
        return [(each.start, each.end) for each in parse_stream(Text(content)).documents]

    whole = found()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text_module, "STRETCH", 3)
        assert found() == whole
