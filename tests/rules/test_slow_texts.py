"""Texts that are slow for naive patterns."""

from __future__ import annotations

import time

import pytest

from kro_ls.features.completion.snippets import described_values
from kro_ls.rules.diagnosis import diagnose_text
from kro_ls.yaml_positions.text import Text
from tests.fixtures.definitions import rgd

COMMENTS = "# a comment\r\n" * 2000


@pytest.mark.parametrize(
    "text",
    [
        f"{COMMENTS}{rgd()}",
        f"{COMMENTS}x",
        f"{COMMENTS}{{a: b}}",
        f"{{a: b}}\r\n{COMMENTS}x",
        f"a: b\r\n---\r\n{COMMENTS}...\r\n{COMMENTS}%x",
        f"a: b\r\n{COMMENTS}---\r\n{COMMENTS}{rgd()}",
        "\r\n" * 5000 + "x",
        "% a\r\n" * 5000 + "x",
        rgd() + "    a" + " " * 50_000 + "b\n  x: [",
    ],
    ids=lambda text: repr(text[:12] + text[-12:]),
)
def test_a_text_takes_time_in_proportion(text: str) -> None:
    started = time.process_time()
    diagnose_text(Text(text))
    assert time.process_time() - started < 5  # a part of a second; two ways for each line would be 2 to the 2000


@pytest.mark.parametrize("start", ["(Aa, ", "Must be ", "Valid values: ", ": ", "one of the following values: "])
@pytest.mark.parametrize("part", ["A", "Aa", "Aa, ", "`a`", "'", "- a", "- `a`\n", "\n", " or ", "* A"])
def test_a_description_takes_time_in_proportion(start: str, part: str) -> None:
    started = time.process_time()
    described_values(start + part * 5000)
    assert time.process_time() - started < 5


def test_values_in_brackets_are_found() -> None:
    assert described_values("A policy (Always, Never or OnFailure).") == ("Always", "Never", "OnFailure")
