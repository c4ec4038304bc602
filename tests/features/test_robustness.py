"""No feature raises, wherever the cursor is and however the text is cut."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kro_ls.cursor.cursor import Cursor
from kro_ls.features.actions.code_actions import code_actions
from kro_ls.features.actions.refactorings import refactorings
from kro_ls.features.actions.rename import RenameError, prepare_rename, rename
from kro_ls.features.completion.completion_list import completion
from kro_ls.features.convert import to_range
from kro_ls.features.diagnostics import diagnostics
from kro_ls.features.expression_formatting import format_closed, format_expressions
from kro_ls.features.hierarchy import prepare_calls
from kro_ls.features.hover.hover import hover
from kro_ls.features.navigation.definition import definition, type_definition
from kro_ls.features.navigation.document_links import document_links
from kro_ls.features.navigation.folding import folding_ranges
from kro_ls.features.navigation.reference_search import document_highlights, linked_editing_ranges, references
from kro_ls.features.navigation.selection_ranges import selection_range
from kro_ls.features.navigation.symbols import document_symbols
from kro_ls.features.semantic_tokens import semantic_tokens
from kro_ls.workspace.documents import Document
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.text import Text
from tests.fixtures.examples import FEW
from tests.paths import EXAMPLES

FILES = sorted(EXAMPLES.glob("*.yaml"))
ODD = ["\ufeff", "\0", "\x85", "\u2028", "\u2029", "\ud800", "\udc00", "\xa0", "\u200b", "\r", "\x0b", "\x1c", "\ufffe"]
TEXTS = [path.read_text(encoding="utf-8") for path in FILES]


def use_everything(text: str, *offsets: int) -> None:
    document = Document("file:///rgd.yaml", 1, Text(text))
    for whole in (diagnostics, document_symbols, folding_ranges, semantic_tokens, document_links, format_expressions):
        whole(document)
    for offset in offsets:
        use_cursor(document, offset)


def use_cursor(document: Document, offset: int) -> None:
    cursor = Cursor(document, offset)
    hover(cursor)
    completion(cursor, snippets=True)
    definition(cursor)
    references(cursor, include_declaration=True)
    document_highlights(cursor)
    type_definition(cursor)
    selection_range(cursor)
    linked_editing_ranges(cursor)
    prepare_calls(cursor)
    format_closed(cursor)
    code_actions(document, to_range(document, Span(offset, offset)))
    refactorings(document, to_range(document, Span(offset, offset)))
    prepare_rename(cursor)
    try:
        rename(cursor, "renamed")
    except RenameError:
        return


def test_there_are_examples() -> None:
    assert TEXTS


@pytest.mark.parametrize("text", TEXTS, ids=[path.name for path in FILES])
def test_everywhere_in_the_examples(text: str) -> None:
    use_everything(text, *range(0, len(text), 23))


@pytest.mark.parametrize("odd", ODD, ids=ascii)
@pytest.mark.parametrize("marker", ["---", "---\n", "...\n", "# ", "${", "a: "])
def test_beside_code_points_that_few_texts_have(marker: str, odd: str) -> None:
    for text in (f"{marker}{odd}", f"{odd}{marker}", f"a: 1\n{marker}{odd}\n"):
        use_everything(text, *range(len(text) + 1))


@FEW
@given(st.data())
def test_in_a_text_that_is_cut_or_changed(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(TEXTS))
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 40)))
    inserted = data.draw(
        st.sampled_from(["", "${", "}", '"', "'", ":", "- ", "\n", "\t", "{", "[", "#", "é", "\U0001f600", "|", *ODD])
    )
    changed = text[:start] + inserted + (text[end:] if data.draw(st.booleans()) else "")
    use_everything(changed, min(start + len(inserted), len(changed)))
