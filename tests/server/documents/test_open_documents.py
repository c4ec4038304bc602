"""Subscribers of open documents get their events."""

from __future__ import annotations

import asyncio

import pytest

from kro_ls.server.connection.transport import settle
from kro_ls.server.documents.open_documents import DocumentChanged, DocumentEvents, What
from kro_ls.server.requests import create_server
from kro_ls.workspace.documents import Document, Edit
from tests.fixtures.language import URI, fixture

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"capabilities": {}, "processId": None, "rootUri": None},
}


def test_who_fails_does_not_hold_up_the_others(caplog: pytest.LogCaptureFixture) -> None:
    events, reported = DocumentEvents(), list[DocumentChanged]()

    def fail(event: DocumentChanged) -> None:
        raise ValueError(event.uri)

    events.subscribe(fail)
    events.subscribe(reported.append)
    document = fixture("a: b").document
    events.publish(What.EDITED, document)
    assert [(each.what, each.document) for each in reported] == [(What.EDITED, document)]
    assert f"could not follow that {URI} was edited" in caplog.text


def test_a_follower_is_called_for_what_it_subscribes_to() -> None:
    events, shown, seen = DocumentEvents(), set[str](), list[What]()
    events.subscribe(lambda event: seen.append(event.what), (What.EDITED, What.CLOSED), (shown,))
    document = fixture("a: b").document
    for what in What:
        events.publish(what, document)
    assert seen == [What.CLOSED]
    shown.add(URI)
    events.publish(What.EDITED, document)
    assert seen == [What.CLOSED, What.EDITED]


def test_followers_see_the_document_that_counts() -> None:
    async def test() -> list[tuple[What, int | None, bool]]:
        server = create_server()
        server.protocol.handle_message(server.protocol.structure_message(INITIALIZE))
        await settle()
        reported: list[tuple[What, int | None, bool]] = []

        def follow(event: DocumentChanged) -> None:
            reported.append((event.what, event.document.version, server.documents.get(URI) is event.document))

        server.open_documents.events.subscribe(follow)
        server.open_documents.open(server.open_documents.make(URI, 1, "a: b"))
        server.open_documents.change(_edited(server.documents[URI]))
        server.renew()
        server.open_documents.close(URI)
        server.open_documents.close(URI)
        server.close_all()
        return reported

    assert asyncio.run(test()) == [
        (What.OPENED, 1, True),
        (What.EDITED, 2, True),
        (What.RENEWED, 2, True),
        (What.CLOSED, 2, False),
    ]


def _edited(document: Document) -> Document:
    return document.edited(2, (Edit("a: c"),))
