"""The diagnostics shown while a user types: edits key by key, and what waits until the user leaves the word."""

from __future__ import annotations

import asyncio
import time
from typing import Any

from kro_ls.rules.diagnosis import diagnose_text
from kro_ls.server.delays import PAUSE_SECONDS
from kro_ls.server.diagnostics.publishing import HeldBack, is_key_stroke, shown_in_pause, shown_while_typing
from kro_ls.workspace.documents import Document, Edit
from kro_ls.yaml_positions.text import Change, Text
from tests.fixtures.client import Client, Message
from tests.fixtures.definitions import rgd_around

CURSOR = "$0"


def typed(source: str, keys: str) -> list[tuple[str, ...]]:
    """Return the marked texts that are shown after each of the keys, typed at the cursor."""
    definition = rgd_around(source)
    cursor = definition.index(CURSOR)
    content = definition.replace(CURSOR, "")
    shown = diagnose_text(Text(content)).diagnostics
    texts = []
    for key in keys:
        content = content[:cursor] + key + content[cursor:]
        change, cursor = Change(cursor, cursor, 1), cursor + 1
        assert is_key_stroke(content, change)
        shown = shown_while_typing(diagnose_text(Text(content)).diagnostics, content, cursor, shown, change)
        texts.append(tuple(content[each.span.start : each.span.end] for each in shown if each.severity == "error"))
    return texts


SCHEMA = """
schema:
  apiVersion: v1
  kind: Example
  spec:
    name: {type}
    other: string
"""
CONFIG = """
resources:
  - id: config
    template: {{apiVersion: v1, kind: ConfigMap, metadata: {{name: {name}}}}}
"""


def test_a_half_written_type_is_not_shown() -> None:
    assert typed(SCHEMA.format(type="$0"), "string") == [()] * 6


def test_a_wrong_word_is_shown_when_its_line_is_left() -> None:
    assert typed(SCHEMA.format(type="$0"), "strin\n") == [()] * 5 + [("strin",)]


def test_what_was_shown_before_stays_and_moves() -> None:
    assert typed(SCHEMA.format(type="$0strin"), "xy") == [("xstrin",), ("xystrin",)]


def test_what_is_mended_goes_at_once() -> None:
    assert typed(SCHEMA.format(type="strin$0"), "g") == [()]


def test_half_an_id_is_not_missed_by_those_who_use_it() -> None:
    source = """
resources:
  - id: config$0
    template: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}
  - id: user
    template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${config.metadata.name}"}}
"""
    assert typed(source, "Two") == [()] * 3
    assert typed(source, "Two\n")[-1] == ("config",)


def test_an_expression_that_is_not_closed_yet() -> None:
    source = CONFIG.format(name="'$0'")
    assert typed(source, "${schema.metadata.name}") == [()] * len("${schema.metadata.name}")


def test_pastes_are_not_typed() -> None:
    assert is_key_stroke("a {} b", Change(2, 2, 2))
    assert is_key_stroke("a\n      b", Change(1, 1, 7))
    assert is_key_stroke("ab", Change(1, 3, 0))
    assert not is_key_stroke("a word", Change(2, 2, 4))


TEXT = rgd_around(CONFIG.format(name="a"))
LINE = TEXT.split("\n").index("  name: example")
COLUMN = len("  name: example")


def change(column: int, text: str) -> Message:
    place = {"line": LINE, "character": COLUMN + column}
    return {"range": {"start": place, "end": place}, "text": text}


def codes(report: Any) -> list[str]:
    return [each["code"] for each in report]


def published(client: Client, version: int) -> list[str]:
    while True:
        found = client.notification("textDocument/publishDiagnostics")
        if found["version"] == version:
            return codes(found["diagnostics"])


def test_what_waits_is_pushed_after_a_pause() -> None:
    with Client() as client:
        client.initialize()
        client.open(TEXT)
        assert published(client, 1) == []
        client.change(2, change(0, "x"), change(1, "-"))
        assert published(client, 2) == []
        started = time.monotonic()
        assert published(client, 2) == ["invalid-value"]
        assert time.monotonic() - started > PAUSE_SECONDS / 2


def test_what_waits_is_pushed_when_the_document_is_saved() -> None:
    with Client() as client:
        assert client.initialize()["capabilities"]["textDocumentSync"]["save"]
        client.open(TEXT)
        assert published(client, 1) == []
        client.change(2, change(0, "x"), change(1, "-"))
        assert published(client, 2) == []
        client.notify("textDocument/didSave", {"textDocument": {"uri": "file:///rgd.yaml"}})
        assert published(client, 2) == ["invalid-value"]


def test_a_client_that_pulls_is_asked_to_pull_again() -> None:
    asks = {"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": True}}}
    document = {"textDocument": {"uri": "file:///rgd.yaml"}}
    with Client() as client:
        client.initialize(asks)
        client.open(TEXT)
        # Once the kinds of the workspace are known everything is asked for again.
        client.wait(lambda message: message.get("method") == "workspace/diagnostic/refresh")
        client.request("textDocument/diagnostic", document)
        client.change(2, change(0, "x"), change(1, "-"))
        first = client.request("textDocument/diagnostic", document)
        assert first["items"] == []
        client.wait(lambda message: message.get("method") == "workspace/diagnostic/refresh")
        again = client.request("textDocument/diagnostic", document | {"previousResultId": first["resultId"]})
        assert codes(again["items"]) == ["invalid-value"]


def test_neovim_which_does_not_pull_open_documents_again_is_pushed_to() -> None:
    asks = {"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": True}}}
    with Client() as client:
        answer = client.initialize(asks, clientInfo={"name": "Neovim", "version": "0.12.4"})
        assert "diagnosticProvider" not in answer["capabilities"]
        client.open(TEXT)
        assert published(client, 1) == []
        client.change(2, change(0, "x"), change(1, "-"))
        assert published(client, 2) == []
        assert published(client, 2) == ["invalid-value"]


def test_a_client_that_pulls_but_cannot_be_asked_again_is_pushed_to() -> None:
    with Client() as client:
        answer = client.initialize({"textDocument": {"diagnostic": {}}})
        assert "diagnosticProvider" not in answer["capabilities"]
        client.open(TEXT)
        assert published(client, 1) == []
        client.change(2, change(0, "x"), change(1, "-"))
        assert published(client, 2) == []
        assert published(client, 2) == ["invalid-value"]


# A definition that is being written, from its top: nothing of it is missed that the next lines bring.
BEGUN = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: app
spec:
  schema:
    apiVersion: v1
    kind: App
    spec:
      name: string
    status:
      ready: ${config.metadata.name}
  resources:
    - id: config
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: a
    - id: zones
      forEach:
        - zone: ${["a"]}
      template:
"""

ADDED = "        metadata:\n          name: a\n"


def shown_in_pauses(content: str) -> set[str]:
    """Return the codes of the errors shown when a user who types a text pauses at its end."""
    found = diagnose_text(Text(content)).diagnostics
    return {each.code for each in shown_in_pause(found, content, len(content)) if each.severity == "error"}


def test_nothing_is_missed_that_the_next_line_brings() -> None:
    for end in range(len(BEGUN) + 1):
        assert shown_in_pauses(BEGUN[:end]) == set(), BEGUN[:end]


def test_what_the_next_line_cannot_mend_is_shown_in_a_pause() -> None:
    wrong = BEGUN.replace("name: string", "name: strin").replace("ready: ${config.", "ready: ${cofnig.")
    wrong = wrong[: wrong.index("    - id: zones")]
    assert shown_in_pauses(wrong) == {"unknown-type", "unresolved-reference"}


def test_what_is_missing_is_shown_when_the_text_seems_finished() -> None:
    content = BEGUN[: BEGUN.index("spec:")]
    with Client() as client:
        client.initialize()
        client.open(content.removesuffix("\n"))
        client.notification("textDocument/publishDiagnostics")
        end = {"line": 3, "character": len("  name: app")}
        client.change(2, {"range": {"start": end, "end": end}, "text": "\n"})
        while "missing-field" not in codes(client.notification("textDocument/publishDiagnostics")["diagnostics"]):
            pass


def test_an_accepted_completion_is_no_end_of_typing() -> None:
    with Client() as client:
        client.initialize()
        client.open(TEXT)
        assert published(client, 1) == []
        client.change(2, change(0, "-"))
        assert published(client, 2) == []
        start = {"line": LINE, "character": COLUMN}
        end = {"line": LINE, "character": COLUMN + 1}
        client.change(3, {"range": {"start": start, "end": end}, "text": "-Accepted-"})
        assert published(client, 3) == []
        assert published(client, 3) == ["invalid-value"]


def test_what_was_shown_of_other_resources_stays_when_a_fix_is_taken() -> None:
    resources = "".join(f"  - id: {each}\n    template:\n      apiVersion: v1\n      kind: Pod\n" for each in "ab")
    content = rgd_around(f"resources:\n{resources}")
    place = content.index("kind: Pod\n") + len("kind: Pod\n")
    change = Change(place, place, len(ADDED))
    before = diagnose_text(Text(content)).diagnostics
    now = content[:place] + ADDED + content[place:]
    shown = shown_in_pause(diagnose_text(Text(now)).diagnostics, now, place + len(ADDED), before, change)
    assert [each.code for each in shown if each.severity == "error"] == ["incomplete-object"]


def test_kinds_are_unknown_only_when_the_workspace_has_been_read() -> None:
    text = TEXT.replace("apiVersion: v1, kind: ConfigMap", "apiVersion: example.com/v1, kind: Bucket")
    with Client() as client:
        client.request("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
        client.open(text)
        assert published(client, 1) == []
        client.notify("initialized", {})  # only now the workspace is read
        assert published(client, 1) == ["unknown-kind"]


class _Loaded:
    current = None
    is_loaded = True


def test_what_is_held_back_is_shown_later() -> None:
    async def typed() -> None:
        shown_again: list[str] = []
        kept = HeldBack(_Loaded(), shown_again.append, lambda: shown_again.append("lenses"))
        first = Document("file:///rgd.yaml", 1, Text(rgd_around(SCHEMA.format(type="strin"))))
        place = first.text.position(first.text.content.index("strin") + len("strin"))
        document = first.edited(2, (Edit("x", (place.line, place.column), (place.line, place.column)),))
        errors = tuple(each for each in document.diagnosis.diagnostics if each.severity == "error")
        assert errors
        kept.edited(document)
        assert kept.without(document, errors) == ()
        assert kept.shown_of(document.uri, errors) == ()
        kept.saved(document.uri)
        assert shown_again == [document.uri]
        assert kept.without(document, errors) == errors == kept.shown_of(document.uri, errors)
        assert shown_again == [document.uri, "lenses"]

    asyncio.run(typed())
