"""What once failed does not fail again, and every kind of attack runs."""

from __future__ import annotations

from random import Random

import pytest

from tests.soak.main import CORPUS
from tests.soak.session import Session
from tests.soak.subjects import SUBJECTS


def test_what_failed_once() -> None:
    for path in CORPUS.glob("*/*.txt"):
        assert SUBJECTS[path.parent.name].run(path.read_bytes().decode("utf-8", "surrogatepass")) > 0, path.name


@pytest.mark.parametrize("kind", SUBJECTS)
def test_a_short_attack(kind: str) -> None:
    for number in range(15):
        given = SUBJECTS[kind].make(Random(number))
        assert SUBJECTS[kind].run(given) > 0


def test_a_short_session() -> None:
    session = Session(Random(1))
    try:
        for _ in range(5):
            assert session.attack(), session.problem
        assert session.count >= 100
    finally:
        session.close()
