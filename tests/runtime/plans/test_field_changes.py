"""The differences of two objects, field by field."""

from __future__ import annotations

from typing import Any

import pytest

from kro_ls.runtime.plans.field_changes import FieldChange, field_changes


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ({"a": 1}, {"a": 1}, []),
        ({"a": 1}, {"a": 2}, [FieldChange("a", 1, 2)]),
        ({"a": 1}, {"a": True}, [FieldChange("a", 1, True)]),
        ({"a": 1}, {"a": 1.0}, [FieldChange("a", 1, 1.0)]),
        ({"a": {"b": 1, "c": 2}}, {"a": {"b": 1}}, [FieldChange("a.c", 2, None, stays=False)]),
        ({}, {"a": {"b": 1}}, [FieldChange("a", None, {"b": 1}, was=False)]),
        ({"a": {"x.io/b": 1}}, {"a": {"x.io/b": 2}}, [FieldChange('a["x.io/b"]', 1, 2)]),
        ({"a": [1, 2]}, {"a": [1, 3]}, [FieldChange("a[1]", 2, 3)]),
        ({"a": [1, 2]}, {"a": [1]}, [FieldChange("a[1]", 2, None, stays=False)]),
        ({"a": None}, {"a": {}}, [FieldChange("a", None, {})]),
    ],
)
def test_a_change_has_the_path_of_the_field(old: Any, new: Any, expected: list[FieldChange]) -> None:
    assert list(field_changes(old, new)) == expected


def test_items_with_names_are_compared_by_name() -> None:
    old: Any = {"containers": [{"name": "web", "image": "a"}, {"name": "log", "image": "b"}]}
    new: Any = {"containers": [{"name": "new", "image": "c"}, {"name": "web", "image": "a2"}]}
    assert list(field_changes(old, new)) == [
        FieldChange("containers[new]", None, {"name": "new", "image": "c"}, was=False),
        FieldChange("containers[web].image", "a", "a2"),
        FieldChange("containers[log]", {"name": "log", "image": "b"}, None, stays=False),
    ]


def test_another_order_of_items_is_a_change() -> None:
    old: Any = {"c": [{"name": "a"}, {"name": "b"}]}
    new: Any = {"c": [{"name": "b"}, {"name": "a"}]}
    assert list(field_changes(old, new)) == [FieldChange("c", ["a", "b"], ["b", "a"])]


def test_items_without_telling_keys_are_compared_by_place() -> None:
    old: Any = {"r": [{"verbs": ["get"]}]}
    new: Any = {"r": [{"verbs": ["get", "list"]}]}
    assert list(field_changes(old, new)) == [FieldChange("r[0].verbs[1]", None, "list", was=False)]


def test_what_a_secret_holds_is_hidden() -> None:
    old: Any = {"apiVersion": "v1", "kind": "Secret", "stringData": {"password": "old"}, "type": "Opaque"}
    new: Any = {"apiVersion": "v1", "kind": "Secret", "stringData": {"password": "new", "user": "me"}, "type": "other"}
    found = field_changes(old, new)
    assert [each.path for each in found] == ["stringData.password", "stringData.user", "type"]
    assert [(each.old, each.new) for each in found] == [
        ("(hidden)", "(hidden)"),
        (None, "(hidden)"),
        ("Opaque", "other"),
    ]


def test_a_field_whose_name_begins_like_data_of_a_secret_is_shown() -> None:
    old: Any = {"apiVersion": "v1", "kind": "Secret", "database": "a"}
    assert [each.new for each in field_changes(old, {**old, "database": "b"})] == ["b"]
