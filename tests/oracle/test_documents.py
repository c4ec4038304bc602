"""Tests that kubectl still reads YAML documents as recorded, and that kro-ls reads other documents as kubectl does."""

from __future__ import annotations

import json
from random import Random

from tests.differential.documents import RECORDED, answers, difference
from tests.differential.generation.documents import random_document
from tests.oracle.test_oracle import needs_go


@needs_go
def test_what_was_recorded_still_holds() -> None:
    recorded = [json.loads(line) for line in RECORDED.read_text(encoding="utf-8").splitlines()]
    for each, answer in zip(recorded, answers([each["text"] for each in recorded]), strict=True):
        assert {"text": each["text"], **answer} == each


@needs_go
def test_kubectl_agrees_about_generated_documents() -> None:
    texts = [random_document(Random(f"11-{number}")) for number in range(3000)]
    found = [(text, difference(text, answer)) for text, answer in zip(texts, answers(texts), strict=True)]
    assert [each for each in found if each[1]] == []
