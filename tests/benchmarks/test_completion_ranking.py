"""Completion has the right name first, on a sample of the definitions that it was not tuned with."""

from __future__ import annotations

import pytest

from benchmarks.completion_ranking import Answer, Case, answers, cases, reciprocal_rank, share_within
from tests.paths import needs_conformance


def sample(every: int, typed: int = 0) -> list[Answer]:
    return [answer for case in cases() if case.is_held_out for answer in answers(case, typed, every)]


def test_ranks_are_counted_as_people_see_them() -> None:
    case = Case("a", "", accepted=True)
    found = [Answer(case, "x", "", rank, ()) for rank in (1, 2, 6, 0)]
    assert (share_within(found, 1), share_within(found, 5)) == (25, 50)
    assert reciprocal_rank(found) == pytest.approx((1 + 1 / 2 + 1 / 6) / 4)


def test_the_word_and_what_follows_it_is_hidden() -> None:
    name = "the hidden name is not read"
    text = (
        "apiVersion: kro.run/v1alpha1\nkind: ResourceGraphDefinition\nmetadata: {name: a}\nspec:\n"
        "  schema: {apiVersion: v1, kind: A, spec: {a: string, zzz: string}}\n"
        "  resources:\n    - id: x\n"
        "      template: {apiVersion: v1, kind: ConfigMap, data: {b: '${schema.spec.zzz}'}}\n"
    )
    found = list(answers(Case(name, text, accepted=True), 0))
    assert [answer.name for answer in found] == ["schema", "spec", "zzz"]
    assert found[-1].rank == 2


@needs_conformance
def test_the_right_name_is_first_often_enough() -> None:
    found = sample(every=6)
    accepted = [answer for answer in found if answer.case.accepted]
    assert len(accepted) > 100
    assert share_within(accepted, 1) > 78
    assert share_within(accepted, 5) > 95
    assert reciprocal_rank(accepted) > 0.85
    assert share_within(found, 1) > 75
    assert share_within(found, 5) > 92


def test_the_right_name_is_first_in_the_examples() -> None:
    # The tour of CEL calls each function once, which no order can foresee.
    examples = [case for case in cases() if case.schemas is None and case.name != "cel-tour.yaml"]
    found = [answer for case in examples for answer in answers(case, 0, every=4)]
    assert len(found) > 80
    assert share_within(found, 1) > 63
    assert share_within(found, 5) > 85
