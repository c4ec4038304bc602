"""The request for the tests in the text of a test file."""

from __future__ import annotations

from typing import Any

import pytest

from tests.fixtures.client import Client

FILE = """# tests
definition: app.yaml
tests:
  - name: one
    expect: {state: ACTIVE}

  - expect:
      state: ERROR
    name: "two: it's"
  - {name: three, expect: {}}
---
definition: other.yaml
tests:
  - name: 🙂 four
"""


def asked(text: object) -> Any:
    with Client() as client:
        client.initialize({})
        return client.exchange("kro-ls/tests", {"text": text})


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_each_has_its_name_and_its_place_also_while_it_is_typed(ends: str) -> None:
    found = asked(FILE.replace("\n", ends))["result"]
    starts = [(each["name"], each["range"]["start"]) for each in found]
    assert starts == [
        ("one", {"line": 3, "character": 10}),
        ("two: it's", {"line": 8, "character": 11}),
        ("three", {"line": 9, "character": 11}),
        ("🙂 four", {"line": 13, "character": 10}),
    ]
    assert [each["range"]["end"]["line"] for each in found] == [4, 8, 9, 13]
    assert found[3]["range"]["end"]["character"] == len("  - name: ") + 7  # the face counts for two


@pytest.mark.parametrize(
    "text", ["", "tests: [{name: a}]", "definition: a\ntests:", "definition: a\ntests: [1, {nam: b}]", "a: ["]
)
def test_other_texts_have_none(text: str) -> None:
    assert asked(text)["result"] == []


def test_what_is_no_text_is_refused() -> None:
    assert "'text' must be the text of a test file" in asked(None)["error"]["message"]
