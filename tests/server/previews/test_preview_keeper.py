"""Requests that wait for a preview, and their answers while it is being computed."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from kro_ls.features.previews.preview import Preview
from kro_ls.features.previews.scenario import AskedScenario, ReadScenario
from kro_ls.kro.schema_index import schema_index
from kro_ls.openapi.sources.bundled import kubernetes
from kro_ls.rules.diagnosis import Diagnosis
from kro_ls.server.delays import PATIENCE_SECONDS
from kro_ls.server.documents.open_documents import DocumentChanged, What
from kro_ls.server.previews import keeper
from kro_ls.server.previews.chosen_instances import InstanceSources
from kro_ls.server.previews.keeper import PreviewKeeper, PreviewSession
from kro_ls.workspace.documents import Document
from tests.fixtures.definitions import rgd
from tests.fixtures.language import URI, fixture

if TYPE_CHECKING:
    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.workspace.instances import FoundInstance

CONFIG = "- id: config\n  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: x}}"


async def _diagnosed(document: Document) -> Diagnosis:
    found: Diagnosis = document.diagnosis
    return found


class _Unloaded:
    current = None
    is_loaded = False


class _Session:
    """A keeper whose previews are computed when the test releases them, and its messages to the client."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.released = threading.Event()
        self.refreshed = asyncio.Event()
        self.document = fixture(rgd(CONFIG)).document
        self.documents = {URI: self.document}
        sources = InstanceSources(tuple, _Unloaded())
        session = PreviewSession(self.refreshed.set, lambda _: None, lambda _: None, _diagnosed)
        self.keeper = PreviewKeeper(self.documents, sources, session)
        self.explore = self.keeper.explorations.explore
        make = keeper._make
        monkeypatch.setattr(keeper, "_make", lambda *arguments: self._released(make, *arguments))

    def _released(self, make: Any, *arguments: object) -> Preview | None:
        assert self.released.wait(PATIENCE_SECONDS)
        made: Preview | None = make(*arguments)
        return made

    def replace_document(self, document: Document) -> Document:
        self.documents[URI] = document
        return document

    async def waiting(self, document: Document) -> asyncio.Task[Preview | None]:
        """Return a request that has begun to wait."""
        task = asyncio.create_task(self.keeper.at_hand(document, 0, PATIENCE_SECONDS))
        await asyncio.sleep(0)
        return task


@pytest.mark.asyncio
async def test_who_does_not_wait_is_told_to_ask_again(monkeypatch: pytest.MonkeyPatch) -> None:
    session = _Session(monkeypatch)
    assert await session.keeper.at_hand(session.document, 0, 0) is None
    session.released.set()
    await session.refreshed.wait()
    assert await session.keeper.at_hand(session.document, 0, 0) is not None


@pytest.mark.asyncio
async def test_who_waits_gets_the_preview(monkeypatch: pytest.MonkeyPatch) -> None:
    session = _Session(monkeypatch)
    task = await session.waiting(session.document)
    session.released.set()
    assert await task is not None


@pytest.mark.asyncio
async def test_who_waits_while_kinds_become_known_gets_the_preview_with_them(monkeypatch: pytest.MonkeyPatch) -> None:
    session = _Session(monkeypatch)
    first = await session.waiting(session.document)
    renewed = session.replace_document(replace(session.document, schemas=schema_index(kubernetes())))
    second = await session.waiting(renewed)
    session.released.set()
    found = await first
    assert found is not None
    assert found is await second
    assert found.rgd is renewed.analysis.rgds[0]


@pytest.mark.asyncio
async def test_who_waits_while_the_text_is_edited_gets_none(monkeypatch: pytest.MonkeyPatch) -> None:
    session = _Session(monkeypatch)
    first = await session.waiting(session.document)
    edited = session.replace_document(fixture(rgd(CONFIG.replace("x", "y"))).document)
    second = await session.waiting(edited)
    session.released.set()
    assert await first is None
    assert await second is not None


def _both(preview: Preview, scenario: ReadScenario) -> tuple[Preview, tuple[str, ...]]:
    return preview, scenario.problems


@pytest.mark.asyncio
@pytest.mark.parametrize("what", ["request", "edit", "close"])
async def test_an_older_request_is_cancelled(monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    session = _Session(monkeypatch)
    blocked = asyncio.create_task(session.explore(session.document, 0, AskedScenario(), _both, "page"))
    await asyncio.sleep(0)
    if what == "edit":
        session.keeper.document_changed(DocumentChanged(What.EDITED, session.document))
    elif what == "close":
        session.keeper.document_changed(DocumentChanged(What.CLOSED, session.document))
    else:
        held = AskedScenario(not_ready=("config",))
        newer = asyncio.create_task(session.explore(session.document, 0, held, _both, "page"))
        preview, problems = await asyncio.wait_for(newer, PATIENCE_SECONDS)
        assert problems == ()
        assert preview.simulation is not None
        assert preview.simulation.state.value == "IN_PROGRESS"
    with pytest.raises(asyncio.CancelledError):
        await blocked


@pytest.mark.asyncio
async def test_requests_of_others_are_not_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    session = _Session(monkeypatch)
    held = AskedScenario(not_ready=("config",))
    asked = (AskedScenario(), "one"), (held, "other")
    making = [session.explore(session.document, 0, scenario, _both, asker) for scenario, asker in asked]
    found = await asyncio.wait_for(asyncio.gather(*making), PATIENCE_SECONDS)
    states = [preview.simulation and preview.simulation.state.value for preview, _ in found]
    assert states == ["ACTIVE", "IN_PROGRESS"]


@pytest.mark.asyncio
async def test_the_instance_is_looked_up_again_only_after_a_change(monkeypatch: pytest.MonkeyPatch) -> None:
    session = _Session(monkeypatch)
    session.released.set()
    looked_up = 0
    find = session.keeper.instances.of

    def counted(uri: str, number: int, rgd: RgdAnalysis) -> FoundInstance:
        nonlocal looked_up
        looked_up += 1
        return find(uri, number, rgd)

    monkeypatch.setattr(session.keeper.instances, "of", counted)
    first = await session.keeper.at_hand(session.document, 0, PATIENCE_SECONDS)
    assert await session.keeper.at_hand(session.document, 0, PATIENCE_SECONDS) is first
    assert looked_up == 1
    session.keeper.inputs_changed()
    assert await session.keeper.at_hand(session.document, 0, PATIENCE_SECONDS) is first
    assert looked_up == 2
    session.keeper.explorations.follow("page", URI, 0, AskedScenario(not_ready=("config",)))
    assert await session.keeper.at_hand(session.document, 0, PATIENCE_SECONDS) is not first
