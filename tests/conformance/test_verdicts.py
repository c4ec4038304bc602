"""Tests that kro-ls judges definitions with odd YAML, metadata or schemas as kro and the API server did."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from tests.differential.verdicts import RECORDED, difference

ANSWERS = [json.loads(line) for line in RECORDED.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("number", range(len(ANSWERS)))
def test_a_recorded_verdict(number: int) -> None:
    assert difference(ANSWERS[number]) is None, ANSWERS[number]["rgd"]


def test_all_kinds_of_verdicts_are_recorded() -> None:
    kinds = Counter((each["accepted"], each["crdAccepted"]) for each in ANSWERS)
    assert min(kinds[True, True], kinds[True, False], kinds[False, False]) > len(ANSWERS) * 0.1
