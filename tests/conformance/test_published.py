"""Tests that published definitions that a newer kro refuses keep their meaning when upgraded, or the user is asked."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.conformance.comparison import cases
from tests.conformance.published import FILE, FORMS, published, to_upgrade
from tests.conformance.upgrade_rows import digest
from tests.paths import needs_conformance

CANNOT = {
    "kro-unit-test-cel-types-48.yaml": "kro 0.9.0 to 0.9.3 take 'each' of a second collection for that of the first",
}
"""Definitions that no rewrite makes valid for a version."""


@needs_conformance
def test_published_definitions_keep_their_meaning_or_somebody_is_asked(capsys: pytest.CaptureFixture[str]) -> None:
    texts = {each.name: each for each in published()}
    counts = {form: Counter[str]() for form in FORMS}
    wrong = []
    for answer in cases(FILE):
        each = texts[answer["name"]]
        assert digest(each.text) == answer["digest"], "texts have changed: run python -m tests.conformance.published"
        for old, new in to_upgrade(answer):
            found = each.upgraded(new)
            text, means = answer["upgraded"][new]
            assert digest(found.text.content) == text, "texts have changed: run python -m tests.conformance.published"
            if means:
                outcome = "kept" if means == answer["means"][old] else "lost"
            else:
                outcome = "asks" if found.is_to_decide else "cannot"
            if outcome == "lost" or (outcome == "cannot") is not (each.name in CANNOT):
                wrong.append((each.name, old, new, outcome))
            counts[answer["form"]][outcome] += 1
    with capsys.disabled():
        print("".join(f"\nupgrades, {form}: {dict(found)}" for form, found in counts.items()), end="")
    assert not wrong
    assert counts["schema"]["kept"] > 10
