"""The page that teaches the language: its examples are what it says they are."""

from __future__ import annotations

import re
from typing import NamedTuple

import pytest

from kro_ls.agents.language_page import language_page
from kro_ls.rules.diagnosis import diagnose_text
from kro_ls.yaml_positions.text import Text
from tests.fixtures.definitions import rgd_around

FENCE = re.compile(r"([^\n]*)\n\n```yaml\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"Wrong \(`([a-z-]+)`\):")


class Example(NamedTuple):
    codes: frozenset[str]
    text: str


def examples() -> list[Example]:
    found = FENCE.findall(language_page())
    return [Example(frozenset(CODE.findall(line)), text) for line, text in found]


def test_the_page_has_right_and_wrong_examples() -> None:
    wrong = [each for each in examples() if each.codes]
    assert len(wrong) >= 2
    assert len(examples()) - len(wrong) >= 4
    assert language_page().count("```yaml") == len(examples())


@pytest.mark.parametrize("example", examples(), ids=lambda each: " ".join(each.codes) or "right")
def test_an_example(example: Example) -> None:
    found = diagnose_text(Text(rgd_around(example.text))).diagnostics
    assert {each.code for each in found} == example.codes, found


def test_the_page_is_about_2000_words_and_complete() -> None:
    page = language_page()
    assert 1_600 < len(page.split()) < 2_500
    for word in ("includeWhen", "readyWhen", "forEach", "externalRef", "json.marshal", "lowerAscii", "listMapKey"):
        assert word in page
    assert "{" not in re.sub(r"```.*?```|`[^`\n]*`", "", page, flags=re.DOTALL)
