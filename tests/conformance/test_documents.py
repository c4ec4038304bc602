"""Tests that kro-ls reads YAML documents, on which libraries differ, as kubectl was recorded to do."""

from __future__ import annotations

import json

from tests.differential.documents import RECORDED, difference

ANSWERS = [json.loads(line) for line in RECORDED.read_text(encoding="utf-8").splitlines()]


def test_every_recorded_document() -> None:
    found = [(each["text"], difference(each["text"], each)) for each in ANSWERS]
    different = [f"{text!r}: {problem}" for text, problem in found if problem]
    assert not different, "\n".join(different)


def test_both_kinds_of_answers_are_recorded() -> None:
    refused = [each for each in ANSWERS if "error" in each]
    assert len(ANSWERS) > 2000
    assert 0.3 < len(refused) / len(ANSWERS) < 0.8
