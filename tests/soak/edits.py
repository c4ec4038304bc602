"""Edits of documents: after each, the document has the same results as the same text opened fresh."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from msgspec.structs import replace

from kro_ls.cursor.cursor import Cursor
from kro_ls.features.actions.code_actions import code_actions
from kro_ls.features.actions.refactorings import refactorings
from kro_ls.features.actions.rename import RenameError, prepare_rename, rename
from kro_ls.features.completion.completion_list import completion, resolve
from kro_ls.features.convert import to_range
from kro_ls.features.diagnostics import diagnostics
from kro_ls.features.expression_formatting import format_closed, format_expressions
from kro_ls.features.hierarchy import prepare_calls
from kro_ls.features.hints.code_lenses import code_lenses
from kro_ls.features.hints.inlay_hints import inlay_hints
from kro_ls.features.hints.signature_help import signature_help
from kro_ls.features.hover.hover import hover
from kro_ls.features.lsp_types import CompletionItem
from kro_ls.features.navigation.definition import definition, type_definition
from kro_ls.features.navigation.document_links import document_links
from kro_ls.features.navigation.folding import folding_ranges
from kro_ls.features.navigation.reference_search import document_highlights, linked_editing_ranges, references
from kro_ls.features.navigation.selection_ranges import selection_range
from kro_ls.features.navigation.symbols import document_symbols
from kro_ls.features.semantic_tokens import semantic_tokens
from kro_ls.features.settings import InlayHintSettings
from kro_ls.kro.schema_index import schema_index
from kro_ls.kro.versions.version import VERSIONS
from kro_ls.openapi.sources.bundled import kubernetes
from kro_ls.openapi.sources.crds.source import CrdSource
from kro_ls.rules.settings import Settings
from kro_ls.workspace.documents import Document, Edit
from kro_ls.yaml_positions.positions import PositionEncoding, Span
from kro_ls.yaml_positions.text import Text
from tests.analysis.test_incremental import nothing_known, outcome
from tests.fixtures.features import as_read
from tests.soak.damage import an_edit
from tests.soak.subject import Subject, next_input
from tests.soak.texts import CRD, OTHER_CRD, a_definition
from tests.yaml_positions.dump import dump_stream

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from random import Random

    from kro_ls.analysis.facts import Facts
    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.openapi.json_values import JsonObject

_ENCODINGS = tuple(PositionEncoding)
_CRDS = ((), (CRD,), (OTHER_CRD,))


def _make_edits(random: Random) -> str:
    """Return a text and a series of changes: edits, mostly one at a time, and now and then other kinds and settings."""
    text = content = a_definition(random)
    steps: list[dict[str, Any]] = []
    for _ in range(random.randint(1, 14)):
        edits = []
        for _ in range(1 if random.random() < 0.9 else 3):
            start, end, new = an_edit(random, content)
            edits.append((start, end, new))
            content = content[:start] + new + content[end:]
        steps.append({"edits": edits, "compared": random.random() < 0.9})
        if random.random() < 0.1:
            steps[-1] |= {"kinds": random.randrange(len(_CRDS)), "version": random.randrange(len(VERSIONS))}
    return json.dumps({"text": text, "encoding": random.choice(_ENCODINGS), "steps": steps})


def _run_edits(given: str) -> int:
    """Check that an edited document has the same results as the same text opened fresh."""
    wanted = json.loads(given)
    for document in _versions(wanted):
        found = _said(document)
        with nothing_known():
            fresh = _said(_fresh(document))
        for name, each in fresh.items():
            assert found[name] == each, name
    return sum(len(step["edits"]) for step in wanted["steps"])


def _said(document: Document) -> dict[str, object]:
    """Return all results for a document as a whole."""
    text, stream = document.text, document.analysis.stream
    return {
        "outcome": outcome(document.diagnosis),
        "trees": dump_stream(stream),
        "comments": sorted(set(stream.comments())),
        "facts": [_by_value(facts) for rgd in document.analysis.rgds for facts in rgd.table.facts],
        "symbols": document_symbols(document),
        "lines": [text.line_start(line) for line in range(text.line_count)],
    }


def _by_value(facts: Facts) -> tuple[Facts, JsonObject | None]:
    """Return facts in a form that equals that of another analysis with different objects."""
    return replace(facts, data=None), facts.data.value if facts.data else None


def _fresh(document: Document) -> Document:
    text = Text(document.text.content)
    return Document(document.uri, 1, text, document.encoding, document.settings, document.schemas)


def _versions(given: dict[str, Any]) -> Iterator[Document]:
    """Yield the document after each checked edit and after the last one."""
    document = Document(
        "file:///a.yaml", 1, Text(given["text"]), PositionEncoding(given["encoding"]), schemas=_kinds(1)
    )
    assert document.diagnosis is not None
    for step in given["steps"]:
        next_input()
        document = _edited(document, step["edits"])
        if "kinds" in step:
            settings = Settings(version=VERSIONS[step["version"] % len(VERSIONS)])
            document = document.renewed(settings=settings, schemas=_kinds(step["kinds"]), other_schemas=())
        if step["compared"] or step is given["steps"][-1]:
            yield document


@cache
def _kinds(number: int) -> SchemaIndex:
    sources = [CrdSource((("/crd.yaml", text),), schema_index(kubernetes()).object_meta) for text in _CRDS[number]]
    return schema_index(kubernetes(), tuple(sources))


def _edited(document: Document, edits: list[tuple[int, int, str]]) -> Document:
    """Return the document after the edits as a client sends them; an edit within a line ending begins before it."""
    text, reported = document.text, []
    for start, end, new in edits:
        first, last = (text.encoded_position(offset, document.encoding) for offset in (start, end))
        reported.append(Edit(new, (first.line, first.column), (last.line, last.column)))
        begin, stop = (text.encoded_offset(at.line, at.column, document.encoding) for at in (first, last))
        text = Text(text.content[:begin] + new + text.content[max(begin, stop) :])
    edited = document.edited((document.version or 0) + 1, tuple(reported))
    assert edited.text.content == text.content
    return edited


def _of_cursor(feature: Callable[[Cursor], object]) -> Callable[[Document, int], object]:
    return lambda document, offset: feature(Cursor(document, offset))


def _of_document(feature: Callable[[Document], object]) -> Callable[[Document, int], object]:
    return lambda document, _: feature(document)


def _of_range(feature: Callable[[Document, types.Range], object]) -> Callable[[Document, int], object]:
    return lambda document, offset: feature(
        document, to_range(document, Span(offset, min(offset + 30, _end(document))))
    )


def _end(document: Document) -> int:
    return len(document.text.content)


def _renamed(cursor: Cursor) -> object:
    try:
        return rename(cursor, "renamed")
    except RenameError as error:
        return str(error)


_FEATURES: dict[str, Callable[[Document, int], object]] = {
    "completion": _of_cursor(lambda cursor: completion(cursor, snippets=True)),
    "resolve": _of_cursor(lambda cursor: _resolved(cursor, completion(cursor, snippets=True).items[:2])),
    "signature help": _of_cursor(lambda cursor: signature_help(cursor, label_offsets=True)),
    "references": _of_cursor(lambda cursor: references(cursor, include_declaration=True)),
    "inlay hints": _of_range(lambda document, wanted: inlay_hints(document, wanted, InlayHintSettings())),
    **{
        each.__name__: _of_cursor(each)
        for each in (
            *(hover, definition, type_definition, document_highlights, linked_editing_ranges, selection_range),
            *(prepare_calls, prepare_rename, _renamed, format_closed),
        )
    },
    **{
        each.__name__: _of_document(each)
        for each in (diagnostics, semantic_tokens, folding_ranges, document_links, code_lenses, format_expressions)
    },
    **{each.__name__: _of_range(each) for each in (code_actions, refactorings)},
}


def _resolved(cursor: Cursor, items: list[CompletionItem]) -> object:
    return [resolve(as_read(item, types.CompletionItem), {cursor.document.uri: cursor.document}) for item in items]


def _make_requests(random: Random) -> str:
    """Return edits, and the request after each checked edit, with its place in thousandths."""
    given = json.loads(_make_edits(random))
    del given["steps"][4:]
    for step in given["steps"]:
        if step["compared"] or step is given["steps"][-1]:
            names = random.choices(tuple(_FEATURES), k=5)
            step["asked"] = [(name, random.randint(0, 1000)) for name in names]
    return json.dumps(given)


def _run_requests(given: str) -> int:
    """Check that a request gets the same answer in an edited document as in the same text opened fresh."""
    wanted = json.loads(given)
    count = 0
    asked = [step["asked"] for step in wanted["steps"] if "asked" in step]
    for document, questions in zip(_versions(wanted), asked, strict=True):
        answers = _answers(document, questions)
        with nothing_known():
            fresh = _answers(_fresh(document), questions)
        for question, answer, other in zip(questions, answers, fresh, strict=True):
            assert answer == other, question
        count += len(questions)
    return count


def _answers(document: Document, questions: list[tuple[str, int]]) -> list[object]:
    answers = []
    for name, place in questions:
        next_input()
        answers.append(_FEATURES[name](document, _end(document) * place // 1000))
    return answers


EDITS = Subject(_make_edits, _run_edits, share=2)
REQUESTS = Subject(_make_requests, _run_requests, share=1)
