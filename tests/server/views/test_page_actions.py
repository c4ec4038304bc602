"""Code actions that open pages: for clients that can open them and have no code lenses."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.fixtures.browser import Browser
from tests.fixtures.client import Client
from tests.fixtures.definitions import rgd_of_config_maps

URI = "file:///rgd.yaml"
FIRST = rgd_of_config_maps(("config", "${schema.metadata.name}"))
TEXT = f"kind: List\n---\n{FIRST}---\n{FIRST}"
SHOWS: dict[str, object] = {"window": {"showDocument": {"support": True}}}
LENSES: dict[str, object] = {"textDocument": {"codeLens": {}}}
TITLES = ["Show the dependency graph in the browser", "Show the preview in the browser"]


def actions(client: Client, line: int, **context: object) -> list[dict[str, Any]]:
    place = {"line": line, "character": 0}
    params = {"textDocument": {"uri": URI}, "range": {"start": place, "end": place}}
    found = client.request("textDocument/codeAction", {**params, "context": {"diagnostics": [], **context}})
    return [each for each in found or [] if each["kind"] == "source"]


def line_of(number: int) -> int:
    """The line that says the kind of a definition, by its 0-based number."""
    lines = [at for at, line in enumerate(TEXT.splitlines()) if line == "kind: ResourceGraphDefinition"]
    return lines[number]


@pytest.mark.parametrize("number", [0, 1])
def test_the_pages_of_the_definition_at_the_cursor_are_offered(number: int) -> None:
    with Client() as client:
        client.initialize(SHOWS)
        client.open(TEXT, URI)
        found = actions(client, line_of(number))
        assert [each["title"] for each in found] == TITLES
        for each in found:
            assert each["command"]["arguments"] == [{"uri": URI, "definition": number, "show": True}]
        assert actions(client, 0) == []


@pytest.mark.parametrize(("only", "count"), [(["quickfix"], 0), (["source"], 2), (["refactor", "source"], 2)])
def test_a_client_may_ask_for_kinds(only: list[str], count: int) -> None:
    with Client() as client:
        client.initialize(SHOWS)
        client.open(TEXT, URI)
        assert len(actions(client, line_of(0), only=only)) == count


def test_clients_with_lenses_have_another_way() -> None:
    with Client() as client:
        client.initialize(LENSES)
        client.open(TEXT, URI)
        assert actions(client, line_of(0)) == []


def test_no_lamp_is_lit_where_nobody_asked() -> None:
    with Client() as client:
        client.initialize(SHOWS)
        client.open(TEXT, URI)
        assert actions(client, line_of(0), triggerKind=2) == []
        assert len(actions(client, line_of(0), triggerKind=1)) == 2


def run(client: Client, title: str) -> int:
    """Run the action of the first definition that has a title; return the number of the request."""
    [action] = [each for each in actions(client, line_of(0)) if each["title"] == title]
    return client.ask("workspace/executeCommand", action["command"])


def shown(client: Client, number: int) -> dict[str, Any]:
    """Return the request that has a page shown. Skips where there are no pages."""
    message = client.wait(lambda each: each.get("method") == "window/showDocument" or each.get("id") == number)
    if "not in this copy" in str(message.get("error")):
        pytest.skip("the views are not built: run scripts/views build")
    return message


@pytest.mark.parametrize("capabilities", [SHOWS, {}], ids=["says so", "does not say so"])
@pytest.mark.parametrize("title", TITLES)
def test_the_command_of_the_action_opens_a_page(title: str, capabilities: dict[str, object]) -> None:
    with Client() as client:
        client.initialize(capabilities)
        client.open(TEXT, URI)
        number = run(client, title)
        request = shown(client, number)
        client.answer(request, {"success": True})
        assert request["params"]["external"]
        assert client.answer_to(number)["result"] == {"url": request["params"]["uri"]}
        assert Browser(request["params"]["uri"]).enter()
        assert client.kept("window/showMessage") == []


def test_a_client_that_opens_nothing_shows_the_address() -> None:
    with Client() as client:
        client.initialize()
        client.open(TEXT, URI)
        number = run(client, TITLES[0])
        request = shown(client, number)
        client.answer(request, {"success": False})
        message = client.notification("window/showMessage")
        assert message["message"] == f"Open once in a browser: {request['params']['uri']}"


def test_a_click_comes_back_to_a_client_that_opened_the_page() -> None:
    with Client() as client:
        client.initialize()
        client.open(TEXT, URI)
        request = shown(client, run(client, TITLES[0]))
        client.answer(request, {"success": True})
        browser = Browser(request["params"]["uri"])
        with browser.talk(browser.enter()) as connection:
            place = {"line": 3, "character": 0}
            wanted = {"start": place, "end": place}
            connection.send(json.dumps({"type": "reveal", "range": wanted, "takesFocus": True}))
            revealed = client.wait(lambda each: each.get("method") == "window/showDocument")
        assert (revealed["params"]["uri"], revealed["params"]["selection"]) == (URI, wanted)
