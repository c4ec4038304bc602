"""Tests that inputs that once failed do not fail again, and that every kind of attack runs."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from tests.soak.session import Session
from tests.soak.subjects import SUBJECTS, attack
from tests.soak.worker import CORPUS

_LONGEST_SECONDS = 10.0
"""Much more than the attack allows, so that only a real hang fails on a slow machine."""

_KEPT = sorted(CORPUS.glob("*/*.txt"))


@pytest.mark.parametrize("path", _KEPT, ids=[f"{path.parent.name}-{path.stem}" for path in _KEPT])
def test_what_failed_once(path: Path) -> None:
    assert attack(path.parent.name, path.read_bytes().decode("utf-8", "surrogatepass"), _LONGEST_SECONDS) > 0


@pytest.mark.parametrize("kind", SUBJECTS)
def test_a_short_attack(kind: str) -> None:
    for number in range(3 if SUBJECTS[kind].share < 5 else 15):
        assert attack(kind, SUBJECTS[kind].make(Random(number)), _LONGEST_SECONDS) > 0


def test_a_short_session() -> None:
    session = Session(Random(1))
    try:
        for _ in range(5):
            assert session.attack(), session.problem
        assert session.count >= 50
    finally:
        session.close()
