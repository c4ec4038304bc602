"""Tests that kro-ls agrees with kro about Graphs: the verdict, the order, and the objects that one pass applies."""

from __future__ import annotations

import json

import pytest

from tests.differential.graphs import RECORDED, differences

ANSWERS = [json.loads(line) for line in RECORDED.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("number", range(len(ANSWERS)))
def test_a_recorded_graph(number: int) -> None:
    assert list(differences(ANSWERS[number]["graph"], ANSWERS[number]["answer"])) == []


def test_both_kinds_of_answers_are_recorded() -> None:
    accepted = [each["answer"] for each in ANSWERS if each["answer"]["accepted"]]
    assert len(ANSWERS) * 0.3 < len(accepted) < len(ANSWERS) * 0.7
    passes = [each["pass"] for each in accepted]
    assert all(
        any(each.get(name) for each in passes) for name in ("applied", "patched", "unresolved", "ignored", "error")
    )
