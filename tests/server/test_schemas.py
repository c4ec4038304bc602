"""When the texts of open documents are looked into for kinds."""

from __future__ import annotations

import asyncio

import pytest

from kro_ls.server import schemas
from kro_ls.server.schemas import SchemaKeeper, Session
from kro_ls.workspace import described
from kro_ls.workspace.documents import Document
from kro_ls.workspace.schemas import SchemaSettings, WorkspaceSchemas
from kro_ls.yaml_positions.text import Text
from tests.fixtures.definitions import rgd

SLOW, OTHER = "file:///slow.yaml", "file:///other.yaml"
RGD = rgd("- id: config\n  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: x}}")


def test_a_text_that_is_being_worked_out_is_looked_into_after_that(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else both would parse it, side by side."""
    monkeypatch.setattr(schemas, "FOLLOW_SECONDS", 0)
    answers = [True, True, False]
    asked: list[str] = []

    def is_being_prepared(uri: str) -> bool:
        asked.append(uri)
        return answers.pop(0)

    def nothing(*_: object) -> None:
        return None

    async def test() -> None:
        session = Session(tuple, SchemaSettings, nothing, nothing, nothing, nothing, is_being_prepared)
        keeper = SchemaKeeper({uri: Document(uri, 1, Text("a: b")) for uri in (SLOW, OTHER)}, session)
        keeper.follow(SLOW)
        for _ in range(100):
            await asyncio.sleep(0)
        keeper.close()

    asyncio.run(test())
    assert (asked, answers) == ([SLOW] * 3, [])


@pytest.mark.parametrize(
    ("old", "new", "changes"), [("{name: x}", "{name: other}", 0), ("kind: App", "kind: Apple", 1)]
)
def test_documents_are_looked_at_again_only_when_a_kind_changed(
    old: str, new: str, changes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schemas, "START_SECONDS", 0)
    monkeypatch.setattr(schemas, "FOLLOW_SECONDS", 0)
    documents = {uri: Document(uri, 1, Text(RGD)) for uri in (SLOW, OTHER)}

    async def test() -> list[WorkspaceSchemas | None]:
        taken: list[WorkspaceSchemas | None] = []
        told = asyncio.Event()

        def tell() -> None:
            taken.append(keeper.current)
            told.set()

        session = Session(tuple, SchemaSettings, tell, told.set, print, lambda: None, lambda _: False)
        keeper = SchemaKeeper(documents, session)
        keeper.start()
        await told.wait()
        told.clear()
        documents[SLOW] = Document(SLOW, 2, Text(RGD.replace(old, new)))
        keeper.follow(SLOW)
        await told.wait()
        keeper.close()
        assert keeper.current is not None
        assert keeper.current.generated.texts["/slow.yaml"] == documents[SLOW].text.content
        return taken

    assert len(asyncio.run(test())) == 1 + changes


def test_kinds_that_open_documents_use_are_worked_out_before_they_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schemas, "START_SECONDS", 0)
    texts = [RGD.replace("kind: App", f"kind: {kind}") for kind in ("Used", "Created", "Idle")]
    texts.append(RGD.replace("apiVersion: v1, kind: ConfigMap", "apiVersion: kro.run/v1alpha1, kind: Used"))
    texts.append("apiVersion: kro.run/v1alpha1\nkind: Created\n")
    uris = [f"file:///{number}.yaml" for number in range(len(texts))]
    documents = {uri: Document(uri, 1, Text(text)) for uri, text in zip(uris, texts, strict=True)}

    async def test() -> set[str]:
        told = asyncio.Event()
        session = Session(tuple, SchemaSettings, told.set, told.set, print, lambda: None, lambda _: False)
        keeper = SchemaKeeper(documents, session)
        for document in documents.values():
            _ = document.diagnosis
        keeper.start()
        await told.wait()
        keeper.close()
        assert keeper.current is not None
        return {kind.kind for _, kind in keeper.current.generated.made if kind}

    assert asyncio.run(test()) == {"Used", "Created"}


def test_a_document_that_cannot_be_looked_at_leaves_the_kinds_of_all_others(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(schemas, "START_SECONDS", 0)
    monkeypatch.setattr(described, "described_documents", fail)
    documents = {SLOW: Document(SLOW, 1, Text(RGD))}

    async def test() -> None:
        told = asyncio.Event()
        session = Session(tuple, SchemaSettings, told.set, told.set, print, lambda: None, lambda _: False)
        keeper = SchemaKeeper(documents, session)
        _ = documents[SLOW].analysis
        keeper.start()
        await told.wait()
        keeper.close()
        assert keeper.current is not None
        assert list(keeper.current.generated.texts) == ["/slow.yaml"]

    asyncio.run(test())
