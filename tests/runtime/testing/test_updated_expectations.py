"""What a test must expect after a run: what the run contradicts, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kro_ls.runtime.testing.expectations import mismatches, part_mismatches
from kro_ls.runtime.testing.updated_expectations import only_at, updated_expect, updated_part, with_errors
from tests.runtime.testing.test_testrun import JSON, SIMULATION


@pytest.mark.parametrize(
    ("expect", "updated"),
    [
        ({"state": "ACTIVE"}, {"state": "IN_PROGRESS"}),
        ({"nodes": {"t": "ready", "a": "ready"}}, {"nodes": {"t": "waiting", "a": "ready"}}),
        ({"nodes": {"t": {"state": "ready"}}}, {"nodes": {"t": {"state": "waiting"}}}),
        (
            {"nodes": {"d": {"state": "pending", "reason": "waits for x"}}},
            {"nodes": {"d": {"state": "pending", "reason": "waits for t to be ready"}}},
        ),
        ({"objects": {"a": {"data": {"k": "w"}}}}, {"objects": {"a": {"data": {"k": "v"}}}}),
        ({"objects": {"a": {"data": {"m": "w"}}}}, {"objects": {"a": {"data": {"m": None}}}}),
        ({"objects": {"d": {}}}, {"objects": {"d": []}}),
        (
            {"objects": {"c": [{"metadata": {"name": "x"}}]}},
            {"objects": {"c": [{"metadata": {"name": "x"}}, {"metadata": {"name": "y"}}]}},
        ),
        ({"status": {"id": "1"}}, {"status": {"id": None}}),
        ({"conditions": [{"type": "Ready", "status": "True"}]}, {"conditions": [{"type": "Ready", "status": "False"}]}),
        ({"errors": ["boom"]}, {"state": "IN_PROGRESS"}),
    ],
)
def test_what_is_contradicted(expect: dict[str, Any], updated: dict[str, Any]) -> None:
    assert updated_expect(expect, SIMULATION) == updated
    assert list(mismatches(updated, SIMULATION, ())) == []


def test_what_is_gone_stays_and_is_still_reported() -> None:
    expect: Any = {"nodes": {"tt": "ready"}, "objects": {"tt": {}}, "conditions": [{"type": "Up"}]}
    assert updated_expect(expect, SIMULATION) == expect
    assert len(list(mismatches(expect, SIMULATION, ()))) == 3


def test_an_exact_test_is_complete_afterwards() -> None:
    updated: Any = updated_expect({"exactly": True, "objects": {"a": {"other": 1}}}, SIMULATION)
    assert updated["objects"]["a"]["data"] == {"k": "v"}
    assert "other" not in updated["objects"]["a"]
    assert set(updated["nodes"]) == {each.id for each in SIMULATION.final.result.nodes}
    assert list(mismatches(updated, SIMULATION, ())) == []


@pytest.mark.parametrize(
    ("texts", "errors", "updated"),
    [
        (["a", "b"], ["xa", "yb"], ["a", "b"]),
        (["a", "b"], ["xa", "new"], ["a", "new"]),
        (["gone", "a"], ["xa"], ["a"]),
        ([], ["one", "two"], ["one", "two"]),
        (["gone"], [], None),
    ],
)
def test_errors(texts: list[str], errors: list[str], updated: list[str] | None) -> None:
    found = with_errors({"state": "ERROR", "errors": [*texts]}, errors)
    expected: Any = {"state": "ERROR"}
    assert found == expected | ({"errors": updated} if updated else {})


def test_one_place_only() -> None:
    old: Any = {"a": 1, "b": [1, {"c": 2}], "d": 1}
    new: Any = {"a": 2, "b": [3, {"c": 4}], "e": 5}
    assert only_at(old, new, ("a",)) == old | {"a": 2}
    assert only_at(old, new, ("b", 1, "c")) == old | {"b": [1, {"c": 4}]}
    assert only_at(old, new, ("d",)) == {"a": 1, "b": [1, {"c": 2}]}
    assert only_at(old, new, ("e",)) == old | {"e": 5}


@given(JSON, JSON, st.booleans())
def test_an_updated_part_matches(wanted: Any, found: Any, exactly: bool) -> None:
    updated = updated_part(wanted, found, exactly=exactly)
    assert list(part_mismatches(updated, found, (), exactly=exactly)) == []
    assert updated_part(updated, found, exactly=exactly) == updated
