"""Applying an edited manifest to an existing object."""

from __future__ import annotations

from typing import Any

import pytest

from kro_ls.runtime.plans.applying import applied_again


@pytest.mark.parametrize(
    ("stored", "before", "after", "expected"),
    [
        ({"a": 1, "b": 2}, {"a": 1}, {"a": 1}, {"a": 1, "b": 2}),
        ({"a": 1, "b": 2}, {"a": 1}, {"a": 3}, {"a": 3, "b": 2}),
        ({"a": 1, "b": 2}, {"a": 1}, {}, {"b": 2}),
        ({"a": {"x": 1, "y": 2}}, {"a": {"x": 1}}, {"a": {}}, {"a": {"y": 2}}),
        ({"a": {"x": 1}}, {"a": {"x": 1}}, {"a": "text"}, {"a": "text"}),
        ({"a": [{"x": 1, "y": 2}]}, {"a": [{"x": 1}]}, {"a": [{"x": 1}]}, {"a": [{"x": 1, "y": 2}]}),
        ({"a": [{"x": 1, "y": 2}]}, {"a": [{"x": 1}]}, {"a": [{"x": 3}]}, {"a": [{"x": 3}]}),
        ({}, {}, {"a": None}, {"a": None}),
    ],
)
def test_what_the_manifest_did_not_say_stays(stored: Any, before: Any, after: Any, expected: Any) -> None:
    assert applied_again(stored, before, after) == expected
