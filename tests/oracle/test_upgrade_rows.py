"""Tests that kro still gives texts the recorded meanings before and after an upgrade."""

from __future__ import annotations

from tests.conformance.comparison import Case, cases
from tests.conformance.published import FILE as PUBLISHED
from tests.conformance.published import asked, published
from tests.conformance.upgrade_rows import row_cases
from tests.conformance.upgrades import FILE, answers
from tests.oracle.conftest import can_be_had
from tests.oracle.test_oracle import needs_go
from tests.paths import needs_conformance


@needs_go
def test_kro_gives_the_recorded_meanings() -> None:
    had = [each for each in row_cases() if all(map(can_be_had, {each.row.source or each.row.target, each.row.target}))]
    recorded = {each["name"]: each for each in cases(FILE)}
    assert had
    assert [each for each in answers(had) if _certain(each) != _certain(recorded[each["name"]])] == []


def _certain(answer: Case) -> Case:
    """Return an answer without the texts of errors, because kro reports any one of them."""
    return {name: None if isinstance(each, dict) and "errors" in each else each for name, each in answer.items()}


@needs_go
@needs_conformance
def test_kro_gives_published_schemas_the_recorded_meanings(version: str) -> None:
    recorded = [each for each in cases(PUBLISHED) if each["form"] == "schema" and version in each["means"]]
    found = asked(version, "schema", [each.text for each in published()], []) if recorded else []
    assert found == [each["means"][version] for each in recorded]
