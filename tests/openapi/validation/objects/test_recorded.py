"""What a real API server said of objects with one thing changed: its texts are ours, and what it takes is taken."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache

import pytest

from kro_ls.openapi.rules.evaluation import rule_errors
from kro_ls.openapi.validation.objects.refusal import refusal
from tests.openapi.validation.objects.answers import Recorded, kind_of, recorded, seed_name, seeds
from tests.openapi.validation.objects.mutations import changed

_LEAST = {"create": (0.91, 0.88), "edit": (0.86, 0.66)}
"""By operation: the share of refusals that we report, and of those in the same words."""


@cache
def answers() -> tuple[tuple[Recorded, str], ...]:
    """Return the recorded answers, each with ours."""
    return tuple(_answers())


def _answers() -> Iterator[tuple[Recorded, str]]:
    by_name = {seed_name(each): each for each in seeds()}
    for row in recorded():
        seed = by_name[row.seed]
        value = changed(seed, row.change)
        found = refusal(value, kind_of(value), rule_errors, seed if row.verb == "edit" else None)
        yield row, found.text if found else ""


def test_what_is_taken_is_never_refused() -> None:
    assert [(row, said) for row, said in answers() if said and not row.answer] == []


@pytest.mark.parametrize("verb", _LEAST)
def test_most_refusals_are_reported_in_the_same_words(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    counts = Counter(_outcome(row.answer, said) for row, said in answers() if row.verb == verb and row.answer)
    total = counts.total()
    reported, same = (total - counts["silent"]) / total, counts["same"] / total
    with capsys.disabled():
        print(
            f"\n{verb}: {total} refusals of the API server, reported {reported:.1%}, in the same words {same:.1%}",
            end="",
        )
    assert (reported, same) >= _LEAST[verb]
    assert same >= _LEAST[verb][1]


def _outcome(answer: str, said: str) -> str:
    return "silent" if not said else "same" if said == answer else "other"


@pytest.mark.parametrize("seed", seeds(), ids=seed_name)
def test_objects_without_a_change_are_taken(seed: dict[str, object]) -> None:
    assert refusal(seed, kind_of(seed), rule_errors) is None  # type: ignore[arg-type] # as it is parsed
    assert refusal(seed, kind_of(seed), rule_errors, seed) is None  # type: ignore[arg-type]
