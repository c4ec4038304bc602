"""While a slow document is worked on, others get their turn; what an edit overtakes is not answered."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine, Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from kro_ls.queries.cells import cached_attribute
from kro_ls.rules.diagnosis import Diagnosis
from kro_ls.rules.settings import Settings
from kro_ls.server.connection.protocol import OvertakenError
from kro_ls.server.documents.slow_documents import SlowDocuments
from kro_ls.workspace import documents as workspace_documents
from kro_ls.workspace.documents import Document, Edit
from kro_ls.yaml_positions.text import Text

SLOW, QUICK = "file:///slow.yaml", "file:///quick.yaml"
SECONDS = 20


def opened(slow: str = "a: " + "x" * 20_000) -> dict[str, Document]:
    """Return two open documents, of which one is large."""
    return {SLOW: Document(SLOW, 1, Text(slow)), QUICK: Document(QUICK, 1, Text("a: b"))}


def run(test: Coroutine[Any, Any, None]) -> None:
    """Run a test that must not hang."""
    asyncio.run(asyncio.wait_for(test, SECONDS))


def test_others_are_answered_while_a_slow_document_is_worked_on() -> None:
    documents, gate = opened(), threading.Event()
    slow = SlowDocuments(documents)

    async def test() -> None:
        task = asyncio.create_task(slow.worked_out(documents[SLOW], lambda _: gate.wait(SECONDS)))
        await asyncio.sleep(0)
        assert await slow.worked_out(documents[QUICK], lambda document: document.text.content) == "a: b"
        assert not task.done()
        gate.set()
        assert await task

    run(test())


@pytest.mark.parametrize("text", ["a: &a b\nc: *a\n", "a: &a b\nc: [*a, *a]\n", "x" * 20_000])
def test_a_document_of_which_nothing_is_known_is_slow_if_it_is_large_or_has_aliases(text: str) -> None:
    documents = opened(text)
    assert documents[SLOW].is_slow()
    assert not documents[QUICK].is_slow()


def test_what_took_long_is_slow_until_it_is_quick_again() -> None:
    document = opened()[QUICK]
    assert document.diagnosis is not None
    document.took(1.0)
    assert document.is_slow()
    edited = document.edited(2, (Edit("c"),))
    assert edited.is_slow()
    edited.took(0.0)
    assert not edited.is_slow()


def test_what_is_asked_about_all_of_a_large_text_is_found_in_its_thread() -> None:
    documents = opened()
    slow = SlowDocuments(documents)
    for document in documents.values():
        _ = document.diagnosis
    here = threading.current_thread()

    async def is_here(uri: str, *, about_all: bool) -> bool:
        return here is await slow.worked_out(documents[uri], lambda _: threading.current_thread(), about_all=about_all)

    async def test() -> None:
        assert await is_here(QUICK, about_all=True)
        assert await is_here(SLOW, about_all=False)
        assert not await is_here(SLOW, about_all=True)

    run(test())


def test_kinds_that_are_new_do_not_make_a_document_quick() -> None:
    """What they make new is quick; to ask for all tokens of the text may still take long."""
    document = opened()[QUICK]
    assert document.diagnosis is not None
    document.took(1.0)
    renewed = document.renewed(settings=Settings(), schemas=None, other_schemas=())
    renewed.took(0.0)
    assert renewed.is_slow()
    edited = renewed.edited(2, (Edit("c"),))
    edited.took(0.0)
    assert not edited.is_slow()


def test_an_analysis_is_at_hand_though_kinds_changed_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    documents = opened()
    renewed: list[Document] = []
    slow = SlowDocuments(documents)
    threads: list[threading.Thread] = []

    def analysis(document: Document) -> str:
        threads.append(threading.current_thread())
        if not renewed:
            renewed.append(replace(document, settings=Settings()))
            documents[SLOW] = renewed[0]
        return "an analysis"

    kept = cached_attribute(analysis)
    kept.__set_name__(Document, "analysis")
    monkeypatch.setattr(Document, "analysis", kept)
    asyncio.run(asyncio.wait_for(slow.newest(SLOW), SECONDS))
    assert "analysis" in documents[SLOW].__dict__
    assert threading.main_thread() not in threads


def test_what_asks_about_a_whole_document_is_answered_for_the_text_that_an_edit_left() -> None:
    documents, begun, gate = opened(), threading.Event(), threading.Event()
    slow = SlowDocuments(documents)

    def hold(_: Document) -> None:
        begun.set()
        gate.wait(SECONDS)

    async def test() -> None:
        held = asyncio.create_task(slow.worked_out(documents[SLOW], hold))
        asked = [asyncio.create_task(slow.newest(uri)) for uri in (SLOW, QUICK, "file:///closed.yaml", None)]
        about_a_place = asyncio.create_task(slow.analysed(documents[SLOW]))
        await asyncio.to_thread(begun.wait, SECONDS)
        documents[SLOW] = documents[SLOW].edited(2, (Edit("y" * 20_000),))
        gate.set()
        await held
        newest, *others = await asyncio.gather(*asked)
        assert newest is documents[SLOW]
        assert newest.is_analysed
        assert others == [documents[QUICK], None, None]
        with pytest.raises(OvertakenError):
            await about_a_place

    run(test())


def test_a_document_that_is_closed_meanwhile_is_not_answered_for() -> None:
    documents, begun, gate = opened(), threading.Event(), threading.Event()
    slow = SlowDocuments(documents)

    def hold(_: Document) -> None:
        begun.set()
        gate.wait(SECONDS)

    async def test() -> None:
        held = asyncio.create_task(slow.worked_out(documents[SLOW], hold))
        asked = asyncio.create_task(slow.newest(SLOW))
        await asyncio.to_thread(begun.wait, SECONDS)
        del documents[SLOW]
        gate.set()
        await held
        assert await asked is None

    run(test())


def test_an_edit_overtakes_what_was_asked_before() -> None:
    documents, begun, gate = opened(), threading.Event(), threading.Event()
    slow = SlowDocuments(documents)

    def hold(_: Document) -> None:
        begun.set()
        gate.wait(SECONDS)

    async def test() -> None:
        first = asyncio.create_task(slow.worked_out(documents[SLOW], hold))
        second = asyncio.create_task(slow.worked_out(documents[SLOW], lambda document: document.version))
        await asyncio.to_thread(begun.wait, SECONDS)
        documents[SLOW] = replace(documents[SLOW], version=2, text=Text("y" * 20_000))
        gate.set()
        await first
        with pytest.raises(OvertakenError):
            await second

    run(test())


def test_what_was_not_worked_out_stays_slow_when_it_is_edited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workspace_documents, "LONG_SECONDS", 60)  # a machine may be busy
    documents = opened("a: &a b\nc: *a\n")
    slow = SlowDocuments(documents)
    assert not documents[SLOW].analysis.rgds  # but not diagnosed

    async def test() -> None:
        preparing = slow.prepare(documents[SLOW], lambda _: None)
        documents[SLOW] = documents[SLOW].edited(2, (Edit("#"),))
        with pytest.raises(OvertakenError):
            await preparing
        assert documents[SLOW].is_slow()
        await slow.prepare(documents[SLOW], lambda _: None)
        assert not documents[SLOW].is_slow()

    run(test())


def test_requests_come_in_between_the_steps_of_a_diagnosis(monkeypatch: pytest.MonkeyPatch) -> None:
    documents, done, gate = opened("a: &a b\n" + "c: *a\n" * 10), list[str](), threading.Event()
    slow, steps = SlowDocuments(documents), Document.prepared

    def prepared(document: Document) -> Iterator[Diagnosis | None]:
        gate.wait(SECONDS)
        yield from steps(document)

    monkeypatch.setattr(Document, "prepared", prepared)

    async def test() -> None:
        preparing = asyncio.create_task(slow.prepare(documents[SLOW], lambda _: None))
        preparing.add_done_callback(lambda _: done.append("prepared"))
        await asyncio.sleep(0)
        asked = asyncio.create_task(slow.worked_out(documents[SLOW], lambda document: document.version))
        asked.add_done_callback(lambda _: done.append("asked"))
        await asyncio.sleep(0)
        gate.set()
        await asyncio.wait([preparing, asked])

    run(test())
    assert done == ["asked", "prepared"]


def test_other_settings_overtake_nothing() -> None:
    documents = opened()
    slow = SlowDocuments(documents)

    async def test() -> None:
        task = asyncio.create_task(slow.worked_out(documents[SLOW], lambda document: document.settings))
        asked = documents[SLOW]
        documents[SLOW] = asked.renewed(
            settings=Settings(feature_gates=frozenset({"X"})), schemas=None, other_schemas=()
        )
        assert (await task).feature_gates == {"X"}

    run(test())


def test_a_failure_reaches_who_asked() -> None:
    documents = opened()

    async def test() -> None:
        with pytest.raises(ZeroDivisionError):
            await SlowDocuments(documents).worked_out(documents[SLOW], lambda _: 1 // 0)

    run(test())


class _Owner:
    def __init__(self, gate: threading.Event | None) -> None:
        self._gate = gate

    @cached_attribute
    def value(self) -> object:
        """What takes as long as the gate is closed."""
        if self._gate:
            self._gate.wait(SECONDS)
        return object()


def test_a_cached_attribute_is_worked_out_once() -> None:
    owner = _Owner(None)
    assert owner.value is owner.value


def test_a_cached_attribute_waits_for_no_other_value() -> None:
    gate = threading.Event()
    held = threading.Thread(target=lambda: _Owner(gate).value)
    other = threading.Thread(target=lambda: _Owner(None).value)
    held.start()
    other.start()
    other.join(SECONDS / 4)
    assert not other.is_alive()
    gate.set()
    held.join()


def test_what_was_replaced_is_freed_in_a_thread() -> None:
    documents, freed = opened(), threading.Event()
    slow, threads = SlowDocuments(documents), []

    class Witness:
        def __del__(self) -> None:
            threads.append(threading.current_thread())
            freed.set()

    async def test() -> None:
        documents[SLOW].__dict__["witness"] = Witness()
        slow.free([documents.pop(SLOW)])
        await asyncio.to_thread(freed.wait, SECONDS)

    run(test())
    assert threading.main_thread() not in threads


def test_it_is_known_what_is_being_prepared(monkeypatch: pytest.MonkeyPatch) -> None:
    documents, begun, gate = opened(), threading.Event(), threading.Event()
    slow = SlowDocuments(documents)

    def prepared(_: Document) -> Iterator[None]:
        begun.set()
        gate.wait(SECONDS)
        yield None
        raise ValueError("what is wrong is told elsewhere")

    monkeypatch.setattr(Document, "prepared", prepared)

    async def test() -> None:
        task = asyncio.create_task(slow.prepare(documents[SLOW], lambda _: None))
        await asyncio.to_thread(begun.wait, SECONDS)
        assert SLOW in slow.being_prepared
        assert QUICK not in slow.being_prepared
        gate.set()
        with pytest.raises(ValueError, match="told elsewhere"):
            await task
        assert not slow.being_prepared

    run(test())


def test_nothing_is_kept_of_a_document_that_was_closed_before_it_was_worked_on() -> None:
    documents, begun, gate = opened("a: &a b\nc: *a\n"), threading.Event(), threading.Event()
    slow = SlowDocuments(documents)

    def hold(_: Document) -> None:
        begun.set()
        gate.wait(SECONDS)

    async def test() -> None:
        held = asyncio.create_task(slow.worked_out(documents[SLOW], hold))
        preparing = asyncio.create_task(slow.prepare(documents[SLOW], lambda _: None))
        await asyncio.to_thread(begun.wait, SECONDS)
        del documents[SLOW]
        slow.forget(SLOW)
        gate.set()
        await held
        with pytest.raises(OvertakenError):
            await preparing
        assert (slow._given_up, slow._lanes) == ({}, {})

    run(test())
