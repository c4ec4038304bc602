"""A chunk in entries says what the same text says in one, and an edit parses the entry that it touches."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kro_ls.yaml_positions.documents import chunks, entries
from kro_ls.yaml_positions.documents.chunks import Chunk, parse_chunk
from kro_ls.yaml_positions.documents.entries import CutChunk, parse_edited, parse_entries
from kro_ls.yaml_positions.nodes import Mapping, Node
from kro_ls.yaml_positions.positions import Span
from tests.yaml_positions.dump import dump

KEYS = ("spec", "status")

SCHEMA = """\
    apiVersion: v1alpha1
    kind: App # of ours
    spec: # what users say
      name: string | required=true
      # how many
      replicas: integer | default=2
      'quoted': "a: b # c"
      nested:
        inner: string

        list:
        - a
        - b
      text: |+
        some
          text

      flow: {a: [b,
        c], d: e}
      empty:
    group: example.com
    status:
      first: ${a.b}
      conditions:
      - ${c}
      - ${d}
      last: >-
        ${e}
        # f
"""


@pytest.fixture(autouse=True)
def _always_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entries, "SMALLEST_CUT", 0)


def moved(node: Node, distance: int) -> object:
    """Give everything a tree holds, with other offsets."""

    def move(value: object) -> object:
        if isinstance(value, tuple) and len(value) > 2 and isinstance(value[1], int) and isinstance(value[2], int):
            return (value[0], value[1] + distance, value[2] + distance, *map(move, value[3:]))
        if isinstance(value, list | tuple):
            return type(value)(map(move, value))
        return value

    return move(dump(node))


def check(chunk: Chunk) -> None:
    """Check that the entries of a chunk are those of its mappings, where they stand."""
    if not isinstance(chunk, CutChunk):
        return
    whole = chunk.whole
    assert not whole.is_flawed
    root = whole.root
    assert isinstance(root, Mapping)
    for key in KEYS:
        mapping = root.get(key)
        run = next((each for each in chunk.runs if each.path == (key,)), None)
        if run is None:
            continue
        assert isinstance(mapping, Mapping)
        assert len(mapping.entries) == 1 + len(run.chunks)
        for number, written in enumerate(mapping.entries[1:]):
            root_of_entry = run.chunks[number].root
            assert isinstance(root_of_entry, Mapping)
            (entry,) = root_of_entry.entries
            assert entries.entry_names([run.chunks[number]]) == [written.name]
            start = run.start_of(number)
            assert [moved(entry.key, start), moved(entry.value, start)] == [dump(written.key), dump(written.value)]
    frame = chunk.frame
    assert isinstance(frame.chunk.root, Mapping)
    places = [frame.to_document(each.key.start) for each in frame.chunk.root.entries]
    assert places == [each.key.start for each in root.entries]


def parts(chunk: Chunk) -> object:
    """Give what a chunk is cut into."""
    if not isinstance(chunk, CutChunk):
        return chunk.text
    return chunk.frame.pieces, [(run.path, run.start, [each.text for each in run.chunks]) for run in chunk.runs]


def test_entries_are_chunks() -> None:
    chunk = parse_entries(SCHEMA, KEYS)
    assert isinstance(chunk, CutChunk)
    check(chunk)
    assert [len(run.chunks) for run in chunk.runs] == [6, 2]
    assert parse_entries(SCHEMA, KEYS) is chunk
    crlf = parse_entries(SCHEMA.replace("\n", "\r\n"), KEYS)
    assert isinstance(crlf, CutChunk)
    check(crlf)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("name: string", "name: &a string", id="anchor"),
        pytest.param("inner: string", "inner: *a", id="alias"),
        pytest.param("replicas:", "name:", id="key twice"),
        pytest.param("replicas:", "'name':", id="key twice, quoted"),
        pytest.param("replicas:", "? replicas\n      :", id="complex key"),
        pytest.param("replicas:", "<<: {a: b}\n      replicas:", id="merge key"),
        pytest.param("replicas:", "replicas", id="no key"),
        pytest.param("      empty:", "     empty:", id="less deep"),
        pytest.param("      empty:", "\tempty:", id="tab"),
        pytest.param("'quoted'", "'quoted", id="open quote"),
        pytest.param("flow: {", "flow: {{", id="open bracket"),
        pytest.param("string | required=true\n      # how many", "|\n        a", id="block scalar first"),
        pytest.param("    group:", "    spec:\n      a: b\n      c: d\n    group:", id="mapping twice"),
        pytest.param("    group:", "    'spec':\n      a: b\n    group:", id="mapping twice, quoted"),
        pytest.param(
            "    kind: App", '    kind: "App\n    spec:\n      a: b\n      c: d"\n    more: a', id="in a text"
        ),
        pytest.param("    group: example.com", "    'group", id="damage elsewhere"),
        pytest.param("some\n", "some\x85\n", id="rare line break"),
    ],
)
def test_where_an_entry_cannot_stand_alone_its_mapping_is_whole(old: str, new: str) -> None:
    assert SCHEMA.count(old) == 1
    text = SCHEMA.replace(old, new)
    chunk = parse_entries(text, KEYS)
    check(chunk)
    assert isinstance(chunk, CutChunk) or chunk is parse_chunk(text)
    assert not isinstance(chunk, CutChunk) or chunk.keys == {"status"}


EDITS = st.lists(
    st.tuples(
        st.integers(0, 10_000),
        st.booleans(),
        st.integers(0, 6),
        st.sampled_from(
            [
                *(
                    "",
                    "",
                    "x",
                    "\n",
                    "  ",
                    "      new: a\n",
                    "      'new': {a: b}\n",
                    "        deep: a\n",
                    "      # b\n",
                    " # c",
                ),
                *(
                    " # c",
                    '"',
                    "'",
                    "- ",
                    ": ",
                    "#",
                    "{",
                    "]",
                    "|",
                    "&a ",
                    "*a",
                    "\t",
                    "\r",
                    "    spec:\n",
                    "      - a\n",
                ),
            ]
        ),
    ),
    min_size=1,
    max_size=8,
)


@given(st.sampled_from([SCHEMA, SCHEMA.replace("\n", "\r\n"), SCHEMA.replace("      ", "         ")]), EDITS)
def test_an_edited_chunk_is_cut_as_a_fresh_one(source: str, edits: list[tuple[int, bool, int, str]]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(entries, "SMALLEST_CUT", 0)
        text, chunk = source, parse_entries(source, KEYS)
        for place, at_line_start, length, new in edits:
            start = place % (len(text) + 1)
            if at_line_start:
                start = text.rfind("\n", 0, start) + 1
            end = min(start + length, len(text))
            text = text[:start] + new + text[end:]
            chunk = parse_edited(chunk, text, KEYS, Span(start, end), len(new) - (end - start))
            check(chunk)
            held = entries._living.pop((text, KEYS), None)
            assert parts(chunk) == parts(parse_entries(text, KEYS))
            del held


@pytest.mark.parametrize(
    ("old", "new", "most"),
    [
        pytest.param("default=2", "default=3", ["replicas"], id="entry"),
        pytest.param("default=2\n", "default=2 # a\n", ["replicas"], id="comment"),
        pytest.param("      empty:\n", "      more: a\n      empty:\n", ["flow", "more"], id="new entry"),
        pytest.param("required=true", "required=false", ["apiVersion"], id="first entry"),
        pytest.param("kind: App", "kind: Other", ["apiVersion"], id="elsewhere"),
    ],
)
def test_an_edit_parses_what_it_touches(monkeypatch: pytest.MonkeyPatch, old: str, new: str, most: list[str]) -> None:
    before = parse_entries(SCHEMA, KEYS)
    parsed: list[str] = []
    parse = chunks._parse

    def count(source: str) -> Chunk:
        parsed.append(source)
        return parse(source)

    monkeypatch.setattr(chunks, "_parse", count)
    start = SCHEMA.index(old)
    text = SCHEMA.replace(old, new)
    after = parse_edited(before, text, KEYS, Span(start, start + len(old)), len(new) - len(old))
    assert isinstance(after, CutChunk)
    assert isinstance(before, CutChunk)
    assert len(parsed) <= len(most)
    assert all(any(name in text for name in most) for text in parsed)
    known = {id(chunk) for run in before.runs for chunk in run.chunks}
    assert sum(id(chunk) not in known for run in after.runs for chunk in run.chunks) <= len(most)
