"""Tests that the list of known differences has exactly the differences."""

from __future__ import annotations

from tests.cluster.comparisons import Compared, differences, foreseen, order_differences
from tests.cluster.replay import gone, known_differences, surprises

FOUND = [
    Compared("states", "a", {"state": ("ACTIVE", "ERROR"), "version": ("unknown", "v0.9.4")}),
    Compared("states", "b", {"version": ("unknown", "v0.9.4")}),
    Compared("orders", "a", {}),
]


def test_the_list_of_what_was_found_has_all_of_it() -> None:
    known = known_differences(FOUND)
    assert known == {"states": {"a": ["state", "version"], "b": ["version"]}}
    assert surprises(FOUND, known) == gone(FOUND, known) == []


def test_another_path_is_a_surprise_and_one_that_agrees_is_gone() -> None:
    known = {"states": {"a": ["version"], "b": ["state", "version"]}}
    assert surprises(FOUND, known) == ["states: a: state: kro-ls has 'ACTIVE', the cluster 'ERROR'"]
    assert gone(FOUND, known) == ["states: b: state"]


def test_what_was_not_compared_is_not_gone() -> None:
    assert gone(FOUND, {**known_differences(FOUND), "edits": {"a": ["x"]}}) == []


def test_differences_name_each_path_and_tell_booleans_from_numbers() -> None:
    ours = {"a": [1, {"b": 1.0}], "c": 1}
    theirs = {"a": [1, {"b": 1}], "c": True, "d": None}
    assert dict(differences(ours, theirs)) == {"c": (1, True), "d": ("<absent>", None)}


def test_lists_of_other_lengths_differ_as_a_whole() -> None:
    assert dict(differences({"a": [1]}, {"a": [1, 2]})) == {"a": ([1], [1, 2])}


def test_an_order_differs_where_something_comes_before_an_earlier_group() -> None:
    groups = {"a": 1, "b": 1, "c": 2}
    assert dict(order_differences(["b", "a", "c"], groups)) == {}
    assert dict(order_differences(["c", "a"], groups)) == {"c": (2, 1)}
    assert dict(order_differences(["d", "a"], groups)) == {"d": ("<absent>", 0)}


def test_times_and_uids_are_equal_and_texts_that_hold_them_are_not() -> None:
    assert foreseen(["2024-01-01T00:00:00Z", "b13b98b4-a6ea-43c9-a70e-faa11cf360a2"]) == ["<time>", "<uid>"]
    assert foreseen("since 2024-01-01T00:00:00Z") == "since 2024-01-01T00:00:00Z"
