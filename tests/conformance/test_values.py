"""Tests that kro-ls evaluates calls of every function with values of all types as kro was recorded to do."""

from __future__ import annotations

import json

from tests.differential.expressions import RECORDED, difference

ANSWERS = [json.loads(line) for line in RECORDED.read_text(encoding="utf-8").splitlines()]


def test_every_recorded_value() -> None:
    found = [(each["expression"], difference(each["expression"], each)) for each in ANSWERS]
    different = [f"{text}: {problem}" for text, problem in found if problem]
    assert not different, "\n".join(different)


def test_both_kinds_of_answers_are_recorded() -> None:
    failed = [each for each in ANSWERS if "error" in each]
    assert len(ANSWERS) > 2000
    assert 0.3 < len(failed) / len(ANSWERS) < 0.7
