"""The upper levels of a document without parsing it."""

import pytest

from kro_ls.yaml_positions.outline import outline, split_documents
from kro_ls.yaml_positions.outline_values import OPAQUE, Item, OutlineValue

TEXT = """\
---
# a comment
kind: Thing  # said plainly
metadata:
  name: "quoted"
  annotations:
    note: |
      kind: not this
    long: some text
      that goes on
    other: {a: [b, "c: d"]}
spec:
  enabled: true
  size: 3
  names: [a, b]
  versions:
  - name: v1
    schema:
      description: 'a text with "quotes"
        over: two lines'
      type: object
    served: yes
  - plain
  empty:
  last: 1
"""


def plain(value: OutlineValue) -> object:
    if isinstance(value, dict):
        return {name: plain(child) for name, child in value.items()}
    if isinstance(value, list):
        return [plain(item.value) for item in value]
    return "?" if value is OPAQUE else value


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_what_stands_left_of_a_column(line_end: str) -> None:
    assert plain(outline(TEXT.replace("\n", line_end).encode(), 5)) == {
        "kind": "Thing",
        "metadata": {"name": "quoted", "annotations": {"note": "?", "long": "?", "other": "?"}},
        "spec": {
            "enabled": True,
            "size": "?",
            "names": "?",
            "versions": [{"name": "v1", "schema": "?", "served": "?"}, "plain"],
            "empty": None,
            "last": "?",
        },
    }


def test_what_stands_further_down_is_not_reported() -> None:
    assert plain(outline(TEXT.encode(), 1)) == {"kind": "Thing", "metadata": "?", "spec": "?"}


def test_an_expression_is_an_item() -> None:
    text = "a:\n- ${b}\n- ${c[0]}-d\nf: g\n"
    assert plain(outline(text.encode(), 9)) == {"a": ["?", "?"], "f": "g"}


def test_items_show_their_lines() -> None:
    text = "a:\n- b: c\n  d: e\n- f\ng: h\n"
    root = outline(text.encode(), 9)
    assert root is not None
    items = root["a"]
    assert isinstance(items, list)
    assert [text[item.start : item.end] for item in items] == ["- b: c\n  d: e\n", "- f\n"]
    assert isinstance(items[0], Item)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# only a comment\n",
        "- a list\n",
        "{a: b}\n",
        "a: &anchor b\n",
        "a: *alias\n",
        "a: !!str b\n",
        "a: b\na: c\n",
        "a:\tb\n",
        "a: b: c\n",
        "a: b\n  c: d\n",
        "a: [b,\n  c]\n",
        'a: "b\nc: d"\n',
        "a: 'b\nc: d'\n",
        "a: b\rc: d\n",
        "a: b\u2028c: d\n",
        "%YAML 1.1\n---\na: b\n",
        "a: b\n---\nc: d\n",
        "a: b\n...\n",
        "? a\n: b\n",
        "a:\n  b: c\n d: e\n",
        "a b: c\n",
        "a: |2\n    b\n",
        "a: - b\n",
        "a:\n    - b\n      - c: [\nd: e\n",
        "a:\n- b:\n    - [c\n- d\n- e]\nf: g\n",
        "a:\n- b:\n    - [c\n- d, ${e}]\nf: g\n",
        "a: b\n- c\n",
    ],
)
def test_texts_that_have_to_be_parsed(text: str) -> None:
    assert outline(text.encode(), 99) is None


@pytest.mark.parametrize(
    ("deep", "certain"),
    [
        ("type: object", True),
        ("pattern: '^[a-z]+$'", True),
        ('default: ""', True),
        ("default: ''", True),
        ('field: string | default=""', True),
        ('field: ${a.orValue("")}', True),
        ("a: 'b=''", False),
        ("note: don't", True),
        ('note: "a\n         b"', True),
        ("list: [a,\n         b]", True),
        ("list: [a]\n\n", True),
        ('note: "a', False),
        ("note: 'a", False),
        ('a: "b ""', False),
        ("list: [a,", False),
        ("map: {a:", False),
        ("map: &a {}", False),
    ],
)
def test_what_is_open_further_down_may_reach_further_up(deep: str, certain: bool) -> None:
    text = f"a:\n        {deep}\nb: c\n"
    assert (outline(text.encode(), 3) is not None) is certain


def test_documents_are_cut_where_they_begin() -> None:
    text = b"# first\n---\na: ---\n---\nb: 1\n"
    assert [*(split_documents(text) or ())] == [b"# first\n", b"---\na: ---\n", b"---\nb: 1\n"]
    assert split_documents(b"a: b\n...\nc: d\n") is None
    assert split_documents(b"%YAML 1.1\n---\na: b\n") is None
