"""Semantic tokens: what the words are, and that an edit sends what changed."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types

from kro_ls.features.semantic_tokens import changes, semantic_tokens
from kro_ls.features.tokens import Modifier, TokenType
from kro_ls.workspace.documents import Document, Edit
from kro_ls.yaml_positions.text import Text
from tests.fixtures.definitions import rgd
from tests.fixtures.language import fixture
from tests.paths import EXAMPLES

SOURCE = rgd(
    """
- id: web
  forEach:
    - region: ${schema.spec.regions}
  template:
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: "é-${region + string(1)}"}
    data:
      a: ${schema.spec.regions.map(r, r.size() > 2 ? 'x' : "y").join(',')}
""",
    spec='{regions: "[]Name | default=[] minItems=1"}',
    status="all: ${web.map(w, w.metadata.name)}",
)


def words(document: Document, data: list[int]) -> list[tuple[str, TokenType, Modifier]]:
    """Return the words that the numbers are about."""
    lines = document.text.content.split("\n")
    found, line, column = [], 0, 0
    for number in range(0, len(data), 5):
        down, right, length, kind, modifiers = data[number : number + 5]
        line, column = line + down, right if down else column + right
        found.append((lines[line][column : column + length], TokenType(kind), Modifier(modifiers)))
    return found


def test_an_expression_that_nobody_can_read_has_no_tokens() -> None:
    def tokens(values: int) -> int:
        document = fixture(rgd("", status=f"all: ${{[{', '.join(['1'] * values)}]}}")).document
        return [kind for _, kind, _ in words(document, semantic_tokens(document))].count(TokenType.NUMBER)

    assert tokens(100) == 100
    assert tokens(10_000) == 0


def test_words_have_their_meaning() -> None:
    document = fixture(SOURCE).document
    found = words(document, semantic_tokens(document))
    for wanted in (
        ("App", TokenType.CLASS, Modifier.DECLARATION),
        ("regions", TokenType.PROPERTY, Modifier.DECLARATION),
        ("Name", TokenType.TYPE, Modifier.NONE),
        ("minItems", TokenType.DECORATOR, Modifier.NONE),
        ("1", TokenType.NUMBER, Modifier.NONE),
        ("all", TokenType.PROPERTY, Modifier.DECLARATION),
        ("web", TokenType.VARIABLE, Modifier.DECLARATION),
        ("web", TokenType.VARIABLE, Modifier.NONE),
        ("region", TokenType.PARAMETER, Modifier.DECLARATION),
        ("region", TokenType.PARAMETER, Modifier.NONE),
        ("schema", TokenType.VARIABLE, Modifier.DEFAULT_LIBRARY),
        ("map", TokenType.MACRO, Modifier.DEFAULT_LIBRARY),
        ("r", TokenType.PARAMETER, Modifier.DECLARATION),
        ("size", TokenType.METHOD, Modifier.DEFAULT_LIBRARY),
        ("string", TokenType.FUNCTION, Modifier.DEFAULT_LIBRARY),
        (">", TokenType.OPERATOR, Modifier.NONE),
        ("'x'", TokenType.STRING, Modifier.NONE),
    ):
        assert wanted in found, wanted
    assert not any(word.startswith("é") for word, _, _ in found)


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.yaml")), ids=lambda path: path.name)
def test_an_edited_document_has_the_tokens_of_a_fresh_one(path: Path) -> None:
    before = Document("file:///rgd.yaml", 1, Text(path.read_text(encoding="utf-8")))
    known = semantic_tokens(before)
    line = before.text.content[: before.text.content.index("  resources:")].count("\n")
    after = before.edited(2, (Edit("    # a line\n", (line + 1, 0), (line + 1, 0)),))
    data = semantic_tokens(after)
    assert data == semantic_tokens(Document(after.uri, 1, Text(after.text.content)))
    for edit in changes(known, data):
        known[edit.start : edit.start + edit.delete_count] = edit.data or []
    assert known == data
    assert changes(data, data) == []


def test_a_range_has_the_tokens_of_the_parts_that_touch_it() -> None:
    document = fixture(SOURCE).document
    whole = semantic_tokens(document)
    lines = document.text.content.count("\n")
    everything = types.Range(types.Position(0, 0), types.Position(lines, 0))
    assert semantic_tokens(document, everything) == whole
    last = types.Range(types.Position(lines - 1, 0), types.Position(lines - 1, 1))
    assert (
        words(document, semantic_tokens(document, last))
        == words(document, whole)[-30:][-len(semantic_tokens(document, last)) // 5 :]
    )


@pytest.mark.parametrize("flow", ['{id: a, template: {data: {b: "${schema.spec.x}"}}}', "{id: b}"])
def test_resources_that_share_a_line_have_tokens(flow: str) -> None:
    text = SOURCE[: SOURCE.index("  resources:")] + f"  resources: [{flow}, {{id: z}}]\n"
    document = fixture(text).document
    found = words(document, semantic_tokens(document))
    assert ("z", TokenType.VARIABLE, Modifier.DECLARATION) in found
