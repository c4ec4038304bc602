"""Differences that were found agree now, or have a reason; and the generators work."""

from __future__ import annotations

import json
from random import Random

from tests.differential.answers import Compared
from tests.differential.generate import Generated, generate
from tests.differential.main import FOUND, shrink


def test_what_was_found_agrees_by_now() -> None:
    for path in sorted(FOUND.glob("*.json")):
        kept = json.loads(path.read_text(encoding="utf-8"))
        found = Compared(Generated.from_json(kept)).differences(kept["kro"], kept["answers"])
        fields = [each.field for each in found]
        assert kept["field"] in fields if kept["reason"] else not found, (path.name, [each.detail for each in found])


def test_a_seed_gives_the_same_cases() -> None:
    first, second = (Random(7), Random(7))
    assert [generate(first) for _ in range(20)] == [generate(second) for _ in range(20)]


def test_what_is_left_of_a_text_is_what_matters() -> None:
    text = "".join(f"{number}\n" for number in range(40))
    left = shrink(text, lambda text: "7\n" in text and "31\n" in text)
    assert len(left.splitlines()) == 2
