"""Results are kept with what they are about, and go with it."""

from __future__ import annotations

import gc
import weakref
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Event
from typing import TYPE_CHECKING

from kro_ls.analysis.names.inspection import inspect
from kro_ls.analysis.scope import Scope
from kro_ls.queries.cells import cached, cached_attribute
from kro_ls.rules.diagnosis import diagnose_text
from kro_ls.rules.registry import RULES
from kro_ls.workspace.documents import Document, Edit
from kro_ls.yaml_positions.positions import PositionEncoding
from kro_ls.yaml_positions.text import Text
from tests.analysis.test_incremental import nothing_known
from tests.fixtures.definitions import rgd_around
from tests.paths import EXAMPLES

if TYPE_CHECKING:
    from kro_ls.analysis.names.inspection import Inspection
    from kro_ls.queries.cells import Cells
    from kro_ls.yaml_positions.documents.chunks import Chunk

SOURCE = (EXAMPLES / "web-app.yaml").read_text(encoding="utf-8")


@dataclass(frozen=True)
class Owner:
    cells: Cells = field(default_factory=dict)


def test_a_result_stands_as_long_as_what_it_read_is_equal() -> None:
    calls: list[tuple[int, ...]] = []

    @cached
    def total(_owner: Owner, numbers: tuple[int, ...]) -> int:
        calls.append(numbers)
        return sum(numbers)

    owner = Owner()
    assert [total(owner, (1, 2)), total(owner, (1, 1 + 1)), total(owner, (3,)), total(owner, (1, 2))] == [3, 3, 3, 3]
    assert calls == [(1, 2), (3,), (1, 2)], "the last result is kept, under equal arguments"
    assert total(Owner(), (1, 2)) == 3
    assert len(calls) == 4, "another owner has a memory of its own"


def test_the_same_expression_is_parsed_once_while_somebody_holds_it() -> None:
    text = "schema.spec.onlyInThisTest"  # what other tests leave for the garbage collector may hold others
    first = inspect(text)
    assert inspect(str(text.encode(), "utf-8")) is first
    gone = weakref.ref(first)
    del first
    assert gone() is None


def test_a_closed_document_leaves_nothing_behind() -> None:
    with nothing_known():  # what other tests hold would not go
        diagnosis = diagnose_text(Text(SOURCE))
    gone = [weakref.ref(each.inspection) for each in diagnosis.analysis.rgds[0].rgd.parts[0].expressions]
    chunks = [weakref.ref(chunk) for run in diagnosis.analysis.stream.documents[0].runs for chunk in run.chunks]
    del diagnosis
    gc.collect()
    assert gone
    assert not [each for each in gone if each()]
    assert not [each for each in chunks if each()]


def test_of_many_edits_only_the_last_version_is_held() -> None:
    document = Document("file:///a.yaml", 1, Text(SOURCE), PositionEncoding.UTF32)
    versions = []
    place = document.text.position(SOURCE.index("name: ") + len("name: "))
    for number in range(20):
        at = (place.line, place.column)
        document = document.edited(number, (Edit("x", at, at),))
        versions.append(weakref.ref(document.analysis.rgds[0].rgd.document.frame.chunk))
        assert document.diagnosis.analysis is document.analysis
        document.without_before()
    gc.collect()
    assert [each() is not None for each in versions] == [False] * 19 + [True]


def test_an_edit_checks_only_what_it_touches() -> None:
    document = Document("file:///a.yaml", 1, Text(SOURCE), PositionEncoding.UTF32)
    before = _scoped(document)
    offset = SOURCE.index("kind: Service") - 1
    line = document.text.position(offset).line
    document = document.edited(2, (Edit("      # a comment\n", (line + 1, 0), (line + 1, 0)),))
    assert [new == old for new, old in zip(_scoped(document), before, strict=True)].count(False) == 1


def test_a_field_that_nobody_reads_leaves_all_resources_alone() -> None:
    document = Document("file:///a.yaml", 1, Text(SOURCE), PositionEncoding.UTF32)
    before = _scoped(document)
    spec = SOURCE.index("\n", SOURCE.index("    spec:\n")) + 1
    line = document.text.position(spec).line
    document = document.edited(2, (Edit("      unreadByAll: string\n", (line, 0), (line, 0)),))
    assert _scoped(document) == before


def _scoped(document: Document) -> list[tuple[int, Scope]]:
    """Which objects the resources are, and their scopes."""
    rgd = document.diagnosis.analysis.rgds[0]
    return [(id(part), rgd.scope(part)) for part in rgd.parts]


def test_what_was_worked_out_of_a_text_is_gone_with_it() -> None:
    """Without the collector of garbage, which looks at old objects very rarely, and at values never."""
    texts = [rgd_around(example) for rule in RULES for example in (rule.wrong, rule.right) if example]
    fields = "".join(f"      field{number}: string\n" for number in range(200))  # so many that they are read in parts
    texts += [SOURCE, SOURCE.replace("${", '"${', 1), SOURCE.replace("    spec:\n", f"    spec:\n{fields}", 1)]
    with nothing_known():  # what other tests hold would not go
        for text in texts:
            _work_out(text)  # objects that are created once
        gc.collect()
        gc.disable()
        try:
            stayed = [text for text in texts if any(each() for each in _work_out(text))]
            left = gc.collect()
        finally:
            gc.enable()
    assert not stayed
    assert left == 0


def _work_out(text: str) -> list[weakref.ref[Inspection] | weakref.ref[Chunk]]:
    """Diagnose a text without its middle line and with it again; return the objects held by the results."""
    document = Document("file:///a.yaml", 1, Text(text), PositionEncoding.UTF32)
    line = text.count("\n") // 2
    removed = text.splitlines(keepends=True)[line]
    for number, edit in enumerate((Edit("", (line, 0), (line + 1, 0)), Edit(removed, (line, 0), (line, 0)))):
        assert document.diagnosis is not None
        document.without_before()
        document = document.edited(number, (edit,))
    analysis = document.diagnosis.analysis
    parts = [part for rgd in analysis.rgds for part in rgd.rgd.parts]
    chunks = [chunk for each in analysis.stream.documents for run in each.runs for chunk in run.chunks]
    inspections = [expression.inspection for part in parts for expression in part.expressions]
    return [*map(weakref.ref, inspections), *map(weakref.ref, chunks)]


def test_two_threads_that_work_out_one_value_get_the_same() -> None:
    begun, may_go_on = Event(), Event()

    class Value:
        @cached_attribute
        def parts(self) -> list[int]:
            if not begun.is_set():
                begun.set()
                may_go_on.wait(20)
            return [1]

    value = Value()
    with ThreadPoolExecutor(1) as other:
        theirs = other.submit(lambda: value.parts)
        begun.wait(20)
        ours = value.parts
        may_go_on.set()
        assert theirs.result() is ours is value.parts
