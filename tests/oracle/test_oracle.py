"""Tests that kro still gives the recorded answers; each question is asked once."""

from __future__ import annotations

import os
import shutil

import pytest

from tests.conformance.comparison import Case, cases
from tests.conformance.own_definitions import SETS, definitions
from tests.conformance.record import RECORDED, WHOLE, answers_to

needs_go = pytest.mark.skipif(
    shutil.which("go") is None and os.environ.get("CI") != "true",
    reason="Go is not installed; the oracle is a Go program",
)


@needs_go
@pytest.mark.parametrize("name", SETS)
def test_kro_answers_as_recorded(version: str, name: str) -> None:
    answers, instances = answers_to(version, definitions(name), chained=name == "chained", repeat=1)
    for file, found in ((name, answers), (f"{name}-instances", instances)):
        recorded = list(cases(RECORDED / version / f"{file}.jsonl")) if version == WHOLE or file == name else []
        assert [each["name"] for each in found] == [each["name"] for each in recorded]
        different = [each["name"] for each, old in zip(found, recorded, strict=True) if not same(each, old)]
        assert not different


def same(found: Case, recorded: Case) -> bool:
    """Return whether an answer is the recorded one; kro may pick any of several recorded errors."""
    if (recorded.get("expected") or {}).get("varies"):
        return states(found) == states(recorded)
    return matches(found, recorded)


def matches(found: object, recorded: object) -> bool:
    if isinstance(found, dict) and isinstance(recorded, dict):
        return found.keys() == recorded.keys() and all(
            set(found[key]) <= set(recorded[key])
            if key == "errors" or (key == "ready" and isinstance(recorded[key], list))
            else matches(found[key], recorded[key])
            for key in found
        )
    if isinstance(found, list) and isinstance(recorded, list):
        return len(found) == len(recorded) and all(map(matches, found, recorded))
    return found == recorded


def states(answer: Case) -> list[tuple[str, str]]:
    return [(each["id"], each["state"]) for each in answer["expected"]["nodes"]]
