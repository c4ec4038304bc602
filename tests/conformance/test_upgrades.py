"""Tests that each row of the upgrade table keeps the meaning of a text, or asks. Needs only this repository."""

from __future__ import annotations

from functools import cache

import pytest

from tests.conformance.comparison import Case, cases, first_difference
from tests.conformance.upgrade_rows import RowCase, digest, row_cases
from tests.conformance.upgrades import FILE, upgraded


@cache
def recorded() -> dict[str, Case]:
    return {each["name"]: each for each in cases(FILE)}


@pytest.mark.parametrize("case", [*row_cases()], ids=lambda case: case.name)
def test_the_meaning_is_kept_or_somebody_is_asked(case: RowCase) -> None:
    found, answer = upgraded(case), recorded().get(case.name, {})
    digests = [digest(case.text), digest(found.text.content)]
    assert answer.get("digests") == digests, "texts have changed: run python -m tests.conformance.upgrades"
    before, after = answer["before"], answer["after"]
    assert ("errors" in before) is (not case.row.source or "refused" in case.row.name), before
    if case.row.outcome == "asks":
        assert found.left
        assert found.text.content == case.text
        assert "errors" in after
    else:
        assert not found.left
        assert "errors" not in after, after
    if case.row.outcome == "kept":
        assert found.steps
        assert first_difference(after, before) is None
        assert not answer["objects"] or answer["objects"][0] == answer["objects"][1]


def test_every_recorded_text_is_one_of_a_row() -> None:
    assert set(recorded()) == {each.name for each in row_cases()}


def test_objects_are_compared_where_the_texts_are_about_them() -> None:
    rendered = [each for each in row_cases() if each.row.objects_in]
    assert len(rendered) > 5
    assert all(recorded()[each.name]["objects"][0] for each in rendered)
