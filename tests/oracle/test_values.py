"""Tests that kro still gives the recorded values of expressions, and that kro-ls agrees about other expressions."""

from __future__ import annotations

import json
from random import Random

from tests.differential.expressions import RECORDED, answers, difference
from tests.differential.generation.calls import random_expression
from tests.oracle.test_oracle import needs_go


@needs_go
def test_what_was_recorded_still_holds() -> None:
    recorded = [json.loads(line) for line in RECORDED.read_text(encoding="utf-8").splitlines()]
    for each, answer in zip(recorded, answers([each["expression"] for each in recorded]), strict=True):
        assert {"expression": each["expression"], **answer} == each


@needs_go
def test_kro_agrees_about_generated_expressions() -> None:
    texts = [random_expression(Random(f"11-{number}")) for number in range(2000)]
    found = [(text, difference(text, answer)) for text, answer in zip(texts, answers(texts), strict=True)]
    assert [each for each in found if each[1]] == []
